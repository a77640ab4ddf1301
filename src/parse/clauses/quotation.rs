//! Words in quotation marks: they belong to another act, or to the text that is replaced.

use std::ops::Range;

/// Marks put around units that the document's parser found quoted, in place of printed marks.
pub(super) const OPEN: char = '\u{e000}';
/// The closing mark to [`OPEN`].
pub(super) const CLOSE: char = '\u{e001}';

/// The marks that close what `open` opens.
fn closers(open: char) -> &'static [char] {
    match open {
        OPEN => &[CLOSE],
        '‘' => &['’'],
        '“' => &['”'],
        '„' => &['”', '“'],
        '«' => &['»'],
        '"' => &['"'],
        '\'' | '`' => &['\'', '`'],
        _ => &[],
    }
}

/// The outermost quoted ranges of `text`, marks included, in order. A quotation that never closes
/// reaches to the end: what an act does is not read from words that may be another's.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    if text.chars().all(|c| closers(c).is_empty()) {
        return Vec::new();
    }
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if opens(&chars, i) {
            let end = close(&chars, i);
            let stop = chars.get(end).map_or(text.len(), |(at, c)| at + c.len_utf8());
            found.push(chars[i].0..stop);
            i = end;
        }
        i += 1;
    }
    found
}

/// Whether the mark at `i` opens a quotation: straight and grave marks only at the beginning of a word.
fn opens(chars: &[(usize, char)], i: usize) -> bool {
    let mark = chars[i].1;
    if closers(mark).is_empty() {
        return false;
    }
    let before = i.checked_sub(1).map(|b| chars[b].1);
    let begins_word = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | ':' | '—' | '–'));
    match mark {
        '\'' | '`' | '"' => begins_word && chars.get(i + 1).is_some_and(|(_, c)| !c.is_whitespace()),
        '‘' => before.is_none_or(|c| !c.is_alphanumeric()),
        _ => true,
    }
}

/// The index of the mark that closes the quotation opened at `i`, or the last index.
fn close(chars: &[(usize, char)], i: usize) -> usize {
    let (open, ends) = (chars[i].1, closers(chars[i].1));
    let mut depth = 1_usize;
    let mut doubtful = None;
    for j in i + 1..chars.len() {
        let c = chars[j].1;
        if c == open && open != ends[0] && opens(chars, j) {
            if doubtful.is_some() {
                break;
            }
            depth += 1;
        } else if ends.contains(&c) && !chars.get(j + 1).is_some_and(|(_, n)| n.is_alphanumeric()) {
            if possessive(chars, j) {
                doubtful = Some(j);
                continue;
            }
            depth -= 1;
            if depth == 0 {
                return j;
            }
        }
    }
    doubtful.unwrap_or(chars.len() - 1)
}

/// "the Member States’ rules": perhaps an apostrophe, perhaps the end of the quotation.
fn possessive(chars: &[(usize, char)], j: usize) -> bool {
    matches!(chars[j].1, '’' | '\'')
        && chars[j - 1].1 == 's'
        && chars.get(j + 1).is_some_and(|(_, c)| c.is_whitespace())
        && chars.get(j + 2).is_some_and(|(_, c)| c.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Vec<&str> {
        ranges(text).into_iter().map(|r| &text[r]).collect()
    }

    #[test]
    fn marks_pair_and_apostrophes_do_not_count() {
        assert_eq!(quoted("in ‘the act’s scope’ and ‘b’."), ["‘the act’s scope’", "‘b’"]);
        assert_eq!(quoted("the Member States’ rules ‘one’"), ["‘one’"]);
        assert_eq!(quoted("‘Member States’ fees’ is replaced by ‘x’"), ["‘Member States’ fees’", "‘x’"]);
        assert_eq!(quoted("\"a\" by \"b\""), ["\"a\"", "\"b\""]);
        assert_eq!(quoted("following: 'as of now.` 11. In"), ["'as of now.`"]);
        assert_eq!(quoted("‘one ‘two’ three’ rest"), ["‘one ‘two’ three’"]);
    }

    #[test]
    fn what_never_closes_is_quoted_to_the_end() {
        assert_eq!(quoted("following: ‘Article 1 is repealed."), ["‘Article 1 is repealed."]);
        assert_eq!(quoted("‘"), ["‘"]);
    }
}
