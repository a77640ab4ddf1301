//! The lineage as a picture: every candidate by what had been spent when it was found and by its score, a line to each
//! parent, and the best so far.

use super::Lineage;
use crate::view::svg::{Anchor, Svg, WIDTH};

const HEIGHT: f64 = 190.0;

/// Where things stand in the drawing.
struct Scale {
    low: f64,
    high: f64,
    most: f64,
}

impl Scale {
    fn x(&self, found: u64) -> f64 {
        let (left, right) = (38.0, WIDTH - 14.0);
        left + (right - left) * super::real_of(found) / self.most
    }

    fn y(&self, mean: f64) -> f64 {
        HEIGHT - 10.0 - (HEIGHT - 34.0) * (mean - self.low) / (self.high - self.low).max(0.01)
    }
}

pub(super) fn climb(lineage: &Lineage) -> String {
    let mut svg = Svg::new(HEIGHT + 28.0);
    let means: Vec<f64> = lineage.candidates.iter().map(|one| lineage.mean(one.sum)).collect();
    let (low, high) = means.iter().fold((f64::MAX, f64::MIN), |(low, high), m| (low.min(*m), high.max(*m)));
    if means.is_empty() {
        return String::new();
    }
    let scale = Scale { low, high, most: super::real_of(lineage.evaluations.max(1)) };
    for mean in if high > low { vec![low, high] } else { vec![low] } {
        svg.line("grid", (scale.x(0), scale.y(mean)), (WIDTH - 14.0, scale.y(mean)));
        svg.text("tick", (scale.x(0) - 4.0, scale.y(mean) + 4.0), Anchor::End, &format!("{mean:.1}"));
    }
    let spots: Vec<(f64, f64)> =
        lineage.candidates.iter().zip(&means).map(|(one, mean)| (scale.x(one.found), scale.y(*mean))).collect();
    for (place, candidate) in lineage.candidates.iter().enumerate() {
        for parent in candidate.parents.iter().filter(|parent| **parent < place) {
            svg.line("descent", spots[*parent], spots[place]);
        }
    }
    best_so_far(&mut svg, &spots);
    for (place, spot) in spots.iter().enumerate() {
        let chosen = place == lineage.chosen;
        svg.circle(if chosen { "dot chosen" } else { "dot" }, *spot, if chosen { 5.0 } else { 3.0 });
        if chosen || place == 0 || spots.len() <= 16 {
            let below = if place == 0 { 14.0 } else { -7.0 };
            svg.text("tick", (spot.0, (spot.1 + below).min(HEIGHT + 4.0)), Anchor::Middle, &place.to_string());
        }
    }
    svg.text("tick", (scale.x(0), HEIGHT + 22.0), Anchor::Start, "0");
    let spent = format!("{} evaluations", lineage.evaluations);
    svg.text("tick", (WIDTH - 14.0, HEIGHT + 22.0), Anchor::End, &spent);
    let said = format!("{} candidates, means from {low:.2} to {high:.2} of {}.", means.len(), lineage.out_of);
    svg.done("climb-figure", "Candidates and the best so far", &said)
}

/// The steps of the best mean so far. Heights grow downwards.
fn best_so_far(svg: &mut Svg, spots: &[(f64, f64)]) {
    let mut best: Option<(f64, f64)> = None;
    for spot in spots {
        match best {
            Some((_, height)) if spot.1 >= height => {}
            Some((from, height)) => {
                svg.line("whisker", (from, height), (spot.0, height));
                svg.line("whisker", (spot.0, height), *spot);
                best = Some(*spot);
            }
            None => best = Some(*spot),
        }
    }
    if let Some((from, height)) = best {
        svg.line("whisker", (from, height), (WIDTH - 14.0, height));
    }
}
