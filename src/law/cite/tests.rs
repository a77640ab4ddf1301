use super::*;
use proptest::prelude::*;

/// CELEX numbers of the citations in a text; `?` where there is none.
fn acts(text: &str) -> Vec<String> {
    cite(text).into_iter().map(|c| c.celex.map_or("?".into(), |x| x.to_string())).collect()
}

fn parts(text: &str) -> Vec<String> {
    cite(text).iter().flat_map(|c| &c.parts).map(ToString::to_string).collect()
}

#[test]
fn kinds_and_orders() {
    let rows: &[(&str, &[&str])] = &[
        ("Council Directive 93/104/EC", &["31993L0104"]),
        ("COUNCIL REGULATION (EEC) No 1408/71 of 14 June 1971", &["31971R1408"]),
        ("Regulation (EEC, Euratom, ECSC) No 259/68", &["31968R0259"]),
        ("Regulation (EU, Euratom) 2018/1046", &["32018R1046"]),
        ("Regulation No 120/67/EEC", &["31967R0120"]),
        ("Regulation No 99/63/EEC", &["31963R0099"]),
        ("Regulation No. 44/2001", &["32001R0044"]),
        ("Regulation (EC) 1049/2001", &["32001R1049"]),
        ("Regulation No (EU) 1093/2010", &["32010R1093"]),
        ("Regulation (EU) No 2016/679", &["32016R0679"]),
        ("Regulation (EU) 2016/79", &["32016R0079"]),
        ("Regulation 2018/1999", &["?"]),
        ("Directive (EU) 2016/680", &["32016L0680"]),
        ("Directive No 70/524/EEC", &["31970L0524"]),
        ("Decision No 1639/2006/EC", &["32006D1639"]),
        ("Decision No 2119/98/EC", &["31998D2119"]),
        ("Council Decision 94/728/EC, Euratom", &["31994D0728"]),
        ("Commission Decision No 2424/88/ECSC", &["31988S2424"]),
        ("Decision (CFSP) 2015/1333", &["32015D1333"]),
        ("Council Framework Decision 2002/584/JHA", &["32002F0584"]),
        ("Joint Action 98/700/JHA", &["31998F0700"]),
        ("Common Position 2001/931/CFSP", &["32001E0931"]),
        ("Recommendation (EU) 2019/1318", &["32019H1318"]),
        ("Guideline (EU) 2015/510", &["32015O0510"]),
        ("Opinion 2/13", &["62013CV0002"]),
        ("Regulation No 17", &["31962R0017"]),
        ("Regulation No 17 of 6 February 1962", &["31962R0017"]),
        ("UN Regulation No 48", &[]),
        ("Regulation No 13 of the Economic Commission for Europe", &[]),
        ("Regulation No 3", &["?"]),
        ("the decision in 12/2019", &[]),
        ("Regulation (EC) No 1/20015a", &[]),
        ("this Regulation, 12/2004", &[]),
        ("CELEX 32016R0679R(02), and 31995L0046.", &["32016R0679R(02)", "31995L0046"]),
        ("a directive of 2001/83", &[]),
        ("Directive 2004/9035/CE", &["32004L9035"]),
        ("Regulation (EU) No1093/2010", &["32010R1093"]),
        ("Regulation (EU) 2022/2580of 17 June", &["32022R2580"]),
        ("Regulation EU 2021/1119", &["32021R1119"]),
        ("Decision of the European Parliament and of the Council 2003/9429/EC", &["32003D9429"]),
        ("Council Directive of 20 January 1976 on the weight of bales (76/9211/EEC)", &["31976L9211"]),
        ("87/9598/EEC: Commission Recommendation of 8 December 1987", &["31987H9598"]),
        ("the list (76/9211/EEC) and the value 76/9212/EEC", &[]),
        ("Regulation (Euratom) 2016/52", &["32016R0052"]),
        ("Regulation (Euratom) No 2016/79", &["31979R2016"]),
        ("Regulation 2016/79", &["?"]),
        ("Commission Recommendation 77/9330/ECSC", &["31977K9330"]),
        ("Recommendation 83/9571/EEC, ECSC", &["31983H9571"]),
        ("Council Common Strategy 1999/9414/CFSP", &["31999E9414"]),
        ("Regulation(EU) 2016/679", &["32016R0679"]),
        ("regulation(s) 12/2004", &[]),
    ];
    for (text, want) in rows {
        assert_eq!(acts(text), *want, "{text}");
    }
}

#[test]
fn lists_under_one_head() {
    let rows: &[(&str, &[&str])] = &[
        ("Regulations (EEC) No 1/71 and (EC) No 2/2001", &["31971R0001", "32001R0002"]),
        (
            "Regulations (EC) No 9001/2009, (EU) No 9002/2010 and (EU) 2016/9003",
            &["32009R9001", "32010R9002", "32016R9003"],
        ),
        ("Directives 73/9239/EEC, 74/9557/EEC and (EU) 2015/9366", &["31973L9239", "31974L9557", "32015L9366"]),
        (
            "Directives 89/391/EEC (3) of the European Parliament and of the Council, and 92/57/EEC",
            &["31989L0391", "31992L0057"],
        ),
        ("Directive 95/46/EC and Regulation (EU) 2016/679, 12/2004", &["31995L0046", "32016R0679"]),
        ("Regulation (EC) No 1/2003, 25 of them", &["32003R0001"]),
        ("Regulations (EU) No 1093/2010 and of (EU) No 1095/2010", &["32010R1093", "32010R1095"]),
        ("Regulations Nos 1/58 and 3/58", &["31958R0001", "31958R0003"]),
        ("Directive 2004/9038/EC, as amended by Directive 2011/9002/EU", &["32004L9038", "32011L9002"]),
    ];
    for (text, want) in rows {
        assert_eq!(acts(text), *want, "{text}");
    }
}

#[test]
fn offsets_are_bytes_of_the_text() {
    let text = "« Under Article\u{a0}5(2) of Regulation (EC) No\u{a0}9001/1999, the ‘fee’ »";
    let found = cite(text);
    assert_eq!(&text[found[0].start..found[0].end], found[0].text);
    assert_eq!(found[0].text, "Regulation (EC) No\u{a0}9001/1999");
    assert!(text[found[0].parts_start..].starts_with("Article\u{a0}5(2)"));
    let list = cite("Regulations (EU) No 1093/2010 and (EU) No 1094/2010");
    assert_eq!(list[1].text, "(EU) No 1094/2010");
}

#[test]
fn parts_bound_to_acts() {
    let rows: &[(&str, &[&str])] = &[
        ("Article 6a of Directive 95/46/EC", &["6a"]),
        ("Article 8 (3) of Regulation No 17", &["8(3)"]),
        ("point (a) of Article 6(1) of Regulation (EU) 2016/679", &["6(1)(a)"]),
        ("Article 6(1), point (a), of Regulation (EU) 2016/679", &["6(1)(a)"]),
        ("points (a) to (c) of Article 6(1) of Regulation (EU) 2016/679", &["6(1)(a)", "6(1)(b)", "6(1)(c)"]),
        ("paragraphs 1 and 2 of Article 5 of Directive 95/46/EC", &["5(1)", "5(2)"]),
        ("point (b) of the first subparagraph of Article 4(1) of Directive 95/46/EC", &["4(1)(b)"]),
        ("the second subparagraph of Article 4(1) of Council Directive 95/46/EC", &["4(1)"]),
        ("Article 4(1), second subparagraph, of Directive 95/46/EC", &["4(1)"]),
        ("Annexes I to IV to Directive 95/46/EC", &["Annex I", "Annex II", "Annex III", "Annex IV"]),
        ("the Annex to Commission Decision 2004/9421/EC", &["Annex"]),
        ("Article 5 and Annex II to Directive 95/46/EC", &["5", "Annex II"]),
        ("Section 2 of Chapter III of Regulation (EU) 2016/679", &["Section 2"]),
        ("Articles 5(1) to (3) of Directive 95/46/EC", &["5(1)", "5(2)", "5(3)"]),
        ("Articles 5a to 5c of Directive 95/46/EC", &["5a", "5b", "5c"]),
        ("Articles 7 and 8, under Directive 95/46/EC", &["7", "8"]),
        ("Article 5. Directive 95/46/EC", &[]),
        ("Articles 5, 6 and 30 % of the sums under Directive 95/46/EC", &[]),
        ("Article 20, first paragraph, point (a)(ii), of Directive 95/46/EC", &["20(a)(ii)"]),
        ("Article 5(3) of Fourth Council Directive 78/660/EEC", &["5(3)"]),
        ("Article 2, points (2) and (3), respectively, of Directive 95/46/EC", &["2(2)", "2(3)"]),
        ("Annex IIA to Directive 95/46/EC", &["Annex IIA"]),
        ("Article 56 of Directive 95/46/EC, of Directive 96/9/EC and of Directive 97/7/EC", &["56", "56", "56"]),
        ("Article 5 of Regulations (EC) No 9001/2001 and (EC) No 9002/2001", &["5", "5"]),
        ("recital 26 of Regulation (EU) 2016/679", &["Recital 26"]),
        ("point 3 of Annex II to Directive 95/46/EC", &["Annex II(3)"]),
    ];
    for (text, want) in rows {
        assert_eq!(parts(text), *want, "{text}");
    }
}

#[test]
fn doubts_have_reasons() {
    let rows = [
        ("Decision No 1/80 of the Association Council", Some(Reason::AgreementBody), 0),
        ("Decision No 1/95 of the EC-Turkey Association Council", Some(Reason::AgreementBody), 0),
        ("EEA Joint Committee Decision No 94/1999", Some(Reason::AgreementBody), 0),
        ("Decision of the EEA Joint Committee No 154/2018", Some(Reason::AgreementBody), 0),
        ("Decision of the EC-Turkey Association Council No 1/95", Some(Reason::AgreementBody), 0),
        ("Case 26-62", Some(Reason::KindNotStated), 3),
        ("Decision No 1/80", Some(Reason::BodyNotNamed), 1),
        ("Regulation (EU) 3021/4055", Some(Reason::NoPlausibleYear), 0),
        ("Regulation 2018/1999", Some(Reason::TwoReadings), 2),
        ("Case C-131/12", Some(Reason::KindNotStated), 3),
        ("COM(2021) 206 final", Some(Reason::TypeNotInIdentifier), 2),
        ("the judgment in Case C-131/12", None, 0),
        ("SWD(2021) 206", None, 0),
    ];
    for (text, reason, candidates) in rows {
        let found = cite(text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].reason, found[0].candidates.len()), (reason, candidates), "{text}");
        assert_eq!(found[0].celex.is_some(), reason.is_none(), "{text}");
    }
}

#[test]
fn cases_of_old_and_torn_cases() {
    let rows: &[(&str, &[&str])] = &[
        ("Judgment of the Court of 5 February 1963, Van Gend en Loos, Case 26-62", &["61962CJ0026"]),
        ("judgment in Case C- 131/12", &["62012CJ0131"]),
        ("judgment in Case C\u{2013} 131/12", &["62012CJ0131"]),
        ("judgment in Case 26-15", &[]),
        ("in case 60-80 % of the sums are paid", &[]),
        ("the judgment, vitamin C- 131/12", &[]),
    ];
    for (text, want) in rows {
        assert_eq!(acts(text), *want, "{text}");
    }
}

#[test]
fn an_article_behind_its_act_is_bound_where_nothing_follows() {
    assert_eq!(parts("Regulation (EU) 2016/679, Article 17"), ["17"]);
    assert_eq!(parts("as before (see Regulation (EU) 2016/679, Articles 17 and 18), the fee"), ["17", "18"]);
    assert!(parts("Under Regulation (EU) 2016/679, Article 17 applies.").is_empty());
    assert!(parts("Regulation (EU) 2016/679 Article 17").is_empty());
}

#[test]
fn what_no_longer_applies_is_a_short_form_all_the_same() {
    let targets = |text: &str| -> Vec<(Option<String>, bool)> {
        let short = references(text, None).into_iter().filter(|c| c.short);
        short.map(|c| (c.nearest().map(ToString::to_string), c.celex.is_some())).collect()
    };
    let decision = Some("32001D0462".to_string());
    assert_eq!(targets("Decision 2001/462/EC ended. Article 2 of the Decision no longer applies."), [(decision, true)]);
    let last = Some("32002L0058".to_string());
    let two = "Directive 95/46/EC was followed by Directive 2002/58/EC. Article 15 of that Directive applies.";
    assert_eq!(targets(two), [(last, false)]);
    assert_eq!(targets("Article 15 of that Directive applies."), [(None, false)]);
    let unread = "Regulation (EC) No 1/2001 and Regulation 2018/1999 end. Article 1 of that Regulation";
    assert_eq!(targets(unread), [(None, false)]);
}

#[test]
fn short_forms_are_resolved_only_where_certain() {
    let own: Celex = "32020R9001".parse().unwrap();
    let rows: &[(&str, &[Option<&str>])] = &[
        (
            "Directive 95/46/EC applies. Article 28 of that Directive is replaced.",
            &[Some("31995L0046"), Some("31995L0046")],
        ),
        ("This Regulation repeals it.", &[Some("32020R9001")]),
        ("The Directive applies.", &[None]),
        (
            "Regulations (EC) No 1/2001 and (EC) No 2/2002 end. That Regulation",
            &[Some("32001R0001"), Some("32002R0002"), None],
        ),
        ("the Regulation (EU) 2016/679", &[Some("32016R0679")]),
    ];
    for (text, want) in rows {
        let found: Vec<_> = references(text, Some(&own)).into_iter().map(|c| c.celex.map(|x| x.to_string())).collect();
        assert_eq!(found, want.iter().map(|w| w.map(String::from)).collect::<Vec<_>>(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "(Regulations?|Directive|Decision No|Articles?|\\(EC\\)|No|of|and|,|/|[0-9]{1,5}|EC|\u{a0}| |\\(|\\)|C-|COM\\(|é){0,30}") {
        for citation in references(&text, None) {
            prop_assert_eq!(&text[citation.start..citation.end], citation.text.as_str());
            prop_assert!(citation.parts_start <= citation.start || citation.parts.is_empty());
            prop_assert!(citation.celex.is_some() != citation.reason.is_some());
        }
    }

    #[test]
    fn what_is_printed_is_read(year in 1958_u16..2024, number in 1_u16..9999) {
        let late = year >= 2015;
        let text = match year {
            2015.. => format!("Regulation (EU) {year}/{number}"),
            2010.. => format!("Regulation (EU) No {number}/{year}"),
            1999.. => format!("Regulation (EC) No {number}/{year}"),
            1994.. => format!("Regulation (EC) No {number}/{}", year % 100),
            _ => format!("Regulation (EEC) No {number}/{}", year % 100),
        };
        prop_assert_eq!(acts(&text), vec![format!("3{year}R{number:04}")], "{} {}", text, late);
    }
}
