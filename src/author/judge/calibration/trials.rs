//! All that a judge is shown when it is calibrated.

use super::{Defect, Planter};
use crate::dataset::{Draft, ItemId, Proof, option_order};
use crate::law::Digest;
use crate::verify::Proofs;
use std::collections::BTreeMap;

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The good item itself.
    Good,
    /// The good item with a defect.
    Planted(Defect),
    /// The good item with its key at another place.
    Rotated,
    /// The good item with this wrong option made longer.
    Lengthened(u8),
}

/// One item shown to a judge in one form.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Which of the good items.
    pub item: usize,
    /// In which form.
    pub kind: Kind,
    /// The item in that form.
    pub draft: Draft,
    /// What code says of its options.
    pub proofs: Vec<Proof>,
    /// The order in which the judge sees them.
    pub order: [u8; 4],
}

/// The trials of some good items.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trials {
    /// The names of the good items.
    pub items: Vec<ItemId>,
    /// Item by item, the good one first.
    pub list: Vec<Trial>,
    /// Defects that could not be planted: how often, by defect and reason.
    pub not_planted: BTreeMap<String, BTreeMap<String, usize>>,
}

/// What a judge is shown of these good items: each as it is and with every defect that can be planted in it; with
/// `bias`, also with its key at each other place and with a wrong option made longer.
pub fn trials(good: &[Draft], planter: &Planter<'_>, bias: bool) -> Trials {
    let mut trials = Trials::default();
    for draft in good {
        let (item, id) = (trials.items.len(), draft.item_id());
        let seeded = Digest::of_fields([&planter.seed.to_be_bytes(), b"key".as_slice(), id.as_str().as_bytes()]);
        let place = usize::from(seeded.as_bytes()[0]) % 4;
        let order = |place: usize| option_order(id.as_str(), planter.seed, place % 4);
        let proofs = |draft: &Draft| Proofs::of(draft, planter.graph).options.iter().map(|p| p.proof).collect();
        let mut show = |kind: Kind, draft: Draft, place: usize| {
            let proofs = proofs(&draft);
            trials.list.push(Trial { item, kind, draft, proofs, order: order(place) });
        };
        show(Kind::Good, draft.clone(), place);
        for defect in Defect::ALL {
            match planter.plant(defect, draft) {
                Ok(bad) => show(Kind::Planted(defect), bad, place),
                Err(why) => {
                    let reasons = trials.not_planted.entry(defect.name().to_string()).or_default();
                    *reasons.entry(why).or_default() += 1;
                }
            }
        }
        if bias {
            (1..4).for_each(|turn| show(Kind::Rotated, draft.clone(), place + turn));
            let (long, at) = planter.lengthened(draft);
            show(Kind::Lengthened(at), long, place);
        }
        trials.items.push(id);
    }
    trials
}
