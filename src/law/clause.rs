//! What an act says it does: to other acts ([`Clause`]) and to itself ([`Term`]).

use super::{Basis, Celex, Day, Part, Quote, RelationType};
use serde::{Deserialize, Serialize};

/// A moment as a provision writes it. Resolved to a [`Day`] by the graph, which knows the acting
/// act's publication, entry into force and application.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "when", rename_all = "snake_case")]
pub enum When {
    /// A day in figures.
    On {
        /// The day.
        day: Day,
    },
    /// Counted from the acting act's publication in the Official Journal.
    Publication(Offset),
    /// Counted from the acting act's entry into force.
    EntryIntoForce(Offset),
    /// Counted from the day from which the acting act applies.
    Application(Offset),
    /// Notification to the addressees: a day the document does not tell.
    Notification,
    /// An event outside the act, in its words.
    Event {
        /// The condition as written.
        words: String,
    },
    /// The provision names no moment.
    Unstated,
}

/// The days of an acting act that its clauses are counted from, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ActingDates {
    /// Its publication in the Official Journal.
    pub published: Option<Day>,
    /// Its entry into force.
    pub entry_into_force: Option<Day>,
    /// The day from which it applies, where it names one.
    pub applies_from: Option<Day>,
}

impl When {
    /// The first day of an effect that a clause dates thus, and on what that day rests.
    ///
    /// A clause that names no moment takes effect when its act applies, else when that enters into
    /// force (a document date starts nothing). An event or a notification gives no day.
    ///
    /// ```
    /// use legal_link::law::{ActingDates, Basis, When};
    /// let acting = ActingDates {
    ///     entry_into_force: "2013-01-09".parse().ok(),
    ///     applies_from: "2015-01-10".parse().ok(),
    ///     ..ActingDates::default()
    /// };
    /// assert_eq!(When::Unstated.resolve(&acting), (acting.applies_from, Some(Basis::Applies)));
    /// ```
    pub fn resolve(&self, acting: &ActingDates) -> (Option<Day>, Option<Basis>) {
        let clause = |day: Option<Day>| (day, day.map(|_| Basis::Clause));
        match self {
            Self::On { day } => clause(Some(*day)),
            Self::Publication(offset) => clause(acting.published.map(|d| offset.from(d))),
            Self::EntryIntoForce(offset) => clause(acting.entry_into_force.map(|d| offset.from(d))),
            Self::Application(offset) => {
                clause(acting.applies_from.or(acting.entry_into_force).map(|d| offset.from(d)))
            }
            Self::Notification | Self::Event { .. } => (None, None),
            Self::Unstated => match (acting.applies_from, acting.entry_into_force) {
                (Some(day), _) => (Some(day), Some(Basis::Applies)),
                (None, Some(day)) => (Some(day), Some(Basis::EntryIntoForce)),
                (None, None) => (None, None),
            },
        }
    }
}

/// A distance from another day. Days, months and years are added in that order of size, largest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Offset {
    /// Months (a year is twelve): the same day number.
    #[serde(default)]
    pub months: u32,
    /// Days: plain addition.
    #[serde(default)]
    pub days: u32,
    /// Then forward to the first day of the month reached ("first day of the third month following").
    #[serde(default)]
    pub first_of_month: bool,
}

impl Offset {
    /// The day at this distance from `day`.
    ///
    /// ```
    /// use legal_link::law::{Day, Offset};
    /// let published: Day = "2011-11-14".parse().unwrap();
    /// let third_month = Offset { months: 3, days: 0, first_of_month: true };
    /// assert_eq!(third_month.from(published).to_string(), "2012-02-01");
    /// ```
    pub fn from(self, day: Day) -> Day {
        let day = if self.first_of_month {
            Day::from_ymd(day.year(), day.month(), 1).unwrap_or(day).plus_months(self.months)
        } else {
            day.plus_months(self.months)
        };
        day.plus_days(self.days)
    }
}

/// How much of the target an act touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Extent {
    /// The whole act.
    Whole,
    /// The parts named, or all but the parts saved.
    Partial,
    /// Parts are meant and not named, or nothing says how much.
    Unknown,
}

/// Something that outlives the end of the rest.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Saving {
    /// The part saved; none where persons, goods or cases are saved and no part is named.
    pub part: Option<Part>,
    /// The last day on which it lives, where the provision gives one.
    pub until: Option<Day>,
    /// For whom or what, in the provision's words; empty if it says nothing more.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// Where in an act a clause stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In the title.
    Title,
    /// In the operative part, with the address of the unit if it has one.
    Operative(Option<Part>),
}

/// What an act does to one other act, in which words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clause {
    /// The relation, by its name in the registry whose pattern read it.
    pub relation: RelationType,
    /// The act acted upon.
    pub target: Celex,
    /// How much of it.
    pub extent: Extent,
    /// The parts touched, in order of mention, ranges written out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// What is saved, in order of mention.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub saved: Vec<Saving>,
    /// From when.
    pub start: When,
    /// The new last day inside, of a prolongation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
    /// The words of a widening (to whom, what, where), normalised white space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The wording replaced, of a correction: `for`, `read`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<Edit>,
    /// The days that it puts in the place of others in the parts touched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub days: Vec<NewDay>,
    /// Of a title: the act does this to its targets and has no subject of its own ("Regulation 9001/2018
    /// amending Regulation 9002/2017", not "… on lamps and amending …"). It lives and dies with them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// Where it stands.
    pub place: Place,
    /// The provision's words and bytes.
    pub quote: Quote,
    /// Sentences of other articles that say more of it (what is saved).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Quote>,
}

/// A day that a change puts into the changed act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NewDay {
    /// The day replaced; none where a provision is replaced as a whole, and fixes this day anew.
    pub old: Option<Day>,
    /// The day now read.
    pub new: Day,
}

/// A replaced passage: a corrigendum's "for … read …". [`super::corrected`] works it into the act.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Edit {
    /// The page of the journal's edition that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Where, as printed: `On page 14, Article 7(2)`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The words that were wrong; empty for an addition.
    pub old: String,
    /// The words to be read.
    pub new: String,
}

/// What a [`Term`] fixes about the act itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    /// Its entry into force.
    EntryIntoForce,
    /// The day from which it, or a part of it, applies.
    Application,
    /// Its last day inside.
    Expiry,
    /// The day by which Member States transpose it.
    Transposition,
    /// It takes effect by notification to its addressees.
    Notification,
}

/// What an act says about its own life.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Term {
    /// What is fixed.
    pub kind: TermKind,
    /// The parts it concerns; empty: the act as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// The moment. For [`TermKind::Expiry`], the last day inside.
    pub at: When,
    /// Where it stands.
    pub place: Place,
    /// The provision's words and bytes.
    pub quote: Quote,
}
