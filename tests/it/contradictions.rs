//! The register of contradictions and the checks of a register: each kind on invented acts, some on real ones.

use crate::corpus::corpus;
use legal_link::build::load;
use legal_link::graph::contradictions::{Disagreement, Kind, checks, contradictions, drawn};
use legal_link::graph::{Facts, RelationGraph};
use legal_link::law::{
    Act, ActRecord, Celex, ConsolidatedState, Day, Digest, EffectDate, Language, Locus, RegisterKind, RegisterRow,
    Registry, Span,
};
use legal_link::parse;
use legal_link::source::Folder;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry parses")
});

fn celex(text: &str) -> Celex {
    text.parse().expect("a CELEX number")
}

fn day(text: &str) -> Option<Day> {
    text.parse().ok()
}

/// An invented regulation that ends or changes others in its Article 2.
fn act(number: &str, title: &str, does: &str, last: &str) -> Act {
    let text = format!(
        "20.5.2005\n\nEN\n\nOfficial Journal of the European Union\n\nL 901/1\n\n{title}\n\nTHE COUNCIL OF THE EUROPEAN UNION,\n\nHaving regard to the Treaty,\n\nHAS ADOPTED THIS REGULATION:\n\n\
         Article 1\n\nThis Regulation lays down rules on lanterns.\n\nArticle 2\n\n{does}\n\nArticle 3\n\n{last}\n\n\
         Done at Brussels, 3 May 2005.\n"
    );
    let celex = celex(number);
    let document = Digest::of(text.as_bytes());
    let given = parse::Given {
        celex: &celex,
        language: Language::ENGLISH,
        document,
        bytes: text.as_bytes(),
        registry: &REGISTRY,
    };
    parse::act(&given).expect("an act").value
}

fn lantern(does: &str) -> Act {
    let title = "Council Regulation (EC) No 9002/2005 of 3 May 2005 on lanterns";
    act("32005R9002", title, does, "This Regulation shall enter into force on 1 July 2005.")
}

fn locus(at: usize) -> Locus {
    Locus { document: Digest::of(b"register"), span: Span::new(at, at + 1) }
}

fn row(source: &str, relation: &str, target: &str) -> RegisterRow {
    RegisterRow {
        taken: day("2026-01-01"),
        ..RegisterRow::bare(
            celex(source),
            REGISTRY.relation(relation).expect("a relation of the registry"),
            celex(target),
            RegisterKind::Notice,
            locus(0),
        )
    }
}

fn record(of: &str) -> ActRecord {
    ActRecord {
        celex: celex(of),
        title: None,
        date_document: None,
        published: None,
        in_force: None,
        effects: Vec::new(),
        ends: Vec::new(),
        open_end: false,
        locus: locus(7),
        taken: day("2026-01-01"),
    }
}

fn listed(facts: Facts) -> Vec<Disagreement> {
    let register = Facts { acts: Vec::new(), ..facts.clone() };
    let graph = RelationGraph::build(facts, &REGISTRY);
    contradictions(&graph, &register, &REGISTRY, &|locus| Some(format!("row {}", locus.span.start)))
}

fn checked(facts: &Facts) -> Vec<Kind> {
    let graph = RelationGraph::build(facts.clone(), &REGISTRY);
    checks(&graph, facts, &REGISTRY, &|_| Some("row".to_string())).into_iter().map(|d| d.kind).collect()
}

fn kinds(facts: Facts) -> Vec<Kind> {
    listed(facts).into_iter().map(|d| d.kind).collect()
}

fn of(act: Act, rows: Vec<RegisterRow>) -> Facts {
    Facts { acts: vec![act], rows, known_on: day("2026-01-01"), ..Facts::default() }
}

#[test]
fn extents_that_the_row_does_not_say() {
    let rows = || vec![row("32005R9002", "repeals", "31999R9001")];
    let whole = "Regulation (EC) No 9001/1999 is repealed.";
    assert_eq!(kinds(of(lantern(whole), rows())), []);
    let partial = listed(of(lantern("Articles 3 and 4 of Regulation (EC) No 9001/1999 are repealed."), rows()));
    let [one] = &partial[..] else { panic!("{partial:#?}") };
    assert_eq!((one.kind, one.register.text.as_str()), (Kind::PartialAsWhole, "row 0"));
    assert!(one.says.contains("only Article 3, Article 4 of it"), "{}", one.says);
    assert!(one.against.text.contains("Articles 3 and 4"), "{}", one.against.text);
    let saving =
        "Regulation (EC) No 9001/1999 is repealed. However, Article 7 shall continue to apply until 30 June 2006.";
    assert_eq!(kinds(of(lantern(saving), rows())), [Kind::SavingNotRecorded]);
    let mut narrow = rows();
    narrow[0].part = "3".parse().ok();
    assert_eq!(kinds(of(lantern(whole), narrow)), [Kind::WholeAsPartial]);
}

#[test]
fn rows_that_the_words_do_not_bear_out() {
    let words = "Regulation (EC) No 9001/1999 is repealed.";
    assert_eq!(kinds(of(lantern(words), vec![row("32005R9002", "repeals", "31999R9501")])), [Kind::WrongTarget]);
    assert_eq!(kinds(of(lantern(words), vec![row("32005R9002", "repeals", "31988R0412")])), [Kind::NotInText]);
    let swapped = vec![row("31999R9001", "repeals", "32005R9002")];
    assert_eq!(kinds(of(lantern(words), swapped)), [], "of 9001/1999 there is no text");
    let old =
        act("31999R9001", "Council Regulation (EC) No 9001/1999 of 1 May 1999 on oil", "Oil is dear.", "Nothing.");
    let both = Facts {
        acts: vec![lantern(words), old],
        ..of(lantern(words), vec![row("31999R9001", "repeals", "32005R9002")])
    };
    assert_eq!(kinds(both), [Kind::WrongDirection]);
    let implicit = vec![row("32005R9002", "implicitly_repeals", "31999R9001")];
    assert_eq!(kinds(of(lantern(words), implicit)), [Kind::OtherRelation]);
}

#[test]
fn what_a_notice_of_the_act_lacks_is_missing_and_other_absences_prove_nothing() {
    let words = "Regulations (EC) No 9001/1999 and (EC) No 9003/1999 are repealed.";
    let rows = vec![row("32005R9002", "repeals", "31999R9001")];
    assert_eq!(kinds(of(lantern(words), rows.clone())), [], "no notice tells of the act itself");
    let described = ActRecord { date_document: day("2005-05-03"), locus: locus(3), ..record("32005R9002") };
    let noticed = Facts { records: vec![described], ..of(lantern(words), rows.clone()) };
    let found = listed(noticed.clone());
    let [one] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((one.kind, one.acts[1].as_str()), (Kind::MissingEdge, "31999R9003"));
    let tables = rows.into_iter().map(|r| RegisterRow { register: RegisterKind::Table, ..r }).collect();
    assert_eq!(kinds(Facts { rows: tables, ..noticed }), []);
}

#[test]
fn days_flags_and_states_against_the_words() {
    let words = "Regulation (EC) No 9001/1999 is repealed with effect from 1 September 2005.";
    let facts = |records, states| Facts { records, states, ..of(lantern(words), Vec::new()) };
    let target = |r: ActRecord| facts(vec![r], Vec::new());
    // The register's end is the last day inside.
    assert_eq!(kinds(target(ActRecord { ends: vec!["2005-08-31".parse().unwrap()], ..record("31999R9001") })), []);
    let late = ActRecord { ends: vec!["2005-09-01".parse().unwrap()], ..record("31999R9001") };
    assert_eq!(kinds(target(late)), [Kind::EndDiffers]);
    let flag = |yes, taken| ActRecord { in_force: Some(yes), taken: day(taken), ..record("31999R9001") };
    assert_eq!(kinds(target(flag(true, "2005-09-01"))), [Kind::FlaggedInForce]);
    assert_eq!(kinds(target(flag(true, "2005-08-31"))), []);
    assert_eq!(kinds(target(flag(false, "2005-09-01"))), []);
    let entry = |on: &str| {
        let effects = vec![(EffectDate::EntryIntoForce, on.parse().unwrap())];
        target(ActRecord { effects, date_document: day("2005-05-04"), ..record("32005R9002") })
    };
    assert_eq!(kinds(entry("2005-07-01")), [Kind::DocumentDateDiffers]);
    assert_eq!(kinds(entry("2005-07-02")), [Kind::EntryDiffers, Kind::DocumentDateDiffers]);
    let state = |of: &str, from: &str| ConsolidatedState {
        celex: celex(&format!("0{}-{}", &of[1..], from.replace('-', ""))),
        of: celex(of),
        from: from.parse().unwrap(),
        until: None,
        locus: locus(9),
        taken: None,
    };
    let early = facts(Vec::new(), vec![state("32005R9002", "2005-05-19"), state("31999R9001", "2005-09-02")]);
    assert_eq!(kinds(early), [Kind::StateBeforeForce, Kind::StateAfterEnd]);
    assert_eq!(
        kinds(facts(Vec::new(), vec![state("32005R9002", "2005-05-20"), state("31999R9001", "2005-09-01")])),
        []
    );
}

#[test]
fn an_annotated_start_against_the_clause() {
    let words = "Regulation (EC) No 9001/1999 is repealed with effect from 1 September 2005.";
    let dated =
        |on| of(lantern(words), vec![RegisterRow { start: day(on), ..row("32005R9002", "repeals", "31999R9001") }]);
    assert_eq!(kinds(dated("2005-09-01")), []);
    assert_eq!(kinds(dated("2005-10-01")), [Kind::StartDiffers]);
}

#[test]
fn a_correction_concerns_the_languages_recorded_for_it() {
    use legal_link::graph::TextState;
    let on = "2010-01-01".parse().unwrap();
    let state = |languages: &[&str]| {
        let languages = languages.iter().filter_map(|l| Language::from_code(l)).collect();
        let corrects = RegisterRow { languages, ..row("32005R9002R(01)", "corrects", "32005R9002") };
        let title = parse::clauses::provision(
            "Corrigendum to Council Regulation (EC) No 9002/2005 of 3 May 2005 on lanterns",
            &legal_link::law::Place::Title,
            &celex("32005R9002R(01)"),
            &REGISTRY,
        );
        assert_eq!(title.len(), 1);
        let mut facts = of(lantern("Lanterns are lit."), vec![corrects]);
        facts.titles.insert(celex("32005R9002R(01)"), title);
        RelationGraph::build(facts, &REGISTRY).text_state(&celex("32005R9002").into(), on)
    };
    assert_eq!(state(&["SV", "FI"]), TextState::AsPublished);
    assert!(matches!(state(&["SV", "EN"]), TextState::Unconfirmed { .. }));
    assert!(matches!(state(&[]), TextState::Unconfirmed { .. }));
}

#[test]
fn the_order_of_the_facts_does_not_matter() {
    let words = "Articles 3 and 4 of Regulation (EC) No 9001/1999 are repealed with effect from 1 September 2005.";
    let rows = vec![
        row("32005R9002", "repeals", "31999R9001"),
        row("32005R9002", "repeals", "31988R0412"),
        RegisterRow { locus: locus(5), ..row("32005R9002", "repeals", "31999R9001") },
        row("32005R9002R(01)", "corrects", "32005R9002"),
    ];
    let records = vec![
        ActRecord { date_document: day("2005-05-04"), ..record("32005R9002") },
        ActRecord { in_force: Some(false), ..record("31999R9001") },
        ActRecord { in_force: Some(true), taken: day("2004-01-01"), locus: locus(8), ..record("31999R9001") },
    ];
    let other = act("31999R9001", "Council Regulation (EC) No 9001/1999 of 1 May 1999 on oil", "Oil is dear.", "None.");
    let facts = Facts { acts: vec![lantern(words), other], records, ..of(lantern(words), rows) };
    let mut turned = facts.clone();
    turned.acts.reverse();
    turned.rows.rotate_left(2);
    turned.records.reverse();
    assert!(!listed(facts.clone()).is_empty());
    assert_eq!(listed(facts.clone()), listed(turned.clone()));
    let graphs = [facts, turned].map(|f| RelationGraph::build(f, &REGISTRY));
    assert!(graphs[0].edges().eq(graphs[1].edges()));
    for on in ["2004-06-01", "2005-08-31", "2005-09-01", "2025-12-31"] {
        let asked = legal_link::graph::Asked::on(on.parse().unwrap());
        let status = |g: &RelationGraph| g.status(&celex("31999R9001").into(), asked);
        assert_eq!(status(&graphs[0]), status(&graphs[1]), "{on}");
    }
}

#[test]
fn checks_of_a_register_by_itself() {
    let rows = |rows| Facts { rows, known_on: day("2026-01-01"), ..Facts::default() };
    let a = |relation| row("32005R9002", relation, "31999R9001");
    let back = |relation| row("31999R9001", relation, "32005R9002");
    assert_eq!(checked(&rows(vec![a("repeals"), a("amends")])), []);
    assert_eq!(checked(&rows(vec![a("repeals"), back("repeals")])), [Kind::CycleOfEnds]);
    assert_eq!(checked(&rows(vec![row("32005R9002", "amends", "32005R9002")])), [Kind::ActsOnItself]);
    assert_eq!(checked(&rows(vec![a("corrects")])), [Kind::CorrectorIsNone]);
    let own = row("32005R9002R(01)", "corrects", "32005R9002");
    let strange = row("32005R9002R(01)", "corrects", "31999R9001");
    assert_eq!(checked(&rows(vec![own.clone()])), []);
    assert_eq!(checked(&rows(vec![own, strange])), [Kind::CorrectsAnother]);
    let ended = vec![RegisterRow { start: day("2005-09-01"), ..a("repeals") }];
    let alive = ActRecord { in_force: Some(true), ..record("31999R9001") };
    let facts = Facts { records: vec![alive.clone()], ..rows(ended) };
    assert_eq!(checked(&facts), [Kind::EndedYetInForce]);
    let past = ActRecord { ends: vec!["2001-01-01".parse().unwrap()], ..alive };
    assert_eq!(checked(&Facts { records: vec![past], ..Facts::default() }), [Kind::EndedYetInForce]);
    let made = |of, on| ActRecord { date_document: day(on), ..record(of) };
    let records = vec![made("32005R9002", "1998-01-01"), made("31999R9001", "1999-05-01")];
    assert_eq!(checked(&Facts { records, ..rows(vec![a("repeals")]) }), [Kind::BeforeItExisted, Kind::YearDiffers]);
    let backwards = RegisterRow { start: day("2005-09-01"), end: day("2005-08-01"), ..a("amends") };
    assert_eq!(checked(&rows(vec![backwards])), [Kind::EndBeforeStart]);
}

#[test]
fn the_real_register_and_the_real_words() {
    let Some(path) = corpus("the_real_register_and_the_real_words") else { return };
    let facts = load(&Folder::open(&path).expect("a folder"), &REGISTRY).expect("read").facts;
    let register = Facts { acts: Vec::new(), ..facts.clone() };
    let graph = RelationGraph::build(facts, &REGISTRY);
    let list = contradictions(&graph, &register, &REGISTRY, &|_| Some("as written".to_string()));
    let has = |kind, acts: &[&str]| {
        list.iter().any(|d| d.kind == kind && acts.iter().all(|a| d.acts.iter().any(|c| c.as_str() == *a)))
    };
    assert!(has(Kind::DocumentDateDiffers, &["32021R1783"]));
    // Only Article 120 of it had changed the act that is repealed; the control regulation itself lives on.
    assert!(has(Kind::PartialAsWhole, &["32019R0473", "32009R1224"]));
    assert!(has(Kind::SavingNotRecorded, &["32023R1542", "32006L0066"]));
    // A state from the day of publication is the text as published, before its force as it may be.
    assert!(!has(Kind::StateBeforeForce, &["32016R0679"]));
    // A state from the first day without the act records its end.
    assert!(!has(Kind::StateAfterEnd, &["31995L0046"]));
    assert!(!has(Kind::NotInText, &[]), "every row with a text is borne out or explained");
    assert!(list.iter().all(|d| !d.register.text.is_empty() && !d.against.text.is_empty()));
    let ids = |list: Vec<Disagreement>| list.into_iter().map(|d| d.id).collect::<Vec<_>>();
    assert_eq!(ids(drawn(list.clone(), 9, "s")), ids(drawn(list.into_iter().rev().collect(), 9, "s")));
    let rows = checks(&graph, &register, &REGISTRY, &|_| Some("as written".to_string()));
    assert!(rows.iter().any(|d| d.kind == Kind::CorrectsAnother && d.acts[0].as_str() == "32014H0881R(01)"));
}
