//! A drawing: shapes with classes that the page's style colours, a title and a description for those who
//! cannot see it. Drawings are laid out for a width of [`WIDTH`] and scale with the page.

use super::html::Text;
use std::fmt::Write as _;

/// The width every drawing is laid out for: a telephone's, so that its words stay readable there.
pub(super) const WIDTH: f64 = 380.0;

/// Where a text is anchored.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing under way.
pub(super) struct Svg {
    body: String,
    height: f64,
}

/// Writes a line from one point to another.
pub(super) fn line(body: &mut String, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let _ = write!(body, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
}

impl Svg {
    pub(super) fn new(height: f64) -> Self {
        Self { body: String::new(), height }
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64)) {
        self.tinted(class, (x, y), (w, h), 1.0);
    }

    /// A rectangle whose fill is more or less strong (0 to 1).
    pub(super) fn tinted(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64), strength: f64) {
        let w = w.max(0.0);
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"2\" fill-opacity=\"{strength:.2}\"/>"
        );
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        line(&mut self.body, class, from, to);
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): (f64, f64), r: f64) {
        let _ = write!(self.body, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\"/>");
    }

    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = Text(text);
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// The drawing, named by `id` (unique in the page), with what it shows in words.
    pub(super) fn done(self, id: &str, title: &str, description: &str) -> String {
        let Self { body, height } = self;
        let (title, description) = (Text(title), Text(description));
        format!(
            "<svg viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
             <title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{description}</desc>{body}</svg>"
        )
    }
}
