//! Line plots as SVG: linear or logarithmic axes, a legend, nothing else.

use std::fmt::Write;

/// Curves over common axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// File name without extension.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// One axis of a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Axis {
        let label = label.to_string();
        Axis { label, log: false }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Axis {
        let label = label.to_string();
        Axis { label, log: true }
    }
}

/// One curve of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points (x, y).
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
/// Below the frame: ticks and label; each curve adds a line of legend.
const BOTTOM: f64 = 50.0;
const LEGEND: f64 = 18.0;
/// Most marks that are drawn.
pub const MARKS: usize = 80;
/// Curves of so few points show them.
const FEW: usize = 20;

/// Colours that differ for most eyes and in print (Okabe & Ito 2008).
pub(crate) const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];

/// An axis with its range, in units that are drawn linearly.
struct Scale {
    log: bool,
    low: f64,
    high: f64,
    /// Where its ends are on the page.
    from: f64,
    to: f64,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let mut scale = Scale {
            log: axis.log,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            from,
            to,
        };
        for x in values {
            if let Some(x) = scale.linear(x) {
                scale.low = scale.low.min(x);
                scale.high = scale.high.max(x);
            }
        }
        if scale.low > scale.high {
            (scale.low, scale.high) = (0.0, 1.0);
        }
        if scale.log {
            // whole decades; rounding of the logarithm must not add one
            scale.low = (scale.low + 1e-9).floor();
            scale.high = (scale.high - 1e-9).ceil().max(scale.low + 1.0);
        } else if scale.high - scale.low <= 1e-12 * scale.high.abs() {
            let half = scale.high.abs().max(1.0) * 0.5;
            (scale.low, scale.high) = (scale.low - half, scale.high + half);
        }
        scale
    }

    /// The value as it is drawn; `None` where it has no place on the axis.
    fn linear(&self, x: f64) -> Option<f64> {
        let x = if self.log { x.log10() } else { x };
        x.is_finite().then_some(x)
    }

    fn page(&self, linear: f64) -> f64 {
        self.from + (linear - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn place(&self, x: f64) -> Option<f64> {
        self.linear(x).map(|x| self.page(x))
    }

    /// Ticks, as drawn, with their words.
    fn ticks(&self) -> Vec<(f64, String)> {
        const MOST: f64 = 9.0;
        let span = self.high - self.low;
        let step = if self.log {
            (span / MOST).ceil()
        } else {
            let power = 10f64.powf((span / MOST).log10().floor());
            let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
            let enough = steps.into_iter().find(|s| span / s <= MOST);
            enough.unwrap_or(10.0 * power)
        };
        let first = (self.low / step - 1e-9).ceil();
        let places = (0..=2 * MOST as usize).map(|i| (first + i as f64) * step);
        let word = |x: f64| {
            if self.log {
                format!("1e{x:.0}")
            } else {
                short(x, step)
            }
        };
        places
            .take_while(|x| *x <= self.high + 1e-9 * span)
            .map(|x| (x, word(x)))
            .collect()
    }
}

/// A multiple of `step` in as few digits as it needs.
fn short(x: f64, step: f64) -> String {
    let x = if x.abs() < 1e-9 * step { 0.0 } else { x };
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    if decimals > 5 || x.abs() >= 1e6 {
        format!("{x:.1e}")
    } else {
        format!("{x:.decimals$}")
    }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Draws a figure. Points without a place (NaN, or not positive on a logarithmic axis) interrupt
/// their curve.
pub fn svg(figure: &Figure) -> String {
    marked(figure, &[])
}

/// The same with marks at places of the horizontal axis; of more than [`MARKS`] none is drawn, because a
/// fence of lines would hide what it marks.
pub fn marked(figure: &Figure, marks: &[f64]) -> String {
    let legend = LEGEND * figure.curves.len() as f64;
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let all = || figure.curves.iter().flat_map(|c| &c.points);
    let x = Scale::new(&figure.x, all().map(|p| p.0), LEFT, right);
    let y = Scale::new(&figure.y, all().map(|p| p.1), bottom, TOP);
    let mut out = String::new();
    // writing to a string cannot fail
    let mut draw = |text: std::fmt::Arguments<'_>| {
        let _ = out.write_fmt(text);
        out.push('\n');
    };
    let full = HEIGHT + legend;
    draw(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {full}\" \
         font-family=\"sans-serif\" font-size=\"12\">"
    ));
    draw(format_args!(
        "<rect width=\"{WIDTH}\" height=\"{full}\" fill=\"white\"/>"
    ));
    let middle = 0.5 * (LEFT + right);
    draw(format_args!(
        "<text x=\"{middle}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>",
        escaped(&figure.title)
    ));
    for (at, word) in x.ticks() {
        let at = x.page(at);
        draw(format_args!(
            "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{word}</text>",
            bottom + 16.0
        ));
    }
    for (at, word) in y.ticks() {
        let at = y.page(at);
        draw(format_args!(
            "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{word}</text>",
            LEFT - 6.0,
            at + 4.0
        ));
    }
    let within = |at: &f64| (LEFT..=right).contains(at);
    let marks: Vec<f64> = marks
        .iter()
        .filter_map(|t| x.place(*t))
        .filter(within)
        .collect();
    if marks.len() <= MARKS {
        for at in marks {
            draw(format_args!(
                "<path class=\"event\" d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#c87800\" \
                 stroke-opacity=\"0.6\" stroke-dasharray=\"3 3\"/>"
            ));
        }
    }
    draw(format_args!(
        "<path d=\"M{LEFT} {TOP}V{bottom}H{right}V{TOP}Z\" fill=\"none\" stroke=\"black\"/>"
    ));
    draw(format_args!(
        "<text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        bottom + 36.0,
        escaped(&figure.x.label)
    ));
    let centre = 0.5 * (TOP + bottom);
    draw(format_args!(
        "<text transform=\"translate(16 {centre}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escaped(&figure.y.label)
    ));
    for (i, curve) in figure.curves.iter().enumerate() {
        let (colour, dash) = (COLOURS[i % COLOURS.len()], DASHES[i % DASHES.len()]);
        let style = format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"{dash}\""
        );
        let (path, dots) = trace(&curve.points, &x, &y);
        draw(format_args!("<path d=\"{path}\" {style}/>"));
        if curve.points.len() <= FEW {
            for (x, y) in dots {
                draw(format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                ));
            }
        }
        let line = HEIGHT + LEGEND * i as f64;
        draw(format_args!(
            "<path d=\"M{LEFT} {line}h36\" {style}/><text x=\"{}\" y=\"{}\">{}</text>",
            LEFT + 44.0,
            line + 4.0,
            escaped(&curve.name)
        ));
    }
    draw(format_args!("</svg>"));
    out
}

/// Draws figures side by side.
pub fn beside(figures: &[Figure]) -> String {
    let most = figures.iter().map(|f| f.curves.len()).max().unwrap_or(0);
    let (width, height) = (
        WIDTH * figures.len().max(1) as f64,
        HEIGHT + LEGEND * most as f64,
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (i, figure) in figures.iter().enumerate() {
        let full = HEIGHT + LEGEND * figure.curves.len() as f64;
        let place = format!(
            "<svg x=\"{}\" width=\"{WIDTH}\" height=\"{full}\" ",
            WIDTH * i as f64
        );
        out.push_str(&svg(figure).replacen("<svg ", &place, 1));
    }
    out.push_str("</svg>\n");
    out
}

/// The path of a curve and its places.
fn trace(points: &[(f64, f64)], x: &Scale, y: &Scale) -> (String, Vec<(f64, f64)>) {
    let mut path = String::new();
    let mut dots = Vec::new();
    let mut pen = 'M';
    for p in points {
        match (x.place(p.0), y.place(p.1)) {
            (Some(a), Some(b)) => {
                let _ = write!(path, "{pen}{a:.1} {b:.1}");
                dots.push((a, b));
                pen = 'L';
            }
            _ => pen = 'M',
        }
    }
    (path, dots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Curve;

    fn figure(log: bool, points: &[(f64, f64)]) -> Figure {
        let axis = |label: &str| Axis {
            label: label.to_string(),
            log,
        };
        Figure {
            name: "f".to_string(),
            title: "a < b".to_string(),
            x: axis("x"),
            y: axis("y"),
            curves: vec![Curve {
                name: "c & d".to_string(),
                points: points.to_vec(),
            }],
        }
    }

    #[test]
    fn corners_of_the_data_are_corners_of_the_frame() {
        let svg = svg(&figure(true, &[(1e-3, 1e10), (1.0, 1e-2)]));
        assert!(svg.contains("M80.0 40.0L740.0 430.0"), "{svg}");
        assert!(svg.contains(">1e-3<") && svg.contains(">1e10<"));
        assert!(svg.contains("a &lt; b") && svg.contains("c &amp; d"));
    }

    #[test]
    fn events_are_marked_where_they_are() {
        let one = figure(false, &[(0.0, 5.0), (10.0, 6.0)]);
        let drawn = marked(&one, &[5.0, 11.0]);
        assert_eq!(
            drawn.matches("class=\"event\"").count(),
            1,
            "the other is beyond the axis"
        );
        assert!(drawn.contains("M410.0 40V430"), "{drawn}");
        let fence: Vec<f64> = (0..=MARKS).map(|i| 0.1 * i as f64).collect();
        assert!(!marked(&one, &fence).contains("event"));
    }

    #[test]
    fn figures_stand_side_by_side() {
        let one = figure(false, &[(0.0, 5.0), (1.0, 6.0)]);
        let both = beside(&[one.clone(), one]);
        assert_eq!(both.matches("<svg ").count(), 3);
        assert_eq!(both.matches("</svg>").count(), 3);
        assert!(both.contains("viewBox=\"0 0 1520 498\"") && both.contains("<svg x=\"760\""));
    }

    #[test]
    fn points_without_a_place_interrupt() {
        let points = [(1.0, 1.0), (2.0, f64::NAN), (3.0, -1.0), (10.0, 10.0)];
        let svg = svg(&figure(true, &points));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(svg.contains("M80.0 430.0M740.0 40.0"), "{svg}");
    }

    #[test]
    fn flat_and_empty_curves_have_axes() {
        for points in [&[][..], &[(0.0, 5.0), (1.0, 5.0)]] {
            let svg = svg(&figure(false, points));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn linear_ticks_are_round() {
        let scale = Scale::new(&Axis::linear("t"), [0.0, 0.1].into_iter(), 0.0, 1.0);
        let words: Vec<String> = scale.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(words, ["0.00", "0.02", "0.04", "0.06", "0.08", "0.10"]);
    }
}
