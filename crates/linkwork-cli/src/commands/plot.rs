//! `linkwork plot`: channels of results over time, as SVG.

use crate::args::PlotArgs;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::render;
use linkwork::mbs::spelling::nearest;
use linkwork::plot::{self, Axis, Curve, Figure};
use linkwork::table::{self, Table};
use linkwork::{attempts, events};
use std::path::Path;

/// Draws channels.
pub fn plot(args: &PlotArgs, printer: &Printer) -> Exit {
    match try_plot(args) {
        Ok(words) => {
            printer.result(&words);
            Exit::Success
        }
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_plot(args: &PlotArgs) -> Result<String, String> {
    let table = table::read(&args.results).map_err(|e| {
        let help = "`linkwork run MODEL --format csv` writes results";
        render::plain(&e.to_string(), Some(help))
    })?;
    let (from, to) = (
        args.from.unwrap_or(f64::NEG_INFINITY),
        args.to.unwrap_or(f64::INFINITY),
    );
    if !(to > from) {
        return Err(render::plain("--to is not after --from", None));
    }
    let folder = if args.results.is_dir() {
        Some(args.results.as_path())
    } else {
        args.results.parent()
    };
    let mut curves = Vec::new();
    let mut units: Vec<&str> = Vec::new();
    for name in &args.channels {
        let (unit, mut points) = series(&table, folder, name)?;
        if !units.contains(&unit) {
            units.push(unit);
        }
        points.retain(|(t, _)| *t >= from && *t <= to);
        curves.push(Curve {
            name: match unit {
                "" => name.clone(),
                unit => format!("{name} ({unit})"),
            },
            points,
        });
    }
    if let [first, second, ..] = units[..] {
        let message = format!("channels of different units: {first} and {second}");
        let help =
            "one drawing has one vertical axis; draw them apart, or together in `linkwork view`";
        return Err(render::plain(&message, Some(help)));
    }
    let unit = units.first().copied().unwrap_or_default();
    let label = match (&args.channels[..], unit) {
        ([one], "") => one.clone(),
        ([one], unit) => format!("{one} / {unit}"),
        (_, unit) => unit.to_string(),
    };
    let name = args
        .results
        .file_stem()
        .map(|n| n.to_string_lossy().into_owned());
    let figure = Figure {
        name: String::new(),
        title: args.title.clone().or(name).unwrap_or_default(),
        x: Axis::linear("t / s"),
        y: if args.log {
            Axis::log(&label)
        } else {
            Axis::linear(&label)
        },
        curves,
    };
    let shown = args.out.display();
    let marks: Vec<f64> = folder.map_or_else(Vec::new, |dir| {
        events::read(dir).iter().map(|mark| mark.t).collect()
    });
    std::fs::write(&args.out, plot::marked(&figure, &marks))
        .map_err(|e| render::plain(&format!("cannot write {shown}: {e}"), None))?;
    Ok(format!("{shown}\n"))
}

/// A unit, and values over time.
type Series<'a> = (&'a str, Vec<(f64, f64)>);

/// Unit and points of a channel, or of what is told of the steps beside the table.
fn series<'a>(table: &'a Table, folder: Option<&Path>, name: &str) -> Result<Series<'a>, String> {
    let channels = table.channels();
    if let Some(i) = channels.iter().position(|c| c.name == name) {
        let rows = table.times().iter().zip(&table.columns()[i]);
        let points = rows.map(|(t, v)| (*t, *v)).collect();
        return Ok((channels[i].unit.as_str(), points));
    }
    let message = format!("there is no channel `{name}`");
    let Some(i) = attempts::DRAWN.iter().position(|d| d.0 == name) else {
        let near = nearest(name, channels.iter().map(|c| c.name.as_str()));
        let help = near.map(|n| format!("did you mean `{n}`?"));
        return Err(render::plain(&message, help.as_deref()));
    };
    let steps = folder.and_then(|dir| attempts::read(dir).ok());
    let steps = steps.ok_or_else(|| {
        let help = "step, order and error of every step are written by `linkwork run MODEL --format csv --outputs steps`";
        render::plain(&message, Some(help))
    })?;
    let points = steps.iter().map(|(t, values)| (*t, values[i])).collect();
    Ok((attempts::DRAWN[i].1, points))
}
