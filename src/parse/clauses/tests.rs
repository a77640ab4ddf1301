use super::{provision, provisions, terms};
use crate::law::{
    Act, Celex, Clause, Digest, Extent, Flavour, Language, Offset, Place, Quote, Registry, Span, TermKind, Unit,
    UnitKind, When,
};
use proptest::prelude::*;

const SHIPPED: &str = include_str!("../../../rubrics/relations.toml");

fn registry() -> Registry {
    Registry::parse([("relations.toml", SHIPPED)]).expect("the shipped registry")
}

fn read(place: &Place, text: &str) -> Vec<Clause> {
    let acting: Celex = "32020R9000".parse().expect("a number");
    provision(text, place, &acting, &registry())
}

fn operative(text: &str) -> Vec<Clause> {
    read(&Place::Operative(None), text)
}

fn title(text: &str) -> Vec<Clause> {
    read(&Place::Title, text)
}

/// Relation, target, extent.
fn said(clauses: &[Clause]) -> Vec<(&str, &str, Extent)> {
    clauses.iter().map(|c| (c.relation.as_str(), c.target.as_str(), c.extent)).collect()
}

#[test]
fn a_new_relation_needs_patterns_only() {
    let text = r#"
[[relation]]
name = "freezes"
label = "freezes"
effect = "pauses"
clauses = [{ place = "operative", pattern = '^<target> (?:is|are) frozen\b' }]
"#;
    let registry = Registry::parse([("a.toml", SHIPPED), ("b.toml", text)]).expect("two texts");
    let acting: Celex = "32020R9000".parse().expect("a number");
    let text = "Articles 2 and 3 of Directive 2009/9001/EC on ferries are frozen with effect from 1 May 2020 until 31 August 2020.";
    let clauses = provision(text, &Place::Operative(None), &acting, &registry);
    assert_eq!(said(&clauses), [("freezes", "32009L9001", Extent::Partial)]);
    assert_eq!(clauses[0].until.map(|d| d.to_string()).as_deref(), Some("2020-08-31"));
    assert!(matches!(clauses[0].start, When::On { day } if day.to_string() == "2020-05-01"));
}

#[test]
fn lists_of_acts_end_together_and_a_phrase_before_them_does_not() {
    let clauses = operative(
        "In accordance with Article 20(4) of Regulation (EU) No 9001/2013, Directives 2006/9002/EC and 2007/9003/EC, \
         as amended by the acts listed in Annex I, Part A, are repealed with effect from 2 March 2020.",
    );
    let whole = Extent::Whole;
    assert_eq!(said(&clauses), [("repeals", "32006L9002", whole), ("repeals", "32007L9003", whole)]);
}

#[test]
fn a_later_paragraph_says_what_an_end_leaves_as_it_was() {
    let clauses = operative(
        "1. Regulation (EC) No 9001/1998 is repealed with effect from 1 January 2024. 2. Paragraph 1 is without prejudice \
         to the duties set out in that Regulation for periods before that date.",
    );
    let [clause] = &clauses[..] else { panic!("{clauses:?}") };
    assert_eq!(clause.extent, Extent::Whole);
    let words: Vec<&str> = clause.saved.iter().map(|s| s.words.as_str()).collect();
    assert_eq!(words, ["the duties set out in that Regulation for periods before that date"]);
    let clauses = operative(
        "Regulation (EEC) No 9002/1989 is repealed. Drinks may continue to be produced in accordance with Regulation \
         (EEC) No 9002/1989 until 20 May 2009.",
    );
    assert_eq!(clauses[0].saved.len(), 1);
    assert_eq!(clauses[0].saved[0].until.map(|d| d.to_string()).as_deref(), Some("2009-05-20"));
}

#[test]
fn what_a_repeal_leaves_untouched_does_not_limit_it() {
    let clauses = operative(
        "Directive 93/9001/EC, as amended by the Directive referred to in Annex I, part A, shall be repealed, without \
         prejudice to what Member States owe in respect of the time-limits laid down in Annex I, part B.",
    );
    assert_eq!(said(&clauses), [("repeals", "31993L9001", Extent::Whole)]);
}

#[test]
fn a_list_of_acts_after_a_colon_is_read() {
    let clauses = operative(
        "The following acts are repealed from 1 July 2021: (a) Regulation (EC) No 9001/2001; (b) Decision 2002/9002/EC.",
    );
    assert_eq!(clauses.len(), 2);
    assert!(clauses.iter().all(|c| matches!(c.start, When::On { .. })));
}

#[test]
fn savings_of_later_sentences_keep_their_days() {
    let clauses = operative(
        "Directive 2006/9001/EC is repealed with effect from 18 August 2025.\n\
         However, the following provisions shall continue to apply: Article 11 until 18 February 2027; \
         Article 12(4) and (5) until 31 December 2025.",
    );
    let saved: Vec<(String, String)> = clauses[0]
        .saved
        .iter()
        .map(|s| {
            (
                s.part.as_ref().map(ToString::to_string).unwrap_or_default(),
                s.until.map(|d| d.to_string()).unwrap_or_default(),
            )
        })
        .collect();
    let expected = [("11", "2027-02-18"), ("12(4)", "2025-12-31"), ("12(5)", "2025-12-31")];
    assert_eq!(saved, expected.map(|(p, d)| (p.to_string(), d.to_string())));
}

#[test]
fn two_ends_of_one_act_are_two_clauses() {
    let clauses = operative(
        "Regulation (EC) No 9001/2008 is repealed with effect from 25 May 2021. \
         However, Chapter III thereof is repealed with effect from 8 June 2019.",
    );
    assert_eq!(said(&clauses), [("repeals", "32008R9001", Extent::Whole), ("repeals", "32008R9001", Extent::Partial)]);
}

#[test]
fn an_end_without_its_printed_day_hangs_in_the_air() {
    let clauses = operative("Directive 93/9001/EEC shall be repealed with effect from(39).");
    assert!(matches!(clauses[0].start, When::Event { .. }));
}

#[test]
fn a_rewritten_last_day_prolongs_the_act() {
    for text in [
        "Article 5 of Decision 2000/9001/EC is replaced by the following: ‘Article 5 This Decision shall expire on 31 March 2007.’",
        "Decision 2000/9001/EC is amended as follows: (1) in Article 4, paragraph 2 is replaced by the following: \
         ‘2. This Decision shall apply until 31 March 2007.’; (2) Annex II is deleted.",
        "In Article 3 of Decision 2000/9001/EC, ‘until 31 March 2005’ is replaced by ‘until 31 March 2007’.",
    ] {
        let clauses = operative(text);
        let prolonged = clauses.iter().find(|c| c.until.is_some()).expect(text);
        assert_eq!((prolonged.target.as_str(), prolonged.extent), ("32000D9001", Extent::Whole), "{text}");
        assert_eq!(prolonged.until.map(|d| d.to_string()).as_deref(), Some("2007-03-31"));
    }
    let other = operative("In Article 3 of Decision 2000/9001/EC, ‘31 March 2005’ is replaced by ‘31 March 2007’.");
    assert!(other.iter().all(|c| c.until.is_none()), "a day in quotation marks may be any day");
}

/// Of what is saved: part and last day, blank where there is none.
fn saved(clause: &Clause) -> Vec<(String, String)> {
    let shown = |s: &crate::law::Saving| {
        (
            s.part.as_ref().map(ToString::to_string).unwrap_or_default(),
            s.until.map(|d| d.to_string()).unwrap_or_default(),
        )
    };
    clause.saved.iter().map(shown).collect()
}

#[test]
fn amenders_of_the_target_are_no_targets() {
    let whole = Extent::Whole;
    for text in [
        "Regulation (EEC) No 9011/85 (1), as last amended by Regulation (EC) No 9012/98 (2), is repealed.",
        "Regulation (EEC) No 9011/85 (1), as amended by Regulation (EC) No 9012/98 of 3 May 1998 (2) and Regulation (EC) \
         No 9013/99 (3), is repealed.",
    ] {
        assert_eq!(said(&operative(text)), [("repeals", "31985R9011", whole)], "{text}");
    }
    let two = operative(
        "Regulation (EEC) No 9011/85, as amended by Regulation (EC) No 9012/98, and Regulation (EC) No 9014/2000, as \
         amended by Regulation (EC) No 9015/2001 (4), are repealed.",
    );
    assert_eq!(said(&two), [("repeals", "31985R9011", whole), ("repeals", "32000R9014", whole)]);
}

#[test]
fn an_act_that_the_target_implements_is_no_target() {
    let targets = |text: &str| -> Vec<String> { title(text).iter().map(|c| c.target.to_string()).collect() };
    assert_eq!(targets("amending Decision 2004/9011/EC implementing Directive 1999/9012/EC"), ["32004D9011"]);
    assert_eq!(
        targets("repealing Implementing Regulation (EU) 2014/9011 and Delegated Regulation (EU) 2015/9012"),
        ["32014R9011", "32015R9012"]
    );
}

#[test]
fn parts_divided_by_commas_belong_to_their_act() {
    let clauses = operative("Articles 6 to 8 of, and the Annex to, Regulation (EU) 2014/9011 are repealed.");
    let parts: Vec<String> = clauses[0].parts.iter().map(ToString::to_string).collect();
    assert_eq!((parts.join(" ").as_str(), clauses[0].extent), ("6 7 8 Annex", Extent::Partial));
}

#[test]
fn the_sentence_of_an_end_may_go_on_with_what_it_saves() {
    for (text, expected) in [
        ("is repealed, but shall continue to apply to aid granted before 1 May 2018.", [("", "")].as_slice()),
        ("is repealed and shall continue to apply until 31 May 2019 to ships in service.", &[("", "2019-05-31")]),
        ("is repealed; nevertheless, it shall remain applicable to pending cases.", &[("", "")]),
        ("is repealed, but Articles 4 and 6 thereof shall remain in force.", &[("4", ""), ("6", "")]),
        ("is repealed, but Regulation (EU) 2016/9012 shall continue to apply.", &[]),
        ("is repealed, without prejudice to its continued application to pending cases.", &[("", "")]),
        (
            "is repealed, without prejudice to the continued application of Article 3 thereof until 1 May 2020.",
            &[("3", "2020-05-01")],
        ),
        ("is repealed, without prejudice to the time-limits for transposition.", &[]),
        (
            "is repealed. Appeals lodged before that date shall be examined and decided under that Regulation.",
            &[("", "")],
        ),
        ("is repealed. Licences granted under it shall be deemed to have been granted under this Regulation.", &[]),
        ("is repealed, with the exception of: (a) Article 3; and (b) Annex V.", &[("3", ""), ("Annex V", "")]),
    ] {
        let clauses = operative(&format!("Regulation (EU) 2015/9011 {text}"));
        let expected: Vec<(String, String)> =
            expected.iter().map(|(part, until)| (part.to_string(), until.to_string())).collect();
        assert_eq!(saved(&clauses[0]), expected, "{text}");
        let parts = expected.iter().any(|(part, _)| !part.is_empty());
        assert_eq!(clauses[0].extent, if parts { Extent::Partial } else { Extent::Whole }, "{text}");
    }
    let part = operative(
        "Article 3 of Regulation (EU) 2015/9011 is repealed. Appeals shall be decided under Regulation (EU) 2015/9011.",
    );
    assert!(part[0].saved.is_empty(), "an act that lives on saves nothing by being applied");
}

#[test]
fn days_are_read_as_they_are_written() {
    let months = |months| When::EntryIntoForce(Offset { months, ..Offset::default() });
    for (text, start) in [
        ("is repealed, with the exception of Article 4, with effect from 1 June 2018.", on("2018-06-01")),
        ("(OJ L 9, 7.2.2015, p. 3) is repealed from 1.3.2019.", on("2019-03-01")),
        ("is repealed thirty-six months after the entry into force of this Regulation.", months(36)),
        (
            "is repealed on the thirty-fifth day following that of the publication of this Regulation.",
            When::Publication(Offset { days: 35, ..Offset::default() }),
        ),
        ("is repealed from the day on which this Regulation begins to apply.", When::Application(Offset::default())),
        ("shall be deemed to be repealed from 1 May 2019.", on("2019-05-01")),
    ] {
        let clauses = operative(&format!("Regulation (EU) 2015/9011 {text}"));
        assert_eq!(clauses.first().map(|c| &c.start), Some(&start), "{text}");
    }
    let other = operative("Regulation (EU) 2015/9011 is repealed from the day on which the register begins to apply.");
    assert!(matches!(other[0].start, When::Event { .. }));
}

#[test]
fn a_replaced_provision_on_an_acts_life_prolongs_it() {
    let day = |text: &str| operative(text).iter().find_map(|c| c.until).map(|d| d.to_string());
    for text in [
        "Article 9, second paragraph, of Regulation (EU) 2015/9011 is replaced by the following: ‘It shall apply until 31 May 2023.’",
        "In Article 9 of Regulation (EU) 2015/9011, the second paragraph is replaced by the following: ‘It shall apply \
         from 1 June 2016 to 31 May 2023.’",
        "Article 9 of Regulation (EU) 2015/9011 is replaced by the following: ‘Article 9 Entry into force This Regulation \
         shall enter into force on 1 May 2016. It shall apply until 31 May 2023.’",
        "The date of expiry of Regulation (EU) 2015/9011 is postponed to 31 May 2023.",
        "The expiry date of Regulation (EU) 2015/9011 is replaced by 31 May 2023.",
    ] {
        assert_eq!(day(text).as_deref(), Some("2023-05-31"), "{text}");
    }
    for text in [
        "Article 9 of Regulation (EU) 2015/9011 is replaced by the following: ‘Article 9 A scheme is set up. It shall \
         apply until 31 May 2023.’",
        "Article 9 of Regulation (EU) 2015/9011 is replaced by the following: ‘This Article shall apply until 31 May 2023.’",
        "In Article 9 of Regulation (EU) 2015/9011, ‘from 1 June 2016 to 31 May 2017’ is replaced by ‘from 1 June 2016 to \
         31 May 2023’.",
    ] {
        assert_eq!(day(text), None, "{text}");
    }
}

#[test]
fn acts_are_replaced_widened_and_spent_in_several_wordings() {
    let whole = Extent::Whole;
    for (text, relation) in [
        ("This Regulation replaces Directive 98/9011/EC, which is hereby repealed.", Some("repeals")),
        ("Directive 98/9011/EC is hereby extended to the Isle of Clay.", Some("extends_application")),
        (
            "The provisions of Directive 98/9011/EC are hereby extended to masters of ferries.",
            Some("extends_application"),
        ),
        ("Directive 98/9011/EC is hereby extended to the end of 2019.", None),
        ("Directive 98/9011/EC is hereby extended to six months.", None),
        ("Directive 98/9011/EC is obsolete.", Some("renders_obsolete")),
        ("Directive 98/9011/EC is obsolete as regards fees.", None),
        ("Directive 98/9011/EC is devoid of purpose.", Some("renders_obsolete")),
        ("Directive 98/9011/EC no longer has any legal effect.", Some("renders_obsolete")),
        ("The Council acknowledges that Directive 98/9011/EC has become obsolete.", Some("renders_obsolete")),
        ("The following acts have exhausted their effects: Directive 98/9011/EC.", Some("renders_obsolete")),
    ] {
        let expected: Vec<_> = relation.into_iter().map(|r| (r, "31998L9011", whole)).collect();
        assert_eq!(said(&operative(text)), expected, "{text}");
    }
}

#[test]
fn a_duty_is_extended_to_further_goods() {
    let clauses = operative(
        "The definitive anti-dumping duty imposed by Article 1 of Regulation (EU) No 9001/2011 on imports of bells is \
         hereby extended to imports of bells consigned from Atlantis.",
    );
    assert_eq!(said(&clauses), [("extends_application", "32011R9001", Extent::Partial)]);
    assert_eq!(clauses[0].words.as_deref(), Some("imports of bells consigned from Atlantis"));
}

#[test]
fn what_others_did_or_may_do_is_not_this_acts_doing() {
    for text in [
        "Directive 2006/9001/EC is repealed with effect from 1 May 2020 by Regulation (EU) 2019/9002.",
        "Measures adopted under Directive 2006/9001/EC shall apply until they are repealed.",
        "The Commission shall consider whether Directive 2006/9001/EC is to be repealed.",
        "Producers recognised under Directive 2006/9001/EC which is repealed shall be deemed to be recognised.",
    ] {
        assert!(operative(text).is_empty(), "{text}");
    }
}

#[test]
fn titles_tell_an_acts_only_subject() {
    let alone =
        title("Commission Regulation (EU) 2018/9001 of 5 May 2018 amending Regulation (EU) 2017/9002 as regards fees");
    assert!(alone[0].alone);
    let beside = title(
        "Directive 2005/9001/EC of 3 May 2005 concerning lamps and amending Directives 97/9002/EC and 98/9003/EC",
    );
    assert_eq!(beside.len(), 2);
    assert!(!beside[0].alone);
    let longer = title(
        "Commission Implementing Regulation (EU) 2022/9001 correcting certain language versions of Implementing \
         Regulation (EU) 2021/9002 laying down standards and repealing Implementing Regulation (EU) 2014/9003",
    );
    assert_eq!(said(&longer), [("corrects", "32021R9002", Extent::Unknown)]);
}

#[test]
fn corrigenda_tell_each_passage() {
    let acting: Celex = "32014L9001R(09)".parse().expect("a number");
    let text = "On page 421, first subparagraph of Article 34(9): for: ‘3, 4 and 5.’, read: ‘2, 3 and 4.’; \
                on page 423, Annex II: for: ‘a’, read: ‘b’.";
    let text = format!("Corrigendum to Directive 2014/9001/EU. {text}");
    let clauses = provision(&text, &Place::Operative(None), &acting, &registry());
    let parts: Vec<String> = clauses.iter().flat_map(|c| &c.parts).map(ToString::to_string).collect();
    assert_eq!(parts, ["34(9)", "Annex II"]);
    assert_eq!(clauses[1].edit.as_ref().map(|e| (e.old.as_str(), e.new.as_str())), Some(("a", "b")));
}

#[test]
fn points_of_an_amendment_end_parts_and_move_days() {
    let clauses = operative(
        "Directive 2014/9065/EU is amended as follows: (1) in Article 25(4), the date ‘3 January 2017’ is replaced by \
         ‘3 January 2018’; (2) Articles 30 and 31 are repealed with the exception of Article 30(2); (3) Article 94 is \
         replaced by the following: ‘Article 94 Repeal Directive 2004/9039/EC is repealed with effect from 3 January 2018.’",
    );
    let read: Vec<(&str, Vec<String>, usize)> = clauses
        .iter()
        .map(|c| (c.relation.as_str(), c.parts.iter().map(ToString::to_string).collect(), c.days.len()))
        .collect();
    let part = |parts: &[&str]| parts.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(read[0], ("amends", part(&[]), 0));
    assert!(read.contains(&("repeals", part(&["30", "31"]), 0)), "{read:?}");
    assert!(
        read.contains(&("amends", part(&["25(4)"]), 1)) && read.contains(&("amends", part(&["94"]), 1)),
        "{read:?}"
    );
    assert!(clauses.iter().all(|c| c.target.as_str() == "32014L9065"));
    let days: Vec<(Option<String>, String)> =
        clauses.iter().flat_map(|c| &c.days).map(|d| (d.old.map(|o| o.to_string()), d.new.to_string())).collect();
    let printed = Some("2017-01-03".to_string());
    assert!(days.contains(&(printed, "2018-01-03".to_string())) && days.contains(&(None, "2018-01-03".to_string())));
}

#[test]
fn a_part_named_after_its_act_is_the_one_changed() {
    let clauses = operative("In Regulation (EC) No 9047/96, Article 5 shall be deleted.");
    let parts: Vec<String> = clauses[0].parts.iter().map(ToString::to_string).collect();
    assert_eq!((parts.as_slice(), clauses[0].extent), (["5".to_string()].as_slice(), Extent::Partial));
}

#[test]
fn acts_listed_in_an_annex_are_read_there() {
    let units = [
        (UnitKind::Article, "1", "1", "The acts listed in Annex II are repealed with effect from 1 May 2021."),
        (UnitKind::Annex, "I", "Annex I", "ANNEX I Acts changed: Regulation (EC) No 9001/2001"),
        (UnitKind::Annex, "II", "Annex II", "ANNEX II"),
        (
            UnitKind::Point,
            "1",
            "",
            "Council Regulation (EC) No 9002/2002 amending Regulation (EC) No 9003/1999 (OJ L 1, p. 1)",
        ),
        (UnitKind::Point, "2", "", "Decision 2004/9004/EC (OJ L 2, p. 3)"),
    ];
    let unit = |(kind, label, part, text): (UnitKind, &str, &str, &str)| Unit {
        kind,
        label: label.to_string(),
        heading: None,
        part: part.parse().ok(),
        text: text.to_string(),
        span: Span::new(0, text.len()),
        parent: None,
        quoted: false,
        marks: Vec::new(),
    };
    let document = Digest::of(b"invented");
    let act = Act {
        celex: "32020R9000".parse().expect("a number"),
        language: Language::ENGLISH,
        document,
        flavour: Flavour::Plain,
        title: Quote { document, span: Span::new(0, 0), text: String::new() },
        date_document: None,
        published: None,
        units: units.map(unit).into(),
        clauses: Vec::new(),
        terms: Vec::new(),
        origins: Vec::new(),
        annexed: Vec::new(),
    };
    let (clauses, _) = super::read(&act, &registry()).value;
    // Of each item the act named first.
    let whole = Extent::Whole;
    assert_eq!(said(&clauses), [("repeals", "32002R9002", whole), ("repeals", "32004D9004", whole)]);
    assert!(clauses[0].also[0].text.contains("9002/2002"), "the annex is quoted: {:?}", clauses[0].also);
}

#[test]
fn a_last_day_is_inside_and_a_first_day_without_is_not() {
    for (text, day) in [
        ("Directive 98/9001/EC shall cease to have effect on 31 December 2012.", "2013-01-01"),
        ("Directive 98/9001/EC shall cease to have effect from 31 December 2012.", "2012-12-31"),
        (
            "The following Directives shall lapse on 31 December 2012: Directive 98/9001/EC; Directive 98/9002/EC.",
            "2013-01-01",
        ),
    ] {
        assert!(operative(text).iter().all(|c| c.start == on(day) && c.until.is_none()), "{text}");
        assert!(!operative(text).is_empty(), "{text}");
    }
}

#[test]
fn a_heading_in_one_line_with_its_words_does_not_hide_them() {
    for text in [
        "Repealing provisions Directives 98/9001/EC and 98/9002/EC are hereby repealed.",
        "Repeal of Directive 98/9001/EC Directive 98/9001/EC is repealed.",
        "Final provisions Directive 98/9001/EC is repealed.",
    ] {
        assert!(operative(text).iter().any(|c| c.target.as_str() == "31998L9001"), "{text}");
    }
    let own = life("Entry into force This Regulation shall enter into force on 1 January 1987.");
    assert_eq!(own, [(TermKind::EntryIntoForce, String::new(), on("1987-01-01"))]);
}

#[test]
fn parts_have_days_of_their_own_outside_the_last_article() {
    assert_eq!(
        life("By way of derogation from paragraph 1, Article 131 shall apply from 1 January 2016."),
        [(TermKind::Application, "131".to_string(), on("2016-01-01"))]
    );
    let own = terms::read("Paragraphs 1 and 2 shall apply until 31 December 2006.", "");
    let place = "57(3)".parse().expect("a part");
    let parts = own[0].own.as_ref().expect("named from here").parts(&place);
    assert_eq!(parts.iter().map(ToString::to_string).collect::<Vec<_>>(), ["57(1)", "57(2)"]);
    assert_eq!((own[0].kind, &own[0].at), (TermKind::Expiry, &on("2006-12-31")));
}

/// Kind, parts, moment.
fn life(text: &str) -> Vec<(TermKind, String, When)> {
    let drafts = terms::read(text, "");
    let parts = |d: &terms::Draft| d.parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    drafts.iter().map(|d| (d.kind, parts(d), d.at.clone())).collect()
}

fn on(day: &str) -> When {
    When::On { day: day.parse().expect("a day") }
}

#[test]
fn an_act_tells_its_own_life() {
    let days = |days| When::Publication(Offset { days, ..Offset::default() });
    assert_eq!(
        life(
            "This Regulation shall enter into force on the twentieth day following that of its publication in the \
             Official Journal of the European Union.\nIt shall apply from 25 May 2018 until 31 December 2020, with the \
             exception of Articles 4 to 6, which shall apply from 1 June 2017."
        ),
        [
            (TermKind::EntryIntoForce, String::new(), days(20)),
            (TermKind::Expiry, String::new(), on("2020-12-31")),
            (TermKind::Application, String::new(), on("2018-05-25")),
            (TermKind::Application, "4 5 6".to_string(), on("2017-06-01")),
        ]
    );
    assert_eq!(
        life("This Decision shall take effect on the day of its notification."),
        [(TermKind::Notification, String::new(), When::Notification)]
    );
    assert_eq!(
        life("This Regulation shall enter into force on 1 January 1987.\nIt shall expire on 31 December 1989."),
        [
            (TermKind::EntryIntoForce, String::new(), on("1987-01-01")),
            (TermKind::Expiry, String::new(), on("1989-12-31")),
        ]
    );
    assert_eq!(
        life("This Regulation shall enter into force and apply on the third day following that of its publication."),
        [(TermKind::Application, String::new(), days(3)), (TermKind::EntryIntoForce, String::new(), days(3))]
    );
}

#[test]
fn member_states_have_a_last_day() {
    let text = "Member States shall adopt and publish, before 1 July 2016, the provisions necessary to comply with this \
                Directive.\nThey shall apply those provisions from 3 January 2017.";
    assert_eq!(
        life(text),
        [
            (TermKind::Transposition, String::new(), on("2016-06-30")),
            (TermKind::Application, String::new(), on("2017-01-03")),
        ]
    );
}

/// Words that provisions are made of, in any order.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "Regulation (EC) No 9001/2001",
        "Directive 98/9002/EC",
        "Regulation No 17",
        "Articles 3, 4 and 6 of",
        "Article 8(3)",
        "is repealed",
        "are amended as follows:",
        "with effect from",
        "1 May 2004",
        "until 31 December 2010",
        "‘",
        "’",
        "\"",
        "“",
        "”",
        "'",
        "`",
        "with the exception of",
        "However,",
        "It shall continue to apply",
        ". ",
        "\n",
        ", ",
        " and ",
        "thereof",
        "this Regulation",
        "shall enter into force on",
        "the twentieth day following its publication",
        "<act>",
        "<",
        ">",
        "for:",
        "read:",
        "On page 4,",
        "ä",
        "\u{a0}",
        "supplementing",
        "amending",
        "which",
        "by",
        "In",
        "The acts listed in Annex I",
        "are repealed",
        "Article 69 is replaced by the following:",
        "‘31 December 2010’ is replaced by ‘31 December 2012’",
        "Paragraph 1",
        "This Article shall apply until",
        "Upon the entry into force of the Convention,",
        "shall cease to have effect on",
        "Chapter II of Title IV of",
        "the Annex",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_that_is_written_breaks_the_reading(text in prop_oneof![words(), "\\PC{0,200}"]) {
        for number in ["32020R9000", "32020R9000R(01)"] {
            let acting: Celex = number.parse().expect("a number");
            for place in [Place::Title, Place::Operative(None)] {
                for clause in provision(&text, &place, &acting, &registry_once()) {
                    prop_assert!(clause.target != acting);
                    prop_assert_eq!(text.get(clause.quote.span.start..clause.quote.span.end), Some(clause.quote.text.as_str()));
                }
            }
        }
        let _ = terms::read(&text, "Entry into force");
    }
}

fn registry_once() -> Registry {
    static ONCE: std::sync::LazyLock<Registry> = std::sync::LazyLock::new(registry);
    ONCE.clone()
}

#[test]
fn long_provisions_take_time_in_proportion() {
    let time = |n: usize| {
        let text = "‘Directive 98/9002/EC, which Article 5 of this Regulation names from 1 May 2004, ‘ and ".repeat(n);
        let clock = std::time::Instant::now();
        let _ = operative(&text);
        clock.elapsed()
    };
    let _ = time(10);
    // Eight times the length: squared growth would take 64 times as long. The least of a few is what a busy machine
    // took nothing from.
    let least = |n| (0..5).map(|_| time(n)).min().unwrap_or_default();
    let (short, long) = (least(400), least(3200));
    assert!(long < short * 30 + std::time::Duration::from_millis(200), "{short:?} {long:?}");
}

#[test]
fn designations_are_read_in_their_document() {
    assert_eq!(provisions::designation("Regulation No 17").as_deref(), Some("Regulation 17"));
    assert_eq!(provisions::designation("Council Regulation No 141").as_deref(), Some("Regulation 141"));
    assert_eq!(provisions::designation("Regulation (EC) No 1/2003"), None);
}
