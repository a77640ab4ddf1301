use super::*;
use proptest::prelude::*;

fn celex(text: &str) -> Celex {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// Every form that section 3 of the CELLAR notes shows, and those seen in notices.
const FORMS: [&str; 53] = [
    "32016R0679",
    "32024D02478",
    "32023M11114",
    "92013E004934",
    "31968R0259(02)",
    "32000Y1014(03)",
    "32016R0679R(02)",
    "32023D0331(01)R(01)",
    "32000Y1013(02)R(03)",
    "31984R0123R(02)",
    "02016R0679-20160504",
    "02016R0679",
    "11957E227",
    "12016E114",
    "12016M/PRO/04",
    "11957E/PRO/BEI/07",
    "12016E/TXT",
    "12012E106BIS",
    "11957E130S",
    "192MK",
    "C2002/074/07",
    "C2022/417A/01",
    "C/2026/02617",
    "72013L0036GBR_123456",
    "62012CJ0131_SUM",
    "62012CJ0131_RES",
    "62012CJ0131_INF",
    "62004TJ0201",
    "62019CJ0311(01)",
    "52021PC0206",
    "52014XC0312(01)",
    "52024TA06332",
    "52022TA1130(01)",
    "32025H03445",
    "11992E108A",
    "11951K092",
    "12016E/TXTR(03)",
    "12003TN02/01/A",
    "22006A1230(03)",
    "E2006C0155",
    "E1998J0001",
    "E2010C0123(01)",
    "82004NL1110(51)",
    "31972A0722(05)R(01)",
    "12007L/TXT",
    "12016ME/TXT",
    "62022TN0750",
    "41994A0103(51)",
    "22012D0123",
    "01968R0259(01)-20040501",
    "72013L0036",
    "02016E/TXT-20200301",
    "02016ME/TXT",
];

#[test]
fn all_known_forms_round_trip() {
    for form in FORMS {
        let read = celex(form);
        assert_eq!(read.to_string(), form);
        assert_eq!(Celex::from_slug(&read.slug()), Ok(read.clone()), "{form}");
        let address = format!("http://publications.europa.eu/resource/celex/{}", read.url_path());
        assert_eq!(Celex::from_uri(&address), Some(read.clone()), "{form}");
        assert_eq!(read.base().base(), read.base(), "{form}");
        assert!(celex(read.base().as_str()).parts().corrigendum.is_none(), "{form}");
    }
}

#[test]
fn near_misses_are_refused() {
    let wrong = [
        "",
        "3",
        "32016R679",
        "32016R",
        "R0679",
        "32016r0679",
        "32016R0679R()",
        "32016R0679R(2",
        "02016R0679-20161350",
        "02016R0679-99991231",
        "39999R0001",
        "02016E/TXT-20201301",
        "02016E/TXTR(01)",
        "02016E/-20200301",
        "72013L0036GB_1",
        "72013L0036GBR_",
        "32016R0679/TXT",
        "12016E//TXT",
        "12016E/",
        "C2002",
        "C2002/",
        "D2002R0001",
        "32016RRR0001",
        "32016R0679(0001)",
        "32016R0679 ",
        "32016R0679R(01)R(02)",
        "32016R0679_SUM",
        "3201\u{662}R0679",
        "32016R1234567",
    ];
    for text in wrong {
        assert!(text.parse::<Celex>().is_err(), "{text}");
    }
}

#[test]
fn bases() {
    let pairs = [
        ("32016R0679R(02)", "32016R0679"),
        ("32023D0331(01)R(01)", "32023D0331(01)"),
        ("02016R0679-20160504", "32016R0679"),
        ("01968R0259(01)-20040501", "31968R0259(01)"),
        ("02016R0679", "32016R0679"),
        ("02016E/TXT-20200301", "12016E/TXT"),
        ("72016L0680AUT_236812", "32016L0680"),
        ("62012CJ0131_SUM", "62012CJ0131"),
        ("12016E/TXTR(03)", "12016E/TXT"),
        ("22006A1230(03)", "22006A1230(03)"),
    ];
    for (of, base) in pairs {
        assert_eq!(celex(of).base().as_str(), base, "{of}");
    }
}

#[test]
fn suggestions_are_near_and_never_applied() {
    let pairs = [
        ("32016R679", Some("32016R0679")),
        ("32016R679R(02)", Some("32016R0679R(02)")),
        (" celex:32016r0679 ", Some("32016R0679")),
        ("395L0046", Some("31995L0046")),
        ("395L46", Some("31995L0046")),
        ("32024D02478", None),
        ("hello", None),
        ("", None),
    ];
    for (text, near) in pairs {
        assert_eq!(Celex::suggest(text).as_ref().map(Celex::as_str), near, "{text}");
    }
    assert!(CelexError("32016R679".into()).to_string().contains("did you mean 32016R0679"));
}

#[test]
fn addresses() {
    let pairs = [
        ("https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX%3A32016R0679&from=EN", Some("32016R0679")),
        ("https://eur-lex.europa.eu/legal-content/EN/ALL/?uri=celex:31984R0123R(02)", Some("31984R0123R(02)")),
        ("http://publications.europa.eu/resource/celex/32006D0241.FRA.fmx4", Some("32006D0241")),
        ("http://publications.europa.eu/resource/celex/C2023%2F209%2F01", Some("C2023/209/01")),
        ("http://data.europa.eu/eli/reg/2016/679/oj", Some("32016R0679")),
        ("http://publications.europa.eu/resource/celex/", None),
        ("http://publications.europa.eu/resource/celex/%zz", None),
        ("http://publications.europa.eu/resource/oj/L_202401346", None),
        ("celex:32016R0679", Some("32016R0679")),
        ("https://eur-lex.europa.eu/LexUriServ/LexUriServ.do?uri=CELEX:31995L0046:EN:HTML", Some("31995L0046")),
        ("https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=celex%3a32016r0679", Some("32016R0679")),
        ("", None),
    ];
    for (uri, want) in pairs {
        assert_eq!(Celex::from_uri(uri).as_ref().map(Celex::as_str), want, "{uri}");
    }
}

proptest! {
    #[test]
    fn what_parses_prints_as_it_was(text in "[0-9CE][0-9]{4}[A-Z]{1,2}[0-9]{3,6}(\\([0-9]{2}\\))?(R\\([0-9]{2}\\))?(-[0-9]{8})?(_[A-Z]{3})?") {
        if let Ok(read) = text.parse::<Celex>() {
            prop_assert_eq!(read.to_string(), text);
            prop_assert_eq!(Celex::from_slug(&read.slug()), Ok(read.clone()));
            prop_assert!(read.base().as_str().parse::<Celex>().is_ok());
            prop_assert!(!read.parts().kind.is_empty());
        }
    }

    #[test]
    fn no_text_is_too_odd(text in "\\PC{0,60}") {
        let _ = text.parse::<Celex>();
        let _ = Celex::suggest(&text);
        let _ = Celex::normalise(&text);
        let _ = Celex::from_short(&text);
        let _ = Celex::from_uri(&text);
    }
}
