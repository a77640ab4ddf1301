//! When an act begins that does not say so itself: the Treaties' rules, as data.
//!
//! Sources: Article 191 EEC, Article 254 EC, Article 297 TFEU. An act outside the table, or one
//! that takes effect by notification, begins on a day that its text does not tell.

use crate::law::{Celex, Day, Offset};

/// One rule: acts of this CELEX type, made on or after the day, begin at this distance from publication.
struct Rule {
    kind: char,
    since: (i32, u32, u32),
    /// Words the title must hold; empty: any act of the type.
    of: &'static str,
    after_publication: Offset,
}

const TWENTIETH_DAY: Offset = Offset { months: 0, days: 20, first_of_month: false };
const PARLIAMENT_AND_COUNCIL: &str = "of the European Parliament and of the Council";
const MAASTRICHT: (i32, u32, u32) = (1993, 11, 1);

const RULES: [Rule; 3] = [
    Rule { kind: 'R', since: (1958, 1, 1), of: "", after_publication: TWENTIETH_DAY },
    Rule { kind: 'L', since: MAASTRICHT, of: PARLIAMENT_AND_COUNCIL, after_publication: TWENTIETH_DAY },
    Rule { kind: 'D', since: MAASTRICHT, of: PARLIAMENT_AND_COUNCIL, after_publication: TWENTIETH_DAY },
];

/// What the Treaties say of an act that is silent on its entry into force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// So long after its publication.
    AfterPublication(Offset),
    /// By notification, or by a rule that is not here.
    NotTold,
}

/// The rule for an act of secondary law with this title, made on this day.
pub(super) fn rule(celex: &Celex, title: &str, made: Option<Day>) -> Rules {
    let text = celex.as_str();
    let (Some('3'), Some(kind)) = (text.chars().next(), text.chars().nth(5)) else { return Rules::NotTold };
    let Some(made) = made else { return Rules::NotTold };
    // The institutions stand before the date in a title; what follows may name another act's.
    let head = title.find(&made.long()).map_or(title, |at| &title[..at]).to_ascii_lowercase();
    let fits = |rule: &&Rule| {
        let (y, m, d) = rule.since;
        rule.kind == kind
            && Day::from_ymd(y, m, d).is_some_and(|since| since <= made)
            && head.contains(&rule.of.to_ascii_lowercase())
    };
    RULES.iter().find(fits).map_or(Rules::NotTold, |r| Rules::AfterPublication(r.after_publication))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regulations_and_acts_of_parliament_and_council_begin_on_the_twentieth_day() {
        let day = |t: &str| t.parse::<Day>().ok();
        let of = |c: &str, title: &str, made: &str| c.parse().map(|c| rule(&c, title, day(made)));
        let twentieth = Ok(Rules::AfterPublication(TWENTIETH_DAY));
        assert_eq!(of("31962R9017", "Regulation No 9017", "1962-02-06"), twentieth);
        let title = "Directive 95/9046/EC of the European Parliament and of the Council of 24 October 1995 on x";
        assert_eq!(of("31995L9046", title, "1995-10-24"), twentieth);
        let quoted = "Council Directive 96/9001/EC of 5 May 1996 on Directive 95/9046/EC of the European Parliament and of the Council";
        assert_eq!(of("31996L9001", quoted, "1996-05-05"), Ok(Rules::NotTold));
        assert_eq!(of("31985D9001", "Council Decision of 5 May 1985", "1985-05-05"), Ok(Rules::NotTold));
    }
}
