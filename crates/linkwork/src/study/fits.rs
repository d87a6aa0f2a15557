//! Which settings fit a model, and what runs with them cost.

use super::{Build, Setting};
use crate::options::Options;
use crate::price::{Price, passes, price};
use linkwork_dae::system::Channel;

/// Joint coordinates evaluate the elements as absolute ones do, and carry them along the tree.
const TREE: f64 = 1.4;
/// What a tree adds to an evaluation for each absolute velocity.
const TREE_EVALUATION: f64 = 275.0;
/// What it adds to derivatives.
const TREE_DERIVATIVES: f64 = 2160.0;

/// A setting that fits a model.
pub(super) struct Priced {
    pub price: Price,
    pub model: String,
    pub t_end: f64,
    pub channels: Vec<Channel>,
}

/// Looks whether a model can be run like this, and what the parts of such a run cost.
pub(super) fn of(build: &Build<'_>, setting: &Setting, base: &Options) -> Result<Priced, String> {
    // any tolerance will do
    let options = setting.at(1e-4).options(base);
    let mut simulation = build(&options)?;
    let settings = simulation.settings().map_err(|e| e.to_string())?;
    let name = simulation.name().to_string();
    let sys = simulation.system();
    let start = match settings.recipe.start(sys) {
        Ok(start) => start,
        Err(why) => return Err(why.explain(sys)),
    };
    let passes = match setting.coordinates.as_deref() {
        Some("joint") => passes_of_tree(build, &options)?,
        _ => passes(sys),
    };
    Ok(Priced {
        price: price(sys, &settings, (&start.state, &start.rows), passes),
        model: name,
        t_end: settings.t_end(),
        channels: sys.channels().to_vec(),
    })
}

/// The same of a model in joint coordinates, from its absolute ones.
fn passes_of_tree(build: &Build<'_>, options: &Options) -> Result<[f64; 2], String> {
    let mut absolute = build(&options.clone().coordinates("absolute"))?;
    let sys = absolute.system();
    let [evaluation, derivatives] = passes(sys);
    let nv = sys.dims().nv as f64;
    Ok([
        TREE * evaluation + TREE_EVALUATION * nv,
        TREE * derivatives + TREE_DERIVATIVES * nv,
    ])
}
