//! Whatever parses prints as it was; its slug, its address and its base lead to numbers again.
#![no_main]

use legal_link::law::{Celex, Eli, Endpoint, JournalReference, PublishedId};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(celex) = text.parse::<Celex>() {
        assert_eq!(celex.to_string(), text);
        assert_eq!(Celex::from_slug(&celex.slug()), Ok(celex.clone()));
        assert_eq!(Celex::from_uri(&format!("/celex/{}", celex.url_path())), Some(celex.clone()));
        assert!(celex.base().as_str().parse::<Celex>().is_ok());
    }
    if let Ok(id) = text.parse::<PublishedId>() {
        assert_eq!(id.to_string(), text);
    }
    if let Ok(end) = text.parse::<Endpoint>() {
        assert_eq!(end.to_string().parse::<Endpoint>().as_ref(), Ok(&end));
    }
    let _ = (Celex::suggest(text), Celex::from_uri(text), text.parse::<Eli>(), text.parse::<JournalReference>());
});
