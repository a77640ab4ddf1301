//! The grounds of an answer, as the law names them, and the words they are put in.

use super::docket::At;
use super::edges::Footing;
use super::moment::Moment;
use super::status::Reason;
use super::weigh::{End, Reach, Source};
use crate::law::{Celex, Day, Part, Quote};

/// A fact that an answer rests on, before it is put in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// The day is after the newest fetch.
    After(Day),
    /// Not published by the day whose knowledge counts.
    Unpublished(Option<Day>),
    /// Declared void.
    Void,
    /// Declared void by this touch.
    VoidedBy(At),
    /// How it begins.
    Begins,
    /// When it began, the day itself not being known.
    Began(Moment),
    /// A day of its own, of the part asked about.
    Stage(usize),
    /// The day from which it applies.
    Applies,
    /// An end, come or to come.
    Ended(End),
    /// A touch of a part, or one that saves the part asked about.
    Touched(At),
    /// A touch that never came about, or fell.
    Never(At),
    /// A pause, and from when.
    Paused(At, Moment),
    /// A flag that says no longer in force.
    OverByFlag(Day),
    /// A flag that says in force.
    InForceByFlag(Day),
    /// Nothing tells of the act after that day.
    Unseen(Day),
    /// The text has no such part.
    Lacks,
    /// Nothing ends it.
    Standing,
}

/// Where the words of an act's grounds are kept.
pub(super) trait Ledger {
    /// What can go wrong in looking them up.
    type Error;
    /// The act.
    fn celex(&self) -> &Celex;
    /// The acting act of a touch.
    fn acting(&self, at: At) -> Result<Celex, Self::Error>;
    /// Whether a touch is an end that no text states.
    fn implicit(&self, at: At) -> bool;
    /// On what the extent of a touch stands.
    fn footing(&self, at: At) -> Footing;
    /// Why it begins when it does.
    fn begins(&self) -> Result<Reason, Self::Error>;
    /// Why it applies when it does.
    fn applies(&self) -> Result<Option<Reason>, Self::Error>;
    /// Why a part has a day of its own.
    fn stage(&self, i: usize) -> Result<Reason, Self::Error>;
    /// Why it ends by its own terms.
    fn own_end(&self, i: usize) -> Result<Reason, Self::Error>;
    /// The words that a touch is read from.
    fn quote(&self, at: At) -> Result<Option<Quote>, Self::Error>;
    /// What a touch states.
    fn told(&self, at: At) -> Result<Reason, Self::Error>;
    /// Why a touch never came about, or fell.
    fn never(&self, at: At) -> Result<Option<Reason>, Self::Error>;
}

/// A ground in words; none where nothing is written of it.
pub(super) fn reason<L: Ledger>(ledger: &L, part: Option<&Part>, ground: Ground) -> Result<Option<Reason>, L::Error> {
    let celex = ledger.celex();
    let about = |says: String| Reason::about(celex, says);
    Ok(Some(match ground {
        Ground::After(newest) => about(format!("nothing here is newer than {}", newest.long())),
        Ground::Unpublished(known_on) => {
            let by = known_on.map_or(String::new(), |d| format!(" by {}", d.long()));
            about(format!("{celex} had not been published{by}"))
        }
        Ground::Void => about(format!("{celex} was declared void: as if never made")),
        Ground::VoidedBy(at) => {
            let by = ledger.acting(at)?;
            let because = Reason::about(&by, format!("{by} declares {celex} void: as if never made")).and(celex);
            Reason { quote: ledger.quote(at)?, ..because }
        }
        Ground::Begins => ledger.begins()?,
        Ground::Began(moment) => about(format!("{celex} began {}", moment.words())),
        Ground::Stage(i) => ledger.stage(i)?,
        Ground::Applies => return ledger.applies(),
        Ground::Ended(end) => ended(ledger, end)?,
        Ground::Touched(at) => ledger.told(at)?,
        Ground::Never(at) => return ledger.never(at),
        Ground::Paused(at, from) => {
            let by = ledger.acting(at)?;
            let because = Reason::about(&by, format!("{by} pauses {celex} {}", from.words())).and(celex);
            Reason { quote: ledger.quote(at)?, ..because }
        }
        Ground::OverByFlag(day) => {
            about(format!("the register says that on {} {celex} was no longer in force", day.long()))
        }
        Ground::InForceByFlag(day) => {
            let on = day.long();
            about(format!("the register's flag says that {celex}, or what is left of it, was in force on {on}"))
        }
        Ground::Unseen(seen) => about(format!("nothing here tells of {celex} after {}", seen.long())),
        Ground::Lacks => {
            let part = part.map_or_else(String::new, Part::long);
            about(format!("the text of {celex} that is here has no {part}"))
        }
        Ground::Standing => about("nothing here ends it by that day; case law was not asked".to_string()),
    }))
}

/// An end in words.
pub(super) fn ended<L: Ledger>(ledger: &L, end: End) -> Result<Reason, L::Error> {
    let celex = ledger.celex();
    let recorded = |last: Day| format!("the register records {} as the last day of {celex}", last.long());
    let mut because = match end.source {
        Source::Own(i) => ledger.own_end(i)?,
        Source::Stage(i) => ledger.stage(i)?,
        Source::Register(last) => Reason::about(celex, recorded(last)),
        Source::Touch(at, reach, _) => {
            let mut because = ledger.told(at)?;
            if reach == Reach::Unknown && ledger.implicit(at) {
                because.add(" (an implicit repeal, which no text states)");
            }
            if let Some(day) = end.flag {
                let but = match ledger.footing(at) {
                    Footing::Bare => ", by a register row that names no extent; but",
                    _ => ";",
                };
                because.add(&format!("{but} the register's flag says in force on {}", day.long()));
            }
            because
        }
    };
    if let Some(last) = end.recorded {
        let but = if end.from.known() == Some(last.succ()) { "" } else { "but " };
        because.add(&format!("; {but}{}", recorded(last)));
    }
    Ok(because.and(celex))
}
