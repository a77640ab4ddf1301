//! The life of an act by its own words: when it was made and published, when it begins, when it
//! applies, when it ends by itself. What other acts do to it is [`super::endings`]' matter.

use super::beginnings::{self, Rules};
use super::facts::GivenAct;
use super::moment::Moment;
use super::status::Reason;
use crate::law::{Act, ActRecord, ActingDates, Celex, Day, EffectDate, Part, Place, Term, TermKind, When};
use serde::Serialize;

/// A moment that some parts of an act have for themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// What is fixed: entry into force, application, or the end.
    pub kind: TermKind,
    /// The parts.
    pub parts: Vec<Part>,
    /// The first day (of force, of application); for an end, the first day without.
    pub at: Moment,
    /// On what it rests.
    pub because: Reason,
}

/// The life of an act by its own words, filled up from its register record and the Treaties' rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Life {
    /// The act.
    pub celex: Celex,
    /// Adoption or signature: orders acts, starts nothing.
    pub made: Option<Day>,
    /// The Official Journal.
    pub published: Option<Day>,
    /// First day in force.
    pub in_force: Moment,
    /// First day on which the act as a whole applies.
    pub applies: Moment,
    /// Whether the day of application is named, and not just that of entry into force.
    pub application_named: bool,
    /// The unit that names the entry into force.
    pub begins_in: Option<Part>,
    /// The unit that names the day of application.
    pub applies_in: Option<Part>,
    /// Parts with days of their own.
    pub staged: Vec<Stage>,
    /// Last day inside, as printed.
    pub last_day: Option<Day>,
    /// The unit that prints the last day.
    pub last_day_in: Option<Part>,
    /// The day by which it is transposed.
    pub transposed: Option<Day>,
    /// It takes effect by notification to its addressees.
    pub notified: bool,
    /// Why it begins when it does.
    pub begins_because: Reason,
    /// Why it applies when it does, where that is another day.
    pub applies_because: Option<Reason>,
    /// Why it ends by itself, if it does.
    pub last_day_because: Option<Reason>,
}

impl Life {
    /// The life of an act of which nothing is known.
    pub(super) fn blank(celex: Celex) -> Self {
        let because = Reason::about(&celex, format!("nothing here tells when {celex} began"));
        Self {
            celex,
            made: None,
            published: None,
            in_force: Moment::UNKNOWN,
            applies: Moment::UNKNOWN,
            application_named: false,
            begins_in: None,
            applies_in: None,
            staged: Vec::new(),
            last_day: None,
            last_day_in: None,
            transposed: None,
            notified: false,
            begins_because: because,
            applies_because: None,
            last_day_because: None,
        }
    }

    /// The life as given by hand.
    pub(super) fn given(act: &GivenAct) -> Self {
        let celex = &act.celex;
        let mut life = Self::blank(celex.clone());
        life.made = act.made;
        if let Some(day) = act.in_force_from {
            life.in_force = Moment::on(day);
            life.begins_because = Reason::about(celex, format!("{celex} entered into force on {}", day.long()));
        }
        life.applies = life.in_force;
        if let Some(day) = act.applies_from {
            life.applies = Moment::on(day);
            life.application_named = true;
            life.applies_because = Some(Reason::about(celex, format!("{celex} applies from {}", day.long())));
        }
        life.last_day = act.last_day;
        life.last_day_because =
            act.last_day.map(|d| Reason::about(celex, format!("{celex} ends by its own terms: last day {}", d.long())));
        life
    }

    /// The life read from the text, the record, or both.
    pub(super) fn read(celex: &Celex, act: Option<&Act>, record: Option<&ActRecord>) -> Self {
        let mut life = Self::blank(celex.clone());
        life.made = act.and_then(|a| a.date_document).or_else(|| record.and_then(|r| r.date_document));
        life.published = act.and_then(|a| a.published).or_else(|| record.and_then(|r| r.published));
        life.in_force = Moment::not_before(life.published.or(life.made));
        let terms: &[Term] = act.map_or(&[], |a| &a.terms);
        life.read_transposition(terms);
        life.read_beginning(terms, act, record);
        life.read_application(terms, record);
        life.read_stages(terms);
        life.read_end(terms);
        life
    }

    /// The days that a clause in this unit counts from: the unit's own application before the act's.
    pub(super) fn acting_dates(&self, act: Option<&Act>, place: Option<&Part>) -> ActingDates {
        let holds = |outer: &Part, inner: &Part| act.map_or(outer.contains(inner), |a| a.holds(outer, inner));
        let own = |kind| {
            let place = place?;
            let stage = self.staged.iter().find(|s| s.kind == kind && s.parts.iter().any(|p| holds(p, place)))?;
            stage.at.known()
        };
        ActingDates {
            published: self.published,
            entry_into_force: own(TermKind::EntryIntoForce).or(self.in_force.known()),
            applies_from: own(TermKind::Application)
                .or_else(|| self.applies.known().filter(|_| self.application_named)),
        }
    }

    fn dates(&self) -> ActingDates {
        self.acting_dates(None, None)
    }

    fn read_transposition(&mut self, terms: &[Term]) {
        self.transposed = terms
            .iter()
            .filter(|t| t.kind == TermKind::Transposition && t.parts.is_empty())
            .filter_map(|t| t.at.resolve(&self.dates()).0)
            .min();
    }

    fn read_beginning(&mut self, terms: &[Term], act: Option<&Act>, record: Option<&ActRecord>) {
        let celex = self.celex.clone();
        let whole = |kind| terms.iter().filter(move |t| t.kind == kind && t.parts.is_empty());
        self.notified = whole(TermKind::Notification).next().is_some();
        for term in whole(TermKind::EntryIntoForce) {
            if let (Some(day), _) = term.at.resolve(&self.dates()) {
                self.in_force = Moment::on(day);
                self.begins_in = unit(&term.place).cloned();
                let says = format!("{celex} entered into force on {} by {}", day.long(), place_words(&term.place));
                self.begins_because = Reason::about(&celex, says).quoting(&term.quote);
                return;
            }
        }
        let unresolved = whole(TermKind::EntryIntoForce).next();
        if let Some(term) = unresolved.or_else(|| whole(TermKind::Notification).next()) {
            self.notified |= term.at == When::Notification;
            let says = format!("{celex} says when it takes effect, but the day itself is not here");
            self.begins_because = Reason::about(&celex, says).quoting(&term.quote);
        }
        let recorded = |kind| record.into_iter().flat_map(|r| &r.effects).filter(move |(k, _)| *k == kind);
        if let Some((_, day)) = recorded(EffectDate::EntryIntoForce).min_by_key(|(_, d)| *d) {
            self.in_force = Moment::on(*day);
            let says = format!("the register records {} as the entry into force of {celex}", day.long());
            self.begins_because = Reason::about(&celex, says);
            return;
        }
        let title = act.map(|a| a.title.text.as_str()).or_else(|| record.and_then(|r| r.title.as_deref()));
        // An address to the Member States is no day: where the Treaties have a rule, that decides.
        let silent = unresolved.is_none() && act.is_some();
        if silent
            && let Rules::AfterPublication(offset) = beginnings::rule(&celex, title.unwrap_or(""), self.made)
            && let Some(published) = self.published
        {
            let day = offset.from(published);
            self.in_force = Moment::on(day);
            self.notified = false;
            let says = format!(
                "{celex} names no day; by the Treaties it entered into force on the twentieth day after its publication of {}: {}",
                published.long(),
                day.long()
            );
            self.begins_because = Reason::about(&celex, says);
            return;
        }
        if let Some((_, day)) = recorded(EffectDate::Unsaid).max_by_key(|(_, d)| *d) {
            self.in_force = self.in_force.at_latest(*day);
            let says = format!(
                "the register records {} as a date of effect of {celex}, without saying whether of force or of application",
                day.long()
            );
            self.begins_because = Reason::about(&celex, says);
        }
    }

    fn read_application(&mut self, terms: &[Term], record: Option<&ActRecord>) {
        let celex = self.celex.clone();
        self.applies = self.in_force;
        let stated: Vec<&Term> =
            terms.iter().filter(|t| t.kind == TermKind::Application && t.parts.is_empty()).collect();
        for term in &stated {
            if let (Some(day), _) = term.at.resolve(&self.dates()) {
                self.applies = Moment::on(day);
                self.application_named = true;
                self.applies_in = unit(&term.place).cloned();
                let says = format!("{celex} applies from {} by {}", day.long(), place_words(&term.place));
                self.applies_because = Some(Reason::about(&celex, says).quoting(&term.quote));
                return;
            }
        }
        if let Some(term) = stated.first() {
            self.applies = Moment::not_before(self.in_force.earliest);
            self.application_named = true;
            let says = format!("{celex} makes its application hang on a moment whose day is not here");
            self.applies_because = Some(Reason::about(&celex, says).quoting(&term.quote));
            return;
        }
        let recorded = record.into_iter().flat_map(|r| &r.effects);
        let day = recorded.filter(|(k, _)| *k == EffectDate::Application).map(|(_, d)| *d).max();
        if let Some(day) = day.filter(|_| terms.is_empty()) {
            self.applies = Moment::on(day);
            self.application_named = true;
            let says = format!("the register records {} as the day from which {celex} applies", day.long());
            self.applies_because = Some(Reason::about(&celex, says));
        }
    }

    fn read_stages(&mut self, terms: &[Term]) {
        for term in terms.iter().filter(|t| !t.parts.is_empty() && t.kind != TermKind::Transposition) {
            let day = term.at.resolve(&self.dates()).0;
            let day = if term.kind == TermKind::Expiry { day.map(Day::succ) } else { day };
            let at = day.map_or(Moment::not_before(self.in_force.earliest), Moment::on);
            let parts: Vec<String> = term.parts.iter().map(Part::long).collect();
            let what = match term.kind {
                TermKind::Expiry => "end",
                TermKind::Application => "apply",
                _ => "take effect",
            };
            let says = format!("{} of {} {what} {}", parts.join(", "), self.celex, at.words());
            let because = Reason::about(&self.celex, says).quoting(&term.quote);
            self.staged.push(Stage { kind: term.kind, parts: term.parts.clone(), at, because });
        }
    }

    fn read_end(&mut self, terms: &[Term]) {
        let whole = terms.iter().filter(|t| t.kind == TermKind::Expiry && t.parts.is_empty());
        let ends = whole.filter_map(|t| t.at.resolve(&self.dates()).0.map(|day| (day, t)));
        let Some((day, term)) = ends.max_by_key(|(day, _)| *day) else { return };
        self.last_day = Some(day);
        self.last_day_in = unit(&term.place).cloned();
        let says = format!("{} prints {} as its last day, in {}", self.celex, day.long(), place_words(&term.place));
        self.last_day_because = Some(Reason::about(&self.celex, says).quoting(&term.quote));
    }
}

/// The unit that a place names.
pub(super) fn unit(place: &Place) -> Option<&Part> {
    match place {
        Place::Operative(part) => part.as_ref(),
        Place::Title => None,
    }
}

/// A place in words: `its Article 94`, `its title`.
pub(super) fn place_words(place: &Place) -> String {
    match place {
        Place::Title => "its title".to_string(),
        Place::Operative(Some(part)) => format!("its {}", part.long()),
        Place::Operative(None) => "its operative part".to_string(),
    }
}
