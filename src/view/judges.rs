//! What judges are worth: a table for a terminal, a section of the report, and a page of its own.

use super::html::{Text, count, real, words};
use super::page::{STYLE, card, table};
use super::svg::{Anchor, Svg, WIDTH};
use crate::dataset::{Calibration, JudgeAgreement, JudgeRecord, LengthBias, PositionBias, Rate, SecondVote};
use std::fmt::Write as _;

/// Second votes shown before the rest is only counted.
const VOTES_SHOWN: usize = 20;

/// The calibration as a table for a terminal.
pub fn calibration_text(calibration: &Calibration) -> String {
    let mut text = format!(
        "{} good items, rubric version {}, seed {}; a judge must catch {} of the planted defects and may turn away {} of the good items\n",
        calibration.items,
        calibration.rubric,
        calibration.seed,
        share(calibration.catch_floor),
        share(calibration.alarm_ceiling)
    );
    for judge in &calibration.judges {
        let verdict = if judge.fails.is_empty() { "may judge".to_string() } else { judge.fails.join("; ") };
        let _ = writeln!(text, "\n{}: {}", judge.judge, verdict);
        let _ = writeln!(
            text,
            "  {:24} {:>9} {:>7}  {:13} {:>9} {:>7}  {:13}",
            "defect", "caught", "", "95 %", "alarms", "", "95 %"
        );
        for defect in &judge.defects {
            text.push_str(&line(&words(&defect.defect), &defect.caught, &defect.false_alarms));
        }
        text.push_str(&line("all", &judge.caught, &judge.false_alarms));
        if judge.unusable.hits > 0 {
            let _ =
                writeln!(text, "  replies that could not be used: {} of {}", judge.unusable.hits, judge.unusable.of);
        }
        if let Some(bias) = &judge.position {
            let _ = writeln!(text, "  {}", position_said(bias));
        }
        if let Some(bias) = &judge.length {
            let _ = writeln!(text, "  {}", length_said(bias));
        }
        if !judge.second_votes.is_empty() {
            let _ = writeln!(text, "  of another mind than code on generic references: {}", judge.second_votes.len());
        }
    }
    for two in &calibration.agreement {
        let _ = writeln!(text, "\n{}", agreement_said(two));
    }
    for (defect, reasons) in &calibration.not_planted {
        for (reason, n) in reasons {
            let _ = writeln!(text, "not planted: {} in {n}: {reason}", words(defect));
        }
    }
    text
}

fn line(name: &str, caught: &Rate, alarms: &Rate) -> String {
    let cells = |rate: &Rate| {
        let of = format!("{} of {}", rate.hits, rate.of);
        format!("{of:>9} {:>7}  {:13}", share_of(rate), interval(rate))
    };
    format!("  {name:24} {} {}\n", cells(caught), cells(alarms))
}

fn share(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn share_of(rate: &Rate) -> String {
    rate.share().map_or_else(|| "–".to_string(), share)
}

fn interval(rate: &Rate) -> String {
    if rate.of == 0 { "–".to_string() } else { format!("{:.1}–{:.1} %", rate.low * 100.0, rate.high * 100.0) }
}

fn position_said(bias: &PositionBias) -> String {
    let totals = bias.places.iter().map(|p| p.mean_total.map_or_else(|| "–".to_string(), |t| format!("{t:.1}")));
    let answers = bias.places.iter().map(|p| format!("{} of {}", p.answered.hits, p.answered.of));
    format!(
        "key at A, B, C, D: mean totals {} (spread {:.1}), own answer {}; kept at one place and turned away at another {} of {}",
        totals.collect::<Vec<_>>().join(", "),
        bias.spread,
        answers.collect::<Vec<_>>().join(", "),
        bias.flips.hits,
        bias.flips.of
    )
}

fn length_said(bias: &LengthBias) -> String {
    format!(
        "a wrong option made longer: total {:+.1} on average over {} items ({} higher, {} lower), chosen {} of {} before and {} of {} after",
        bias.mean_difference,
        bias.items,
        bias.higher,
        bias.lower,
        bias.chose_short.hits,
        bias.chose_short.of,
        bias.chose_long.hits,
        bias.chose_long.of
    )
}

fn agreement_said(two: &JudgeAgreement) -> String {
    let [both, first, second, neither] = two.table;
    let figure = |value: Option<f64>| value.map_or_else(|| "not defined".to_string(), |v| format!("{v:.3}"));
    format!(
        "{} and {} turn away: both {both}, only the first {first}, only the second {second}, neither {neither}; raw agreement {}, Cohen’s kappa {}, Gwet’s AC1 {}",
        two.judges[0],
        two.judges[1],
        two.raw.map_or_else(|| "not defined".to_string(), share),
        figure(two.kappa),
        figure(two.ac1)
    )
}

/// The section of the report; empty where there is nothing to say.
pub(super) fn section(calibration: Option<&Calibration>, second_votes: &[SecondVote]) -> String {
    let mut out = calibration.map_or_else(String::new, calibrated);
    if !second_votes.is_empty() {
        out.push_str(&votes(
            "Drafts in which code finds no reference to a document as such, and the judge does",
            second_votes,
        ));
    }
    out
}

fn calibrated(calibration: &Calibration) -> String {
    let mut out = format!(
        "<p>Known defects were planted in {} good items, each checked by code. A judge catches one where it turns the item away or gives the \
         criterion that must show it level 1 or 2; a false alarm is the same said of the good item. It must catch {} of the defects and may \
         turn away {} of the good items. Intervals are Wilson’s, 95 %.</p><div class=\"cards\">",
        count(calibration.items),
        share(calibration.catch_floor),
        share(calibration.alarm_ceiling)
    );
    for (i, judge) in calibration.judges.iter().enumerate() {
        let verdict = if judge.fails.is_empty() {
            "It may judge.".to_string()
        } else {
            format!("It may not judge: {}.", judge.fails.join("; "))
        };
        let says = format!(
            "Blue: planted defects caught. Red: false alarms on the same items without the defect. {}",
            Text(&verdict)
        );
        out.push_str(&card(&Text(&judge.judge).to_string(), &says, &chart(judge, calibration, i)));
    }
    out.push_str("</div>");
    for judge in &calibration.judges {
        out.push_str(&figures(judge));
    }
    for two in &calibration.agreement {
        let _ = write!(out, "<p>{}.</p>", Text(&agreement_said(two)));
    }
    out
}

fn figures(judge: &JudgeRecord) -> String {
    let cells = |rate: &Rate| {
        format!("<td>{} of {}</td><td>{}</td><td>{}</td>", rate.hits, rate.of, share_of(rate), interval(rate))
    };
    let row = |name: &str, caught: &Rate, alarms: &Rate| {
        format!("<tr><th scope=\"row\">{}</th>{}{}</tr>", Text(&words(name)), cells(caught), cells(alarms))
    };
    let mut rows: String = judge.defects.iter().map(|d| row(&d.defect, &d.caught, &d.false_alarms)).collect();
    rows.push_str(&row("all", &judge.caught, &judge.false_alarms));
    let heads = ["Defect", "Caught", "Share", "95 %", "False alarms", "Share", "95 %"];
    let mut out = format!(
        "<h3>{}</h3>{}",
        Text(&judge.judge),
        table("Planted defects caught, and false alarms", "", &heads, &rows)
    );
    let said = [judge.position.as_ref().map(position_said), judge.length.as_ref().map(length_said)];
    for words in said.into_iter().flatten() {
        let _ = write!(out, "<p class=\"quiet\">{}.</p>", Text(&words));
    }
    if judge.unusable.hits > 0 {
        let _ = write!(
            out,
            "<p class=\"quiet\">{} of {} replies could not be used.</p>",
            judge.unusable.hits, judge.unusable.of
        );
    }
    if !judge.second_votes.is_empty() {
        out.push_str(&votes("Of another mind than code on generic references", &judge.second_votes));
    }
    out
}

fn votes(title: &str, second_votes: &[SecondVote]) -> String {
    let mut out = format!("<h3>{title}: {}</h3><ul class=\"reasons\">", count(second_votes.len()));
    for vote in second_votes.iter().take(VOTES_SHOWN) {
        let code = vote.code.as_deref().map_or("finds none".to_string(), |words| format!("finds “{words}”"));
        let _ = write!(
            out,
            "<li><code>{}</code> code {}; {} says level {}: {}</li>",
            vote.item,
            Text(&code),
            Text(&vote.judge),
            vote.level,
            Text(&vote.reason)
        );
    }
    if second_votes.len() > VOTES_SHOWN {
        let _ = write!(out, "<li class=\"quiet\">and {} more</li>", count(second_votes.len() - VOTES_SHOWN));
    }
    out.push_str("</ul>");
    out
}

/// A judge's shares by defect, with intervals and the floor.
fn chart(judge: &JudgeRecord, calibration: &Calibration, i: usize) -> String {
    const ROW: f64 = 40.0;
    let rows = judge.defects.iter().map(|d| (words(&d.defect), d.caught, d.false_alarms));
    let rows: Vec<_> = rows.chain([("all".to_string(), judge.caught, judge.false_alarms)]).collect();
    let height = ROW * real(rows.len());
    let mut svg = Svg::new(height + 24.0);
    let (left, width) = (8.0, WIDTH - 16.0);
    let x = |share: f64| left + width * share.clamp(0.0, 1.0);
    for quarter in 0..5 {
        let at = x(real(quarter) / 4.0);
        let anchor = [Anchor::Start, Anchor::Middle, Anchor::Middle, Anchor::Middle, Anchor::End][quarter];
        svg.text("tick", (at, height + 16.0), anchor, &format!("{:.0} %", real(quarter) * 25.0));
        (0..rows.len()).for_each(|r| svg.line("grid", (at, ROW * real(r) + 18.0), (at, ROW * real(r) + 36.0)));
    }
    let mut said = Vec::new();
    for (r, (name, caught, alarms)) in rows.iter().enumerate() {
        let y = ROW * real(r);
        svg.text("name", (left, y + 13.0), Anchor::Start, name);
        let figure = format!("caught {} of {} · alarms {} of {}", caught.hits, caught.of, alarms.hits, alarms.of);
        svg.text("tick", (WIDTH - 8.0, y + 13.0), Anchor::End, &figure);
        let floor = x(calibration.catch_floor);
        svg.line("chance", (floor, y + 18.0), (floor, y + 36.0));
        for (rate, class, dot, y) in
            [(alarms, "whisker off", "dot off", y + 31.0), (caught, "whisker", "dot", y + 23.0)]
        {
            if let Some(share) = rate.share() {
                svg.line(class, (x(rate.low), y), (x(rate.high), y));
                svg.circle(dot, (x(share), y), 4.0);
            }
        }
        said.push(format!("{name}: {figure}"));
    }
    let title = format!("What {} catches", judge.judge);
    let description = format!("{}. The dashed mark is the floor of the share caught.", said.join("; "));
    svg.done(&format!("judge-{i}"), &title, &description)
}

/// A calibration as one self-contained HTML file.
pub fn calibration_page(calibration: &Calibration, tool: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Judges calibrated</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><p class=\"kicker\">Legal Link · judges</p><h1>Judges calibrated</h1>\
         <p class=\"quiet\">Rubric version {} · seed {}</p></header>\n\
         <main><section>{}</section></main>\n<footer><p>Made by {}.</p></footer>\n</body>\n</html>\n",
        calibration.rubric,
        calibration.seed,
        section(Some(calibration), &[]),
        Text(tool)
    )
}
