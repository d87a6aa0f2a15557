//! `linkwork plot`: channels of results over time, as SVG.

use crate::args::PlotArgs;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::render;
use linkwork::events;
use linkwork::mbs::spelling::nearest;
use linkwork::plot::{self, Axis, Curve, Figure};
use linkwork::table;

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
    let mut curves = Vec::new();
    let mut units: Vec<&str> = Vec::new();
    for name in &args.channels {
        let channels = table.channels();
        let Some(i) = channels.iter().position(|c| c.name == *name) else {
            let near = nearest(name, channels.iter().map(|c| c.name.as_str()));
            let help = near.map(|n| format!("did you mean `{n}`?"));
            let message = format!("there is no channel `{name}`");
            return Err(render::plain(&message, help.as_deref()));
        };
        let unit = channels[i].unit.as_str();
        if !units.contains(&unit) {
            units.push(unit);
        }
        let rows = table.times().iter().zip(&table.columns()[i]);
        let points = rows.filter(|(t, _)| **t >= from && **t <= to);
        curves.push(Curve {
            name: match (unit, args.channels.len()) {
                ("", _) => name.clone(),
                (unit, _) => format!("{name} ({unit})"),
            },
            points: points.map(|(t, v)| (*t, *v)).collect(),
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
    let folder = args.results.file_stem();
    let name = folder.map(|n| n.to_string_lossy().into_owned());
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
    let results = if args.results.is_dir() {
        Some(args.results.as_path())
    } else {
        args.results.parent()
    };
    let marks: Vec<f64> = results.map_or_else(Vec::new, |dir| {
        events::read(dir).iter().map(|mark| mark.t).collect()
    });
    std::fs::write(&args.out, plot::marked(&figure, &marks))
        .map_err(|e| render::plain(&format!("cannot write {shown}: {e}"), None))?;
    Ok(format!("{shown}\n"))
}
