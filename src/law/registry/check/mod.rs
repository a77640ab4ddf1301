//! What makes a registry file unusable: each rule with the line, why, and what to write.

mod form;
mod relation;

use super::error::{Places, RegistryError};
use super::{Examined, Form, Measure, RegistryFile};
use std::collections::BTreeSet;

/// Takes the relations and forms of one file into the registry, and notes what is wrong with them.
pub(super) fn file(examined: &mut Examined, places: &Places<'_>, read: RegistryFile, measure: &Measure<'_>) {
    let mut check = Check { places, measure: *measure, examined };
    let mut own = BTreeSet::new();
    for (i, spec) in read.relation.into_iter().enumerate() {
        if !own.insert(spec.name.clone()) {
            let message = format!("`{}` is defined twice in this file", spec.name);
            check.fault(places.error(&["relation".into(), i.into(), "name".into()], message));
        }
        check.examined.registry.relations.retain(|r| r.name != spec.name);
        check.relation(i, &spec);
        check.examined.registry.relations.push(spec);
    }
    let mut own = BTreeSet::new();
    for (i, form) in read.form.into_iter().enumerate() {
        if !own.insert((form.relation.clone(), form.name.clone())) {
            let error = places.error(&["form".into(), i.into(), "name".into()], twice(&form));
            check.fault(error.because("", "another name, or leave one of the two out"));
        }
        check.form(i, &form);
        check.examined.registry.forms.retain(|f| !(f.relation == form.relation && f.name == form.name));
        check.examined.registry.forms.push(form);
    }
}

fn twice(form: &Form) -> String {
    format!("the form `{}` of `{}` is defined twice in this file", form.name, form.relation)
}

struct Check<'a, 't> {
    places: &'a Places<'t>,
    measure: Measure<'a>,
    examined: &'a mut Examined,
}

impl Check<'_, '_> {
    fn fault(&mut self, error: RegistryError) {
        self.examined.errors.push(error);
    }
}
