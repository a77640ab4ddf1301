use super::*;

/// A relation of this name with these further lines.
fn relation(name: &str, lines: &str) -> String {
    format!("[[relation]]\nname = \"{name}\"\nlabel = \"{name}\"\n{lines}\n")
}

/// A form with all that a form needs, for a relation that narrows.
const FORM: &str = r#"
[[form]]
relation = "hinders"
name = "first"
day = "start"
stem = "On {day} a trader reads {source} and {target}. Which statement is right?"
key = { text = "{target} applies.", claims = [{ form = "status", act = "{target}", is = "applicable" }] }
distractors = [
    { text = "a", claims = [{ form = "status", act = "{target}", is = "in_force" }] },
    { text = "b", claims = [{ form = "status", act = "{target}", is = "in_force" }] },
    { text = "c", claims = [{ form = "status", act = "{target}", is = "in_force" }] },
]
"#;

fn ontology() -> Ontology {
    let text = "[inverse]\nact_hinders_act = \"act_hindered_by_act\"\nact_slows_act = \"act_slowed_by_act\"\nact_warns_act = \"\"\n";
    Ontology::parse("cdm.toml", text).expect("an ontology")
}

fn examine(texts: &[(&str, &str)]) -> Examined {
    let ontology = ontology();
    let claims = |fields: &BTreeMap<String, String>| {
        fields.get("form").is_none_or(|form| form != "status").then(|| "unknown form".to_string())
    };
    Registry::examine(texts.iter().copied(), &Measure { ontology: Some(&ontology), claims: Some(&claims) })
}

/// The one thing that is wrong with this text, as people see it.
fn told(text: &str) -> String {
    let examined = examine(&[("a.toml", text)]);
    let strange = examined.strangers.into_iter().map(|(_, error)| error);
    let all: Vec<String> = examined.errors.into_iter().chain(strange).map(|e| e.to_string()).collect();
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().unwrap_or_default()
}

/// What is wrong shows its line, a caret under these words, and says all of this.
fn shows(text: &str, line: usize, under: &str, says: &[&str]) {
    let told = told(text);
    assert!(told.starts_with(&format!("a.toml:{line}: ")), "{told}");
    let lines: Vec<&str> = told.lines().collect();
    let caret = lines.iter().position(|l| l.trim_start_matches([' ', '|']).starts_with('^')).expect("a caret");
    let from = lines[caret].chars().position(|c| c == '^').unwrap_or_default();
    let length = lines[caret].chars().filter(|c| *c == '^').count();
    let meant: String = lines[caret - 1].chars().skip(from).take(length).collect();
    assert_eq!(meant, under, "{told}");
    for words in says {
        assert!(told.contains(words), "no `{words}` in:\n{told}");
    }
}

#[test]
fn a_relation_is_defined_once_in_a_file_and_may_be_again_in_a_later_one() {
    let text = |label: &str| format!("[[relation]]\nname = \"hinders\"\nlabel = \"{label}\"\neffect = \"pauses\"\n");
    let (once, again) = (text("hinders"), text("slows"));
    let registry = Registry::parse([("a.toml", once.as_str()), ("b.toml", again.as_str())]).expect("a registry");
    assert_eq!(registry.relations()[0].label, "slows");
    let error = Registry::parse([("a.toml", format!("{once}{again}").as_str())]).expect_err("twice");
    assert!(
        error.to_string().starts_with("a.toml:6: `hinders` is defined twice in this file\n   6 | name = "),
        "{error}"
    );
}

#[test]
fn a_context_relation_may_be_asked_about_by_a_later_file() {
    let context = relation("hinders", "effect = \"pauses\"\ncontext = true");
    let asked = relation("hinders", "effect = \"pauses\"");
    let registry = Registry::parse([("a.toml", context.as_str()), ("b.toml", asked.as_str())]).expect("a registry");
    assert_eq!(registry.asked().count(), 1);
}

#[test]
fn an_error_shows_file_line_words_reason_and_what_to_write() {
    let text = relation("hinders", "effect = \"pauses\"\nfrom_beginning = true");
    let shown = "a.toml:5: `from_beginning` contradicts the effect `pauses`\n   5 | from_beginning = true\n     |                  ^^^^\n  why: such an effect has a first day of its own; only what rewrites (a correction) counts from the beginning\nwrite: leave it out, or effect = \"rewrites\"";
    assert_eq!(told(&text), shown);
}

#[test]
fn text_that_is_no_registry_shows_where_it_goes_wrong() {
    shows("[[relation]]\nname = \"x\nlabel = 3\n", 2, "", &[]);
    shows(
        "[[relation]]\nname = \"x\"\nlabel = \"x\"\neffect = \"stops\"\n",
        4,
        "\"stops\"",
        &["unknown variant `stops`"],
    );
    shows(
        "[[relation]]\nname = \"x\"\nlabel = \"x\"\neffects = \"ends\"\n",
        4,
        "effects",
        &["unknown field `effects`"],
    );
    shows(&relation("x y", "effect = \"ends\""), 2, "\"x y\"", &["is no relation name", "lower-case letters"]);
    let dimension = relation("x", "effect = \"widens\"\ndimension = \"goods\"");
    shows(&dimension, 5, "\"goods\"", &["persons", "territory", "things", "time"]);
}

#[test]
fn a_predicate_that_nothing_has_is_told_with_the_one_that_may_be_meant() {
    let text = relation("hinders", "effect = \"pauses\"\npredicates = [\"act_hindres_act\"]\ninverses = []");
    shows(&text, 5, "\"act_hindres_act\"", &["is no predicate of the CDM", "`act_hinders_act`, if that is meant"]);
    let far = relation("hinders", "effect = \"pauses\"\npredicates = [\"wug_blicks_wug\"]\ninverses = []");
    shows(&far, 5, "\"wug_blicks_wug\"", &["is no predicate of the CDM", "lay your own cdm.toml over it"]);
}

#[test]
fn a_missing_inverse_is_told_with_what_to_write() {
    let text = relation("hinders", "effect = \"pauses\"\npredicates = [\"act_hinders_act\"]");
    shows(
        &text,
        5,
        "[\"act_hinders_act\"]",
        &["has a predicate and no inverse", "inverses = [\"act_hindered_by_act\"]"],
    );
    let empty = relation("hinders", "effect = \"pauses\"\npredicates = [\"act_hinders_act\"]\ninverses = []");
    shows(&empty, 6, "[]", &["inverses = [\"act_hindered_by_act\"]"]);
    let unknown = relation("warns", "effect = \"none\"\npredicates = [\"act_warns_act\"]");
    shows(&unknown, 5, "[\"act_warns_act\"]", &["or inverses = [] where the register has none"]);
    let none = relation("warns", "effect = \"none\"\npredicates = [\"act_warns_act\"]\ninverses = []");
    assert_eq!(examine(&[("a.toml", &none)]).errors, []);
    let only = relation("hinders", "effect = \"pauses\"\ninverses = [\"act_hindered_by_act\"]");
    shows(&only, 5, "[\"act_hindered_by_act\"]", &["no forward one"]);
}

#[test]
fn a_predicate_that_runs_against_the_effect_is_told() {
    let turned = relation(
        "hinders",
        "effect = \"pauses\"\npredicates = [\"act_hindered_by_act\"]\ninverses = [\"act_slowed_by_act\"]",
    );
    let examined = examine(&[("a.toml", &turned)]);
    let told = examined.errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(examined.errors.len(), 1, "{told}");
    assert!(
        told.starts_with("a.toml:5: `act_hindered_by_act` runs from the act acted upon to the acting act"),
        "{told}"
    );
    assert!(told.contains("the effect `pauses` is done by the first act of an edge to the second"), "{told}");
    assert!(told.contains("it under `inverses`, and `act_hinders_act` here"), "{told}");
    let forward =
        relation("slows", "effect = \"pauses\"\npredicates = [\"act_warns_act\"]\ninverses = [\"act_hinders_act\"]");
    shows(
        &forward,
        6,
        "\"act_hinders_act\"",
        &["runs from the acting act to the one acted upon", "it under `predicates`"],
    );
}

#[test]
fn an_inverse_against_the_habit_is_a_warning() {
    let other = relation(
        "hinders",
        "effect = \"pauses\"\npredicates = [\"act_hinders_act\"]\ninverses = [\"act_slowed_by_act\"]",
    );
    let examined = examine(&[("a.toml", &other)]);
    assert!(examined.errors.is_empty() && examined.warnings.len() == 1, "{examined:?}");
    assert!(examined.warnings[0].to_string().contains("is `act_hindered_by_act`"), "{}", examined.warnings[0]);
    let strange =
        relation("blicks", "effect = \"pauses\"\npredicates = [\"a_blicks_b\"]\ninverses = [\"a_blicked_by_b\"]");
    let examined = examine(&[("a.toml", &strange)]);
    assert!(examined.warnings[0].to_string().contains("is no inverse as the CDM writes them"), "{examined:?}");
    let turned =
        relation("blicks", "effect = \"pauses\"\npredicates = [\"a_blicks_b\"]\ninverses = [\"b_blicked_by_a\"]");
    assert_eq!(examine(&[("a.toml", &turned)]).warnings, []);
}

#[test]
fn a_name_means_one_relation_one_way_round() {
    let with = |lines: &str| {
        let one = "effect = \"pauses\"\ninverse_names = [\"hindered_by\"]\npredicates = [\"act_hinders_act\"]\ninverses = [\"act_hindered_by_act\"]\npublished = { name = \"hinders_it\" }";
        format!("{}{}", relation("hinders", one), relation("slows", &format!("effect = \"pauses\"\n{lines}")))
    };
    let already = |lines: &str, under: &str, is: &str| {
        shows(&with(lines), 13, under, &[&format!("is the {is} of `hinders` already"), "it would mean two things"]);
    };
    already("inverse_names = [\"hinders\"]", "\"hinders\"", "name");
    already("inverse_names = [\"hindered_by\"]", "\"hindered_by\"", "inverse name");
    already("published = { name = \"hinders_it\" }", "\"hinders_it\"", "published name");
    already("published = { name = \"hindered_by\" }", "\"hindered_by\"", "inverse name");
    already(
        "predicates = [\"ACT_hinders_act\"]\ninverses = [\"act_slowed_by_act\"]",
        "\"ACT_hinders_act\"",
        "predicate",
    );
    let own = relation(
        "hinders",
        "effect = \"pauses\"\npredicates = [\"act_hinders_act\"]\ninverses = [\"act_hindered_by_act\", \"act_hindered_by_act\"]",
    );
    shows(&own, 6, "\"act_hindered_by_act\"", &["is the inverse predicate of `hinders` already"]);
    let named = format!(
        "{}{}",
        relation("hinders", "effect = \"pauses\"\ninverse_names = [\"slows\"]"),
        relation("slows", "effect = \"ends\"")
    );
    shows(&named, 7, "\"slows\"", &["is the inverse name of `hinders` already"]);
}

#[test]
fn published_rows_turned_round_need_a_name_that_says_so() {
    let forward = relation("hinders", "effect = \"pauses\"\npublished = { name = \"hinders\", inverted = true }");
    shows(&forward, 5, "\"hinders\"", &["cannot stand the other way round under its forward name"]);
    let turned = relation(
        "hinders",
        "effect = \"pauses\"\ninverse_names = [\"hindered_by\"]\npublished = { name = \"hindered_by\", inverted = true }",
    );
    assert_eq!(examine(&[("a.toml", &turned)]).errors, []);
    let unsaid = turned.replace(", inverted = true", "");
    let errors = examine(&[("a.toml", &unsaid)]).errors;
    assert!(errors.iter().any(|e| e.to_string().contains("are said to stand forward")), "{errors:?}");
}

#[test]
fn parameters_that_the_effect_has_no_use_for_contradict_it() {
    let with = |effect: &str, line: &str| relation("hinders", &format!("effect = \"{effect}\"\n{line}"));
    shows(&with("ends", "from_beginning = true"), 5, "true", &["contradicts the effect `ends`"]);
    shows(&with("voids", "from_beginning = true"), 5, "true", &["reaches back to its beginning by itself"]);
    shows(&with("pauses", "dimension = \"things\""), 5, "\"things\"", &["contradicts the effect `pauses`"]);
    shows(&with("supplements", "default_extent = \"whole\""), 5, "\"whole\"", &["touches nothing of its target"]);
    shows(&with("rewrites", "default_extent = \"whole\""), 5, "\"whole\"", &["a bare row does not say which"]);
    shows(&with("none", "default_extent = \"partial\""), 5, "\"partial\"", &["touches nothing"]);
    for fine in [
        "effect = \"rewrites\"\nfrom_beginning = true",
        "effect = \"widens\"\ndimension = \"persons\"",
        "effect = \"ends\"\ndefault_extent = \"whole\"",
    ] {
        assert_eq!(examine(&[("a.toml", &relation("hinders", fine))]).errors, []);
    }
}

#[test]
fn patterns_must_be_readable_and_fit_the_effect() {
    let with = |effect: &str, place: &str, pattern: &str| {
        relation(
            "hinders",
            &format!("effect = \"{effect}\"\nclauses = [{{ place = \"{place}\", pattern = '{pattern}' }}]"),
        )
    };
    let wrong = |effect: &str, pattern: &str, under: &str, says: &str| {
        shows(&with(effect, "operative", pattern), 5, under, &[says]);
    };
    wrong("ends", "^<traget> is halted", "'^<traget> is halted'", "`<traget>` is no slot");
    wrong("ends", "^<target> (is halted", "'^<target> (is halted'", "cannot be used");
    wrong("ends", "(?:halted)?", "'(?:halted)?'", "matches where nothing is said");
    wrong(
        "rewrites",
        "^<target> ends on <until>",
        "<until>",
        "contradicts the effect `rewrites`, which has no last day",
    );
    wrong("prolongs", "^<target> is prolonged", "'^<target> is prolonged'", "only with its new last day");
    wrong("pauses", "^<target> is halted for <words>", "<words>", "contradicts the effect `pauses`");
    wrong("rewrites", "^In <target>, <old> is gone", "<old>", "`<old>` needs `<new>`");
    shows(&with("ends", "title", "halting all"), 5, "'halting all'", &["must name its `<target>`"]);
    let both = with("pauses", "operative", "^In <target>, <old> is now <new>");
    assert_eq!(examine(&[("a.toml", &both)]).errors.len(), 2);
}

#[test]
fn a_form_belongs_to_a_relation_and_names_slots_that_exist() {
    let with = |from: &str, to: &str| {
        let narrows = relation("hinders", "effect = \"narrows\"");
        assert!(FORM.contains(from), "{from}");
        format!("{narrows}{}", FORM.replacen(from, to, 1))
    };
    assert_eq!(examine(&[("a.toml", &with("hinders", "hinders"))]).errors, []);
    shows(
        &with("\"hinders\"", "\"hindres\""),
        7,
        "\"hindres\"",
        &["which no [[relation]] defines", "relation = \"hinders\""],
    );
    shows(&with("day = \"start\"", "day = \"strat\""), 9, "strat", &["is no slot"]);
    shows(&with("day = \"start\"", "day = \"part\""), 9, "\"part\"", &["is no day that an item can be set on"]);
    shows(&with("{source} and", "{sorce} and"), 10, "{sorce}", &["`{sorce}` is no slot", "write: {source}"]);
    shows(
        &with("{target} applies", "{new_end} applies"),
        11,
        "{new_end}",
        &["does not exist for `hinders`, which narrows", "prolongs"],
    );
    shows(&with("act = \"{target}\"", "act = \"{traget}\""), 11, "{traget}", &["is no slot"]);
    shows(
        &with("On {day} a", "A"),
        10,
        "\"A trader reads {source} and {target}. Which statement is right?\"",
        &["does not name its day"],
    );
    shows(&with("{target} applies.", "{target applies."), 11, "{target applies.", &["a brace that is not closed"]);
    shows(&with("form = \"status\"", "form = \"staus\""), 11, "\"staus\"", &["this is no claim: unknown form"]);
    shows(
        &with("claims = [{ form = \"status\", act = \"{target}\", is = \"applicable\" }]", "claims = []"),
        11,
        "\"{target} applies.\"",
        &["has no claim"],
    );
    let few =
        with("    { text = \"c\", claims = [{ form = \"status\", act = \"{target}\", is = \"in_force\" }] },\n", "");
    assert!(told(&few).contains("has 2 distractors"), "{}", told(&few));
    let twice = format!("{}{FORM}", with("hinders", "hinders"));
    shows(&twice, 20, "\"first\"", &["is defined twice in this file"]);
}

#[test]
fn the_shipped_registry_holds_and_warns_of_nothing() {
    let ontology = Ontology::parse("cdm.toml", include_str!("../../../rubrics/cdm.toml")).expect("the shipped list");
    let measure = Measure { ontology: Some(&ontology), claims: None };
    let shipped = [("relations.toml", include_str!("../../../rubrics/relations.toml"))];
    let Examined { errors, strangers, warnings, .. } = Registry::examine(shipped, &measure);
    let all = errors.iter().chain(strangers.iter().map(|(_, e)| e)).chain(&warnings);
    assert_eq!(all.map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
}
