//! Numbers in words, as English acts spell them: "twentieth", "thirty-six".

const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
const CARDINALS: [&str; 20] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];
/// As cardinal and as ordinal.
const TENS: [(&str, &str, u32); 9] = [
    ("twenty", "twentieth", 20),
    ("thirty", "thirtieth", 30),
    ("forty", "fortieth", 40),
    ("fifty", "fiftieth", 50),
    ("sixty", "sixtieth", 60),
    ("seventy", "seventieth", 70),
    ("eighty", "eightieth", 80),
    ("ninety", "ninetieth", 90),
    ("hundred", "hundredth", 100),
];

/// The number of an ordinal, in words or in figures: "twentieth", "36th".
pub(super) fn ordinal(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() && digits.len() <= 3 {
        return digits.parse().ok();
    }
    in_words(&word, &ORDINALS).or_else(|| TENS.iter().find(|(_, tens, _)| *tens == word).map(|(_, _, n)| *n))
}

/// The number of a cardinal, in words or in figures: "thirty-six", "36".
pub(super) fn cardinal(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let tens = || TENS.iter().find(|(tens, _, _)| *tens == word).map(|(_, _, n)| *n);
    word.parse().ok().or_else(|| in_words(&word, &CARDINALS)).or_else(tens)
}

/// One of the first twenty, or a ten and one of the first nine: "thirty-six", "thirty-sixth".
fn in_words(word: &str, first: &[&str]) -> Option<u32> {
    let place = |word: &str, most: usize| {
        let at = first.iter().take(most).position(|w| *w == word)?;
        u32::try_from(at + 1).ok()
    };
    let compound = || {
        let (ten, unit) = word.split_once('-')?;
        let (_, _, n) = TENS.iter().find(|(cardinal, _, _)| *cardinal == ten)?;
        Some(n + place(unit, 9)?)
    };
    place(word, first.len()).or_else(compound)
}
