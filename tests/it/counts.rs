//! Counts that are known stay known: articles and recitals of real acts, which are numbers and so facts.

use crate::corpus::corpus;
use legal_link::build::{Rubrics, load};
use legal_link::source::Folder;

/// CELEX number, articles, recitals.
const KNOWN: [(&str, usize, usize); 2] = [("32016R0679", 99, 173), ("32022R2554", 64, 106)];

#[test]
fn known_acts_have_as_many_articles_and_recitals_as_they_have() {
    let Some(folder) = corpus("known_acts_have_as_many_articles_and_recitals_as_they_have") else { return };
    let registry = Rubrics::shipped().registry().unwrap();
    let loaded = load(&Folder::open(folder).unwrap(), &registry).unwrap();
    for (celex, articles, recitals) in KNOWN {
        let act = loaded.facts.acts.iter().find(|a| a.celex.as_str() == celex).expect(celex);
        assert_eq!((act.articles().count(), act.recitals().count()), (articles, recitals), "{celex}");
    }
}
