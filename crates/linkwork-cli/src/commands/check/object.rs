//! What `check` found, as one JSON object.

use super::{Looked, line_column, outline};
use crate::load::{Loaded, Origin};
use linkwork::dae::initial::{PoseCheck, StartReport};
use linkwork::dae::system::{Row, System};
use linkwork::explain;
use linkwork::sparsity::Sparsity;
use serde_json::{Value, json};

/// The object: sizes, freedom, redundancy, pose, assembly, lint, and the iteration matrix where asked for.
pub(super) fn object(loaded: &mut Loaded, looked: &Looked) -> Value {
    let lint: Vec<Value> = (looked.lint.iter())
        .map(|f| {
            let place = line_column(loaded, f);
            json!({
                "rule": f.rule,
                "severity": f.severity.word(),
                "part": f.part,
                "key": f.key,
                "message": f.message,
                "help": f.help,
                "line": place.map(|p| p.0),
                "column": place.map(|p| p.1),
            })
        })
        .collect();
    let counts = match &loaded.origin {
        Origin::Problem(_) => [None; 3],
        Origin::Text { document, .. } => document.model.counts().map(Some),
    };
    let parameters: Vec<Value> = match &loaded.origin {
        Origin::Problem(_) => Vec::new(),
        Origin::Text { document, .. } => (document.parameters().list().iter())
            .map(|p| json!({"name": p.name, "value": p.value, "unit": p.dimension.to_string()}))
            .collect(),
    };
    let tree = outline(loaded);
    let name = loaded.simulation.name().to_string();
    let mut notes = looked.notes.clone();
    notes.extend(loaded.import_notes());
    let sys = loaded.simulation.system();
    let dims = sys.dims();
    let verdict = match (&looked.start, looked.findings) {
        (Err(_), _) => "does not start",
        (Ok(_), 0) => "sound",
        (Ok(_), _) => "findings",
    };
    let mut object = json!({
        "model": name,
        "verdict": verdict,
        "findings": looked.doubts,
        "lint": lint,
        "notes": notes,
        "parameters": parameters,
        "bodies": counts[0],
        "joints": counts[1],
        "forces": counts[2],
        "coordinates": dims.nv,
        "constraints": dims.nc,
        "non_holonomic": dims.ng,
        "states": dims.nx,
        "dof": null,
        "redundant": [],
        "pose": null,
        "assembly": null,
    });
    if let Some(tree) = tree {
        let branches = tree.branches.iter().map(|b| {
            json!({
                "body": b.body,
                "on": b.on,
                "joint": b.joint.as_ref().map(|j| &j.0),
                "coordinates": b.coordinates,
            })
        });
        object["tree"] = branches.collect();
        object["cut"] = tree.cut.iter().map(|c| json!(c.0)).collect();
    }
    match &looked.matrix {
        Some(Ok(matrix)) => object["matrix"] = matrix.as_ref().map_or(Value::Null, sizes),
        Some(Err(e)) => object["matrix"] = json!({"failure": e.to_string()}),
        None => {}
    }
    match &looked.start {
        Ok(start) => facts(sys, &start.report, &mut object),
        Err(why) => object["failure"] = json!(explain::no_start(sys, why)),
    }
    object
}

/// Sizes of the iteration matrix; `null` in their place says that the method needs none.
fn sizes(matrix: &Sparsity) -> Value {
    let nonzeros = matrix.pattern.nnz();
    let groups = matrix.grouping.as_ref();
    let unknowns = matrix.sections.iter();
    json!({
        "size": matrix.pattern.n,
        "form": matrix.form(),
        "auxiliary": matrix.auxiliary(),
        "unknowns": unknowns.map(|s| json!({"kind": s.kind, "count": s.count})).collect::<Value>(),
        "nonzeros": nonzeros,
        "groups": groups.map(|g| g.groups),
        "fullest_row": groups.map(|g| g.fullest_row),
        "difference_groups": groups.map(|g| g.variable_groups),
        "difference_columns": groups.map(|g| g.variables),
        "factor_nonzeros": matrix.factor,
        "fill": matrix.factor.map(|factor| factor as f64 / nonzeros.max(1) as f64),
        "condition": matrix.condition,
        "rounding": matrix.condition.map(|condition| condition * f64::EPSILON),
    })
}

fn facts(sys: &dyn System, report: &StartReport, object: &mut Value) {
    let names = |rows: &[usize]| -> Vec<String> {
        rows.iter()
            .map(|&i| sys.describe(Row::Constraint(i)))
            .collect()
    };
    object["dof"] = json!(report.dof);
    object["redundant"] = (report.redundant.iter())
        .map(|r| {
            json!({
                "equation": sys.describe(Row::Constraint(r.row)),
                "part": sys.owner(Row::Constraint(r.row)),
                "follows_from": names(&r.depends_on),
            })
        })
        .collect();
    object["pose"] = match &report.pose {
        PoseCheck::Regular { smallest_pivot } => {
            json!({"kind": "regular", "smallest_pivot": smallest_pivot})
        }
        PoseCheck::NearlySingular {
            smallest_pivot,
            rows,
        } => json!({
            "kind": "nearly singular",
            "smallest_pivot": smallest_pivot,
            "equations": names(rows),
        }),
        PoseCheck::Singular { rows, .. } => json!({"kind": "singular", "equations": names(rows)}),
    };
    let largest = |x: &[f64]| x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    object["assembly"] = json!({
        "iterations": report.iterations,
        "open_before": largest(&report.residual_before),
        "open_after": largest(&report.residual_after),
        "moved": largest(&report.moved),
        "velocity_changed": largest(&report.velocity_moved),
    });
}
