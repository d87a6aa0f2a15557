//! The iteration matrix as a drawing.

use super::{Sparsity, entries};
use crate::plot::{COLOURS, escaped};
use std::fmt::Write;

/// Side of the matrix and room around it.
const SIDE: f64 = 640.0;
const MARGIN: f64 = 40.0;
/// Unknowns of one kind have their name where there is this much room for it.
const ROOM: f64 = 50.0;
/// The colour of entries of auxiliary unknowns and equations.
const PALE: &str = "#999999";

impl Sparsity {
    /// Draws the entries: columns of one group in one colour as far as there are colours, entries of
    /// auxiliary unknowns and equations in grey. Entries below each other are one stroke where they are
    /// too small to be told apart.
    pub fn svg(&self, title: &str) -> String {
        let n = self.pattern.n;
        let cell = SIDE / n.max(1) as f64;
        let full = SIDE + 2.0 * MARGIN;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full} {full}\" \
             font-family=\"sans-serif\">\n<rect width=\"{full}\" height=\"{full}\" fill=\"white\"/>\n\
             <text x=\"{:.1}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n\
             <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" \
             stroke=\"#888\"/>\n",
            0.5 * full,
            escaped(title)
        );
        self.draw_sections(cell, &mut out);
        let joined = cell < 1.0;
        // row, column, rows, colour of the stroke at hand
        let mut stroke: Option<(u32, u32, u32, &str)> = None;
        for (i, j) in entries(&self.pattern) {
            let colour = self.colour(i, j);
            match &mut stroke {
                Some((row, column, rows, of))
                    if joined && *column == j && *row + *rows == i && *of == colour =>
                {
                    *rows += 1;
                }
                _ => {
                    draw(stroke.replace((i, j, 1, colour)), cell, &mut out);
                }
            }
        }
        draw(stroke, cell, &mut out);
        out.push_str("</svg>\n");
        out
    }

    fn colour(&self, row: u32, column: u32) -> &'static str {
        if self.is_auxiliary(row, column) {
            return PALE;
        }
        let group = self.grouping.as_ref().map(|g| &g.group);
        let group = group.and_then(|g| g.get(column as usize)).copied();
        COLOURS[group.unwrap_or(0) as usize % COLOURS.len()]
    }

    /// Lines between unknowns of different kinds, and their names.
    fn draw_sections(&self, cell: f64, out: &mut String) {
        let mut first = 0;
        for section in &self.sections {
            let from = MARGIN + first as f64 * cell;
            let width = section.count as f64 * cell;
            let (end, below) = (MARGIN + SIDE, full_height());
            // writing to a string cannot fail
            if first > 0 {
                let _ = writeln!(
                    out,
                    "<path d=\"M{from:.2} {MARGIN}V{end}M{MARGIN} {from:.2}H{end}\" stroke=\"#ccc\" \
                     stroke-width=\"0.5\"/>"
                );
            }
            if width >= ROOM {
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{below}\" text-anchor=\"middle\" font-size=\"11\">{} {}</text>",
                    from + 0.5 * width,
                    section.count,
                    section.kind
                );
            }
            first += section.count;
        }
    }
}

/// Where names of unknowns are written: below the matrix.
fn full_height() -> f64 {
    SIDE + 1.5 * MARGIN
}

fn draw(stroke: Option<(u32, u32, u32, &str)>, cell: f64, out: &mut String) {
    let Some((row, column, rows, colour)) = stroke else {
        return;
    };
    let _ = writeln!(
        out,
        "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{colour}\"/>",
        MARGIN + f64::from(column) * cell,
        MARGIN + f64::from(row) * cell,
        0.9 * cell,
        (f64::from(rows) - 0.1) * cell,
    );
}
