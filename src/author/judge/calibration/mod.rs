//! What a judge is worth: defects planted in good items, and what it says of them.
//!
//! [`Planter`] makes an item defective in one known way and checks by code that it is; [`trials`] lists all that a judge
//! is shown; [`reckon`] turns what the judges said into figures. All of it is pure: the same items, words and seed give
//! the same trials, and the same judgements the same figures.

mod defect;
mod plant;
mod reckon;
mod trials;
mod words;

pub use defect::Defect;
pub use plant::Planter;
pub use reckon::{Standard, reckon};
pub use trials::{Kind, Trial, Trials, trials};
pub use words::{DefectWords, DefectWordsError};
