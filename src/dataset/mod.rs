//! The product: items and their claims, rows, splits, answer positions, the shape of the lock.

mod calibration;
mod claim;
mod item;
mod lock;
mod option;
mod positions;
mod provenance;
mod published;
mod row;
mod set;
mod spend;
mod split;

pub use calibration::{
    Calibration, DefectRecord, JudgeAgreement, JudgeRecord, KeyPlace, LengthBias, Missed, PositionBias, Rate,
    SecondVote,
};
pub use claim::{Claim, ClaimForm, Proof, StatusWord};
pub use item::{Authorship, Choice, Draft, Item, ItemId, Judgement, Pair, Passage, Refusal, Side};
pub use lock::{Lock, LockError, LockedDocument, LockedFile, LockedModel, LockedStage};
pub use option::{BlankOption, accuracy, also_right, check_blank, index_base, sameness};
pub use positions::{Balance, Kept, ShuffleFault, check_shuffle, option_order, place};
pub use provenance::Provenance;
pub use published::{published_id, read_published_id};
pub use row::{LETTERS, Row, published_passages};
pub use set::{Dataset, Document, Shortfall, Tally};
pub use spend::{Spend, Spending};
pub use split::{Role, count_roles, fact_asked, fact_key, unaccounted};
