//! Whether CELLAR answers at all.

use super::run::waited_for;
use super::{Crawl, CrawlError};
use crate::law::{Celex, Ontology, RelationType};
use crate::source::Got;

/// What came of asking each of CELLAR's two interfaces for something that is known to be there: what it said, or why it
/// did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answering {
    /// SPARQL.
    pub sparql: Result<String, String>,
    /// Documents.
    pub rest: Result<String, String>,
}

impl Crawl<'_> {
    /// Asks for one statement that the register is known to hold, and for the names of its acting act. Answers that are
    /// held are not asked for: give it a cache of its own.
    ///
    /// # Errors
    /// [`CrawlError`]: that it does not answer is none.
    pub fn answering(&self) -> Result<Answering, CrawlError> {
        waited_for(self.knock())
    }

    async fn knock(&self) -> Result<Answering, CrawlError> {
        let ground = self.ground()?;
        let ontology = Ontology::parse("cdm.toml", self.rubrics.file("cdm.toml")?)?;
        let known = |relation: &RelationType| -> Option<(RelationType, Celex)> {
            let predicates = &ground.registry.spec(relation)?.predicates;
            let (source, _) = predicates.iter().find_map(|predicate| ontology.known(predicate))?;
            Some((relation.clone(), source.clone()))
        };
        let Some((relation, act)) = ground.relations.iter().find_map(known) else {
            let why = "cdm.toml names no statement that is known to be there".to_string();
            return Ok(Answering { sparql: Err(why.clone()), rest: Err(why) });
        };
        let sparql = match ground.sparql.probe(&relation).await {
            Ok(_) => Ok(format!("{} answers: what is known of {relation} is there", self.manifest.crawl.sparql)),
            Err(error) => Err(error.to_string()),
        };
        let rest = match ground.rest.identifiers(&format!("/resource/celex/{}", act.url_path())).await {
            Got::Held | Got::Stored(_) => Ok(format!("{} answers: it knows {act}", self.manifest.crawl.rest)),
            Got::Absent(absent) => Err(format!("{act} should be there, and the answer is: {absent}")),
            Got::Failed(failure) => Err(failure.to_string()),
            Got::Stopped(why) => Err(why),
        };
        Ok(Answering { sparql, rest })
    }
}
