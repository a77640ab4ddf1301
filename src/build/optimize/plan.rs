//! What an optimization would do, said before anything is paid.

use super::bench::{COMPONENTS, ROLES, settings};
use super::error::OptimizeError;
use crate::author::optimize::{Forecast, Sizes, forecast};
use crate::author::{Rubric, addendum};
use crate::build::plan::{PlannedCost, VOTES, WITH_REPAIRS, calibration, stage};
use crate::build::wish::quotas;
use crate::build::{BuildError, Manifest, Rubrics};
use crate::dataset::Role;
use serde::Serialize;

/// What an optimization would do.
#[derive(Debug, Clone, Serialize)]
pub struct OptimizePlan {
    /// Pairs reflected on, compared by, and kept for the end.
    pub pairs: [usize; 3],
    /// The components, by name.
    pub components: Vec<String>,
    /// Evaluations that are allowed.
    pub evaluations: u64,
    /// Proposals that they buy.
    pub proposals: Forecast,
    /// What it may cost.
    pub cost: PlannedCost,
    /// Whether nothing is fetched yet, and as many pairs are reckoned with as [roles] wants.
    pub unfetched: bool,
}

impl OptimizePlan {
    /// What an optimization would do whose documents are not fetched yet: as if every role were filled.
    ///
    /// # Errors
    /// [`OptimizeError`]: a rubric or a quota that is wrong, or no pairs are set aside.
    pub fn before_fetching(manifest: &Manifest, rubrics: &Rubrics) -> Result<Self, OptimizeError> {
        let quotas = quotas(manifest, &rubrics.registry()?).map_err(BuildError::from)?;
        let names = COMPONENTS.iter().map(|name| (*name).to_string()).chain(quotas.keys().map(addendum));
        let of = |role| manifest.roles.get(&role).copied().unwrap_or(0);
        if let Some(role) = [Role::Reflect, Role::Select].into_iter().find(|role| of(*role) == 0) {
            return Err(OptimizeError::NoPairs { role, wanted: 0 });
        }
        Self::of(manifest, rubrics, ROLES.map(of), names.collect(), true)
    }

    pub(super) fn of(
        manifest: &Manifest,
        rubrics: &Rubrics,
        pairs: [usize; 3],
        components: Vec<String>,
        unfetched: bool,
    ) -> Result<Self, OptimizeError> {
        let writer = manifest.writer().ok_or(OptimizeError::NoAuthor)?;
        let rubric = Rubric::parse(rubrics.file("judge.toml")?).map_err(BuildError::from)?;
        let settings = settings(manifest, &rubric);
        let rounds = settings.parts.rounds.max(1) as u64;
        let proposals = forecast(&settings, Sizes { reflect: pairs[0], select: pairs[1] });
        let prices = rubrics.prices()?;
        let items = settings.evaluations + 2 * pairs[2] as u64;
        let reflection = manifest.optimize.reflection.as_ref().unwrap_or(writer);
        let mut stages = vec![
            stage("write", writer, [items, items * WITH_REPAIRS], &prices)?,
            stage("reflect", reflection, [proposals.least, proposals.most * rounds * WITH_REPAIRS], &prices)?,
        ];
        if let Some(judge) = &manifest.judge {
            stages.push(calibration(manifest, judge, &prices)?);
            // What a gate refuses is not judged.
            stages.push(stage("judge", judge, [0, items * VOTES * WITH_REPAIRS], &prices)?);
        }
        stages.retain(|stage| stage.calls[1] > 0);
        let cost = PlannedCost::of(stages, unfetched, manifest);
        Ok(Self { pairs, components, evaluations: settings.evaluations, proposals, cost, unfetched })
    }
}
