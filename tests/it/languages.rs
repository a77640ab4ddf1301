//! Citations in the official languages: real forms of the words, and the titles of the notices in the corpus.

use crate::corpus::corpus;
use legal_link::build::Rubrics;
use legal_link::law::{Celex, Citation, Language, Languages};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static LANGUAGES: LazyLock<Languages> =
    LazyLock::new(|| Rubrics::shipped().languages().unwrap_or_else(|e| panic!("{e}")));

/// `32016R0679#5(2)(a),6 ?`: acts with their parts; `?` where there is no certain act.
fn told(citation: &Citation) -> String {
    let act = citation.celex.as_ref().map_or("?", Celex::as_str);
    let parts: Vec<String> = citation.parts.iter().map(ToString::to_string).collect();
    if parts.is_empty() { act.to_string() } else { format!("{act}#{}", parts.join(",")) }
}

/// Citations and short forms, with `32020R9001` for the act whose text it is.
fn read(language: &str, text: &str) -> String {
    let own: Option<Celex> = "32020R9001".parse().ok();
    let wording = LANGUAGES.wording(language.parse().expect("a code")).expect("an official language");
    wording.references(text, own.as_ref()).iter().map(told).collect::<Vec<_>>().join(" ")
}

fn all(language: &str, rows: &[(&str, &str)]) {
    for (text, want) in rows {
        assert_eq!(read(language, text), *want, "{language}: {text}");
    }
}

#[test]
fn french() {
    all(
        "fra",
        &[
            ("le règlement (CEE) n° 1408/71 du Conseil, du 14 juin 1971", "31971R1408"),
            ("l'article 5, paragraphe 2, point a), du règlement (UE) 2016/679", "32016R0679#5(2)(a)"),
            ("les articles 5, 6 et 7, paragraphe 2, de la directive 95/46/CE", "31995L0046#5,6,7(2)"),
            ("l'article premier de la décision 2010/48/CE", "32010D0048#1"),
            ("point a) de l'article 6, paragraphe 1, du règlement (UE) 2016/679", "32016R0679#6(1)(a)"),
            (
                "la directive 95/46/CE s'applique. L'article 28 de ladite directive est remplacé.",
                "31995L0046 31995L0046#28",
            ),
            (
                "La présente directive abroge la directive 95/46/CE et l'article 3 de cette directive.",
                "32020R9001 31995L0046 31995L0046#3",
            ),
            (
                "les règlements (UE) no 1093/2010, (UE) no 1094/2010 et (UE) no 1095/2010",
                "32010R1093 32010R1094 32010R1095",
            ),
            ("décision-cadre 2002/584/JAI", "32002F0584"),
            ("Règlement d'exécution (UE) 2016/9 de la Commission", "32016R0009"),
            ("règlement délégué (UE) no 241/2014", "32014R0241"),
            ("décision n° 1639/2006/CE du Parlement européen et du Conseil", "32006D1639"),
            ("décision n° 1/80 du conseil d'association", "?"),
            ("position commune 2001/931/PESC", "32001E0931"),
            ("arrêt dans l'affaire C-131/12", "62012CJ0131"),
            ("l'article 5 bis du règlement (CE) no 1/2003", "32003R0001#5bis"),
            ("REGLEMENT (CE) No 2006/2004", "32004R2006"),
            ("Directive du Conseil, du 20 janvier 1976, concernant le poids (76/211/CEE)", "31976L0211"),
            ("le règlement no 17 du Conseil", "31962R0017"),
            ("recommandation 2003/361/CE", "32003H0361"),
            ("à l'article 4, premier alinéa, et à l'article 6 du règlement (UE) 2016/679", "32016R0679#4,6"),
            ("l'annexe II du règlement (CE) no 1/2003", "32003R0001#Annex II"),
            (
                "le règlement (UE) 2016/679 remplace le règlement (CE) no 45/2001. L'article 3 dudit règlement",
                "32016R0679 32001R0045 ?#3",
            ),
            (
                "en vertu de l'article 3 dudit règlement. Le règlement (CE) no 1/2003. L'article 3 dudit règlement",
                "?#3 32003R0001 32003R0001#3",
            ),
            (
                "l'article 5, paragraphe 1, premier alinéa, points a) et b), et l'annexe I du règlement (UE) 2016/679",
                "32016R0679#5(1)(a),5(1)(b),Annex I",
            ),
        ],
    );
}

#[test]
fn german() {
    all(
        "deu",
        &[
            ("Artikel 5 Absatz 2 Buchstabe a der Verordnung (EU) 2016/679", "32016R0679#5(2)(a)"),
            ("Verordnung (EWG) Nr. 1408/71 des Rates vom 14. Juni 1971", "31971R1408"),
            ("Artikel 5, 6 und 7 Absatz 2 der Richtlinie 95/46/EG", "31995L0046#5,6,7(2)"),
            (
                "die Richtlinie 95/46/EG gilt. Artikel 28 der genannten Richtlinie wird ersetzt.",
                "31995L0046 31995L0046#28",
            ),
            ("Diese Verordnung ersetzt die Verordnung (EG) Nr. 45/2001.", "32020R9001 32001R0045"),
            ("Anhang II der Verordnung (EG) Nr. 1/2003", "32003R0001#Annex II"),
            ("Durchführungsverordnung (EU) Nr. 1151/2014 der Kommission", "32014R1151"),
            ("Delegierte Verordnung (EU) 2016/522", "32016R0522"),
            ("Rahmenbeschluss 2002/584/JI des Rates", "32002F0584"),
            ("Beschluss Nr. 1/80 des Assoziationsrates", "?"),
            ("Beschluss Nr. 1639/2006/EG", "32006D1639"),
            ("Entscheidung 2010/48/EG", "32010D0048"),
            ("Gemeinsamer Standpunkt 2001/931/GASP", "32001E0931"),
            (
                "die Verordnungen (EU) Nr. 1093/2010, (EU) Nr. 1094/2010 und (EU) Nr. 1095/2010",
                "32010R1093 32010R1094 32010R1095",
            ),
            (
                "Artikel 6 Absatz 1 Unterabsatz 1 Buchstaben a bis c der Verordnung (EU) 2016/679",
                "32016R0679#6(1)(a),6(1)(b),6(1)(c)",
            ),
            ("Urteil in der Rechtssache C-131/12", "62012CJ0131"),
            ("Artikel 23 der Verordnung gilt.", "?#23"),
            ("Empfehlung 2003/361/EG", "32003H0361"),
            ("die Verordnung (EU) 2016/679. Artikel 23 der Verordnung gilt.", "32016R0679 32016R0679#23"),
            ("Verordnung Nr. 17 des Rates", "31962R0017"),
            ("Art. 5 Abs. 2 der Verordnung (EG) Nr. 2006/2004", "32004R2006#5(2)"),
            ("Nach Artikel 5 dieser Verordnung und Artikel 6 der Richtlinie 95/46/EG", "32020R9001#5 31995L0046#6"),
        ],
    );
}

#[test]
fn italian() {
    all(
        "ita",
        &[
            ("regolamento (CEE) n. 1408/71 del Consiglio, del 14 giugno 1971", "31971R1408"),
            ("articolo 5, paragrafo 2, lettera a), del regolamento (UE) 2016/679", "32016R0679#5(2)(a)"),
            ("gli articoli 5, 6 e 7, paragrafo 2, della direttiva 95/46/CE", "31995L0046#5,6,7(2)"),
            ("decisione quadro 2002/584/GAI", "32002F0584"),
            ("la direttiva 95/46/CE. L'articolo 28 di tale direttiva è sostituito.", "31995L0046 31995L0046#28"),
            ("Il presente regolamento abroga il regolamento (CE) n. 45/2001", "32020R9001 32001R0045"),
            ("regolamento di esecuzione (UE) n. 1151/2014", "32014R1151"),
            ("all'articolo 5 bis del regolamento (CE) n. 1/2003", "32003R0001#5bis"),
            ("decisione n. 1/80 del consiglio di associazione", "?"),
            ("sentenza nella causa C-131/12", "62012CJ0131"),
            ("l'allegato II della direttiva 95/46/CE", "31995L0046#Annex II"),
            ("articolo 4, primo comma, del regolamento (CE) n. 1/2003", "32003R0001#4"),
            ("i regolamenti (UE) n. 1093/2010 e (UE) n. 1095/2010", "32010R1093 32010R1095"),
        ],
    );
}

#[test]
fn spanish() {
    all(
        "spa",
        &[
            ("Reglamento (CEE) n.o 1408/71 del Consejo, de 14 de junio de 1971", "31971R1408"),
            ("artículo 5, apartado 2, letra a), del Reglamento (UE) 2016/679", "32016R0679#5(2)(a)"),
            ("los artículos 5, 6 y 7, apartado 2, de la Directiva 95/46/CE", "31995L0046#5,6,7(2)"),
            ("Decisión Marco 2002/584/JAI del Consejo", "32002F0584"),
            ("la Directiva 95/46/CE. El artículo 28 de dicha Directiva se sustituye.", "31995L0046 31995L0046#28"),
            ("El presente Reglamento deroga el Reglamento (CE) n.º 45/2001", "32020R9001 32001R0045"),
            ("Reglamento de Ejecución (UE) n° 1151/2014", "32014R1151"),
            ("Decisión n.o 1/80 del Consejo de Asociación", "?"),
            ("sentencia en el asunto C-131/12", "62012CJ0131"),
            ("artículo 4, párrafo primero, del Reglamento (CE) n.o 1/2003", "32003R0001#4"),
            ("el anexo II de la Directiva 95/46/CE", "31995L0046#Annex II"),
            ("Reglamentos (UE) n.os 1093/2010 y (UE) n.o 1095/2010", "32010R1093 32010R1095"),
        ],
    );
}

#[test]
fn the_other_official_languages() {
    all(
        "bul",
        &[
            ("Регламент (ЕИО) № 1408/71 на Съвета", "31971R1408"),
            ("член 5, параграф 2, буква а) от Регламент (ЕС) 2016/679", "32016R0679#5(2)(а)"),
            ("Рамково решение 2002/584/ПВР", "32002F0584"),
            ("Директива 95/46/ЕО", "31995L0046"),
        ],
    );
    all(
        "ces",
        &[
            ("nařízením Rady (EHS) č. 1408/71", "31971R1408"),
            ("čl. 5 odst. 2 písm. a) nařízení (EU) 2016/679", "32016R0679#5(2)(a)"),
            ("rámcového rozhodnutí Rady 2002/584/SVV", "32002F0584"),
            ("směrnicí 95/46/ES", "31995L0046"),
            ("nařízení Evropského parlamentu a Rady (ES) č. 2006/2004 ze dne 27. října 2004", "32004R2006"),
        ],
    );
    all(
        "dan",
        &[
            ("forordningens artikel 5, forordning (EØF) nr. 1408/71", "31971R1408"),
            ("Rådets rammeafgørelse 2002/584/RIA", "32002F0584"),
            ("artikel 5, stk. 2, litra a), i forordning (EU) 2016/679", "32016R0679#5(2)(a)"),
            ("direktivet 95/46/EF", "31995L0046"),
        ],
    );
    all(
        "ell",
        &[
            ("κανονισμού (ΕΟΚ) αριθ. 1408/71", "31971R1408"),
            ("το άρθρο 5 του κανονισμού (ΕΕ) 2016/679", "32016R0679#5"),
            ("απόφαση-πλαίσιο 2002/584/ΔΕΥ", "32002F0584"),
            ("ΟΔΗΓΙΑ 95/46/ΕΚ", "31995L0046"),
            ("αποφάσεως 2010/48/ΕΚ", "32010D0048"),
        ],
    );
    all(
        "est",
        &[
            ("määrusega (EMÜ) nr 1408/71", "31971R1408"),
            ("määruse (EL) 2016/679 artikli 5 lõike 2", "32016R0679#5(2)"),
            ("nõukogu raamotsuses 2002/584/JSK", "32002F0584"),
        ],
    );
    all(
        "fin",
        &[
            ("asetuksessa (ETY) N:o 1408/71", "31971R1408"),
            ("asetuksen (EU) 2016/679 5 artiklan", "32016R0679#5"),
            ("puitepäätöksessä 2002/584/YOS", "32002F0584"),
            ("direktiivissä 95/46/EY", "31995L0046"),
            ("delegoidun asetuksen (EU) N:o 241/2014", "32014R0241"),
            ("asetuksen (EU) 2016/679 5, 6 ja 7 artiklan", "32016R0679#5,6,7"),
        ],
    );
    all(
        "gle",
        &[
            ("Rialachán (CEE) Uimh. 1408/71 ón gComhairle", "31971R1408"),
            ("Airteagal 5 de Rialachán (AE) 2016/679", "32016R0679#5"),
            ("Threoir 95/46/CE", "31995L0046"),
            ("gCreatchinneadh 2002/584/CGB", "32002F0584"),
        ],
    );
    all(
        "hrv",
        &[
            ("Uredbom (EEZ) br. 1408/71", "31971R1408"),
            ("članka 5. stavka 2. Uredbe (EU) 2016/679", "32016R0679#5(2)"),
            ("Okvirne odluke Vijeća 2002/584/PUP", "32002F0584"),
            ("članka 5. stavka 2. točke (a) Uredbe (EU) 2016/679", "32016R0679#5(2)(a)"),
            ("članaka 5. i 6. Uredbe (EU) 2016/679", "32016R0679#5,6"),
        ],
    );
    all(
        "hun",
        &[
            ("az 1408/71/EGK tanácsi rendelet", "31971R1408"),
            ("a 95/46/EK európai parlamenti és tanácsi irányelv", "31995L0046"),
            ("a 2002/584/IB tanácsi kerethatározat", "32002F0584"),
            ("az (EU) 2016/679 rendelet 5. cikke", "32016R0679#5"),
            ("a 2006/2004/EK rendelettel", "32004R2006"),
            ("az 1639/2006/EK határozat", "32006D1639"),
            ("a 2010/48/EK bizottsági határozatban", "32010D0048"),
            ("az (EU) 2016/679 rendelet 5. és 6. cikke", "32016R0679#5,6"),
            ("A Tanács 1408/71/EGK rendelete", "31971R1408"),
            ("az 1093/2010/EU, az 1094/2010/EU és az 1095/2010/EU rendelet", "32010R1093 32010R1094 32010R1095"),
        ],
    );
    all(
        "lav",
        &[
            ("Regulā (EEK) Nr. 1408/71", "31971R1408"),
            ("Regulas (ES) 2016/679 5. pantā", "32016R0679#5"),
            ("Pamatlēmuma 2002/584/TI", "32002F0584"),
            ("Direktīvai 95/46/EK", "31995L0046"),
        ],
    );
    all(
        "lit",
        &[
            ("Reglamente (EEB) Nr. 1408/71", "31971R1408"),
            ("Reglamento (ES) 2016/679 5 straipsnio", "32016R0679#5"),
            ("Tarybos pagrindų sprendimas 2002/584/TVR", "32002F0584"),
            ("Direktyvą 95/46/EB", "31995L0046"),
        ],
    );
    all(
        "mlt",
        &[
            ("ir-Regolament (KEE) Nru 1408/71", "31971R1408"),
            ("l-Artikolu 5 tar-Regolament (UE) 2016/679", "32016R0679#5"),
            ("id-Deċiżjoni Qafas 2002/584/ĠAI", "32002F0584"),
            ("tad-Direttiva 95/46/KE", "31995L0046"),
        ],
    );
    all(
        "nld",
        &[
            ("Kaderbesluit 2002/584/JBZ", "32002F0584"),
            ("artikel 5, lid 2, onder a), van Verordening (EU) 2016/679", "32016R0679#5(2)(a)"),
            ("Verordening (EEG) nr. 1408/71 van de Raad van 14 juni 1971", "31971R1408"),
            ("Besluit nr. 1639/2006/EG", "32006D1639"),
        ],
    );
    all(
        "pol",
        &[
            ("rozporządzenie (EWG) nr 1408/71", "31971R1408"),
            ("art. 5 ust. 2 lit. a) rozporządzenia (UE) 2016/679", "32016R0679#5(2)(a)"),
            ("decyzja Komisji 2010/48/WE", "32010D0048"),
            ("decyzji ramowej Rady 2002/584/WSiSW", "32002F0584"),
            ("dyrektywą 95/46/WE", "31995L0046"),
            ("rozporządzeń Rady (WE) nr 1/2003 i (WE) nr 2/2004", "32003R0001 32004R0002"),
        ],
    );
    all(
        "por",
        &[
            ("Regulamento (CEE) n.º 1408/71", "31971R1408"),
            ("artigo 5.o, n.o 2, alínea a), do Regulamento (UE) 2016/679", "32016R0679#5(2)(a)"),
            ("Decisão-Quadro 2002/584/JAI", "32002F0584"),
        ],
    );
    all(
        "ron",
        &[
            ("Regulamentului (CEE) nr. 1408/71", "31971R1408"),
            ("articolul 5 alineatul (2) litera (a) din Regulamentul (UE) 2016/679", "32016R0679#5(2)(a)"),
            ("Deciziei-cadru 2002/584/JAI", "32002F0584"),
            ("Directivei 95/46/CE", "31995L0046"),
        ],
    );
    all(
        "slk",
        &[
            ("nariadeniami (ES) č. 1/2003 a (ES) č. 2/2004", "32003R0001 32004R0002"),
            ("rámcového rozhodnutia Rady 2002/584/SVV", "32002F0584"),
        ],
    );
    all(
        "slv",
        &[
            ("Uredbo (EGS) št. 1408/71", "31971R1408"),
            ("Okvirni sklep Sveta 2002/584/PNZ", "32002F0584"),
            ("člena 5 Uredbe (EU) 2016/679", "32016R0679#5"),
        ],
    );
    all(
        "swe",
        &[
            ("förordningen (EEG) nr 1408/71", "31971R1408"),
            ("artikel 5.2 a i förordning (EU) 2016/679", "32016R0679#5(2)(a)"),
            ("rådets rambeslut 2002/584/RIF", "32002F0584"),
            ("direktivet 95/46/EG", "31995L0046"),
            ("artikel 5.2 i förordning (EU) 2016/679", "32016R0679#5(2)"),
        ],
    );
}

/// The titles of 32022R2554 in every language, as the notice has them: each names six acts by number.
#[test]
fn every_title_of_a_real_act_names_its_acts_in_every_language() {
    let Some(corpus) = corpus("every_title_of_a_real_act_names_its_acts_in_every_language") else { return };
    let notice = std::fs::read_to_string(corpus.join("notices/32022R2554.tree.xml")).expect("the notice is text");
    let own: Celex = "32022R2554".parse().expect("a number");
    let mut read = BTreeSet::new();
    for (at, _) in notice.match_indices("<EXPRESSION_TITLE") {
        let field = |tag: &str| {
            let from = at + notice[at..].find(&format!("<{tag}>"))? + tag.len() + 2;
            Some(&notice[from..from + notice[from..].find('<')?])
        };
        let (Some(title), Some(code)) = (field("VALUE"), field("LANG")) else { continue };
        let Some(language) = Language::from_code(code).filter(|_| title.contains("2022/2554")) else { continue };
        let wording = LANGUAGES.wording(language).expect("an official language");
        let acts: Vec<Celex> = wording.cite(title).into_iter().filter_map(|c| c.celex).collect();
        if acts.first() != Some(&own) {
            continue;
        }
        let wanted = ["32009R1060", "32012R0648", "32014R0600", "32014R0909", "32016R1011"];
        assert_eq!(acts[1..].iter().map(Celex::as_str).collect::<Vec<_>>(), wanted, "{language}: {title}");
        read.insert(language);
    }
    assert_eq!(read.len(), 24, "{read:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// In every language any text is read, and spans are its own.
    #[test]
    fn any_text_is_read(
        text in "(règlements?|der Verordnung|Artikel|artículo|apartado|Absatz|[0-9]{1,4}|/|, | et | und |\\(UE\\)|\\(EG\\)|nr|n°|№|ΕΚ|rendelet|5\\. cikke|ledit|diese|dudit|'|’|č\\.|\u{a0}| |\\.|\\PC){0,24}"
    ) {
        for language in LANGUAGES.known() {
            let wording = LANGUAGES.wording(language).expect("it is known");
            for citation in wording.references(&text, None) {
                prop_assert_eq!(&text[citation.start..citation.end], citation.text.as_str());
                prop_assert!(text.is_char_boundary(citation.parts_start));
                prop_assert!(citation.celex.is_some() != citation.reason.is_some());
            }
            for list in wording.part_lists(&text) {
                prop_assert!(text.get(list.start..list.end).is_some());
            }
        }
    }
}
