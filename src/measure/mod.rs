//! Intervals, agreement, similarity: each with its source and reference values.
//!
//! Plain functions over counts and words; nothing here knows what was counted.

mod agreement;
mod gamma;
mod interval;
mod similarity;
mod table;

pub use agreement::{Ratings, cohen_kappa, fleiss_kappa, gwet_ac1};
pub use interval::{Interval, clopper_pearson, wilson};
pub use similarity::{edit_similarity, jaccard};
pub use table::{ChiSquare, McNemar, chi_square_uniform, fisher_exact, mcnemar};
