//! Numbers of joints: rows that exist, the laws they follow, entries of their blocks.

use super::{is_flat, remember, slices};
use crate::assemble::places::Entries;
use crate::assemble::{GROUND, JointPlan, Plan, check, latches, square};
use crate::assembly::{Gather, JointPlaces};
use crate::error::ModelError;
use crate::event::Action;
use crate::geometry::Frame;
use crate::handle::BodyRef;
use crate::joint::{COLUMNS, Joint, JointPattern, JointPoint, JointTerms, MAX_TURNS, Want};
use crate::lanes::Lanes;
use crate::model::{Model, NamedJoint};
use linkwork_dae::law::{Law, Limit, RowLaw};
use linkwork_dae::system::Part;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The local rows of a joint that coordinates enter, those of positions first.
fn existing_rows(joint: &dyn Joint, pattern: &JointPattern, exists: &[bool; COLUMNS]) -> Vec<u8> {
    let has_column = |row: u8| {
        let mut own = pattern.c_q.iter().filter(|(i, _)| *i == row);
        own.any(|(_, j)| exists[usize::from(*j)])
    };
    let all = (joint.rows() + joint.velocity_rows()) as u8;
    (0..all).filter(|row| has_column(*row)).collect()
}

/// Refuses rows that no coordinate enters and that do not hold.
fn check_left_out(
    model: &Model,
    named: &NamedJoint,
    kept: &[u8],
    length: f64,
) -> Result<(), ModelError> {
    let joint = &named.joint;
    let rows = joint.rows();
    if kept.len() == rows + joint.velocity_rows() {
        return Ok(());
    }
    let at_rest = |body| Frame {
        pose: model.site(body).pose,
        ..Frame::GROUND
    };
    let (a, b) = (at_rest(named.a), at_rest(named.b));
    let at = JointPoint {
        t: model.start_time,
        a: &a,
        b: &b,
        lambda: &[],
        turns: &[0.0; MAX_TURNS],
        lanes: &Lanes::ALL,
    };
    let mut terms = JointTerms::default();
    joint.eval(&at, Want::C, &mut terms);
    let laws = joint.laws();
    for (row, name) in joint.row_names().iter().enumerate() {
        if laws.iter().any(|(own, _)| *own == row) {
            continue;
        }
        if !kept.contains(&(row as u8)) && !(terms.c[row].abs() <= 1e-9 * length.max(1.0)) {
            let message = format!(
                "joint `{}` cannot close: {name} is off by {:.3e}, and its bodies cannot change that",
                named.name, terms.c[row]
            );
            return Err(ModelError::new(message)
                .with_help("bodies in a plane keep their height and turn about z only"));
        }
    }
    Ok(())
}

/// Joints that an event lets go, and not only what has locked them.
fn let_go(model: &Model) -> BTreeSet<&str> {
    let names: BTreeSet<&str> = model.joints.iter().map(|j| j.name.as_str()).collect();
    let released = model.events.iter().filter_map(|e| match &e.action {
        Action::Release { joint } => Some(joint.as_str()),
        _ => None,
    });
    released
        .filter(|joint| !names.contains(latches::name(joint).as_str()))
        .collect()
}

/// Joints whose rows may be asked for while they are not in force: those that an event lets go, and those
/// whose reaction presses the friction of another.
fn staying(model: &Model) -> BTreeSet<&str> {
    let pressing = model.joints.iter().filter_map(|j| j.joint.pressed_by());
    let_go(model).into_iter().chain(pressing).collect()
}

/// The rows of forces of the joint that presses another.
fn pressing_rows(
    plan: &Plan,
    named: &NamedJoint,
    by: &str,
) -> Result<[Option<u32>; 3], ModelError> {
    let refused = |why: String| ModelError::new(format!("joint `{}`: {why}", named.name));
    let pressing = (plan.joints.iter()).find(|j| j.name == by && !j.places.is_further());
    let pressing = pressing.ok_or_else(|| refused(format!("there is no joint `{by}`")))?;
    let forces = pressing.joint.force_rows();
    let own = (pressing.places.rows()).filter(|(own, _)| forces.contains(own));
    let mut rows = [None; 3];
    for (to, (_, row)) in rows.iter_mut().zip(own) {
        *to = Some(row as u32);
    }
    match rows[0] {
        Some(_) => Ok(rows),
        None => {
            let why = format!("joint `{by}` has no force that could press: hinges and slides have");
            Err(refused(why))
        }
    }
}

/// The bodies of a joint, or of one of its parts where it has more than two sides.
struct Pairing {
    joint: Arc<dyn Joint>,
    bodies: [BodyRef; 2],
}

impl Pairing {
    /// The joint itself between its first two bodies, then its further parts.
    fn all(named: &NamedJoint) -> Result<Vec<Pairing>, ModelError> {
        let sides: Vec<BodyRef> = [named.a, named.b]
            .into_iter()
            .chain(named.further.iter().copied())
            .collect();
        let targets = usize::from(named.joint.target().is_some());
        let needed = named.joint.sides() + targets;
        if sides.len() != needed {
            let message = format!(
                "joint `{}` has {} bodies where it needs {needed}",
                named.name,
                sides.len()
            );
            return Err(ModelError::new(message));
        }
        let body = |side: Option<usize>| side.map_or(BodyRef::GROUND, |k| sides[k]);
        let first = Pairing {
            joint: named.joint.clone(),
            bodies: [named.a, named.b],
        };
        let legs = named.joint.legs().into_iter().map(|leg| Pairing {
            joint: leg.joint,
            bodies: leg.sides.map(body),
        });
        Ok(std::iter::once(first).chain(legs).collect())
    }

    fn flat(&self, model: &Model) -> bool {
        is_flat(model, self.bodies[0], self.bodies[1])
    }

    fn local(&self, plan: &Plan) -> [Option<u32>; COLUMNS] {
        let [a, b] = self.bodies.map(|body| plan.frame(body));
        plan.local_columns(a, b)
    }
}

/// A joint with its parts and their entries, the rows that exist, and how many of them are of positions.
struct Numbered<'a> {
    named: &'a NamedJoint,
    parts: Vec<(Pairing, JointPattern)>,
    kept: Vec<u8>,
    rows: usize,
}

impl Numbered<'_> {
    /// The row of the whole behind one of its own, with its first rows of positions and of velocities.
    fn row(&self, [row, velocity_row]: [usize; 2], own: u8) -> Option<u32> {
        let k = self.kept.iter().position(|kept| *kept == own)?;
        let at = match k.checked_sub(self.rows) {
            None => row + k,
            Some(k) => velocity_row + k,
        };
        Some(at as u32)
    }
}

/// Checks a joint and finds its rows.
fn find_rows<'a>(
    model: &Model,
    plan: &Plan,
    named: &'a NamedJoint,
) -> Result<Numbered<'a>, ModelError> {
    let title = format!("joint `{}`", named.name);
    check::bodies(model, &title, named.a, named.b)?;
    let mut parts = Vec::new();
    let mut kept: Vec<u8> = Vec::new();
    for part in Pairing::all(named)? {
        let [a, b] = part.bodies;
        check::bodies(model, &title, a, b)?;
        let needs = part.joint.needs_orientation();
        let markers = part.joint.markers();
        check::sides(model, &title, [a, b], needs, slices(&markers))?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        part.joint.check().map_err(refused)?;
        let pattern = part.joint.pattern(part.flat(model));
        let exists = part.local(plan).map(|c| c.is_some());
        kept.extend(existing_rows(&*part.joint, &pattern, &exists));
        parts.push((part, pattern));
    }
    kept.sort_unstable();
    kept.dedup();
    if parts.len() == 1 {
        check_left_out(model, named, &kept, plan.length)?;
    }
    let of_positions = |row: &&u8| usize::from(**row) < named.joint.rows();
    let rows = kept.iter().filter(of_positions).count();
    Ok(Numbered {
        named,
        parts,
        kept,
        rows,
    })
}

pub(super) fn joints(
    model: &Model,
    plan: &mut Plan,
    entries: &mut Entries,
) -> Result<(), ModelError> {
    let mut all = Vec::new();
    for named in &model.joints {
        let joint = find_rows(model, plan, named)?;
        plan.dims.nc += joint.rows;
        plan.dims.ng += joint.kept.len() - joint.rows;
        all.push(joint);
    }
    let mut own = plan.dims.nc;
    for c in &mut plan.carriers {
        let count = c.rows.len();
        c.rows = own..own + count;
        own += count;
    }
    plan.joint_of = vec![0; plan.dims.rows()];
    let mut laws = Vec::new();
    let (let_go, staying) = (let_go(model), staying(model));
    let (mut row, mut velocity_row) = (0, plan.dims.nc);
    for joint in all {
        let velocity_rows = joint.kept.len() - joint.rows;
        let index = plan.joints.len() as u32;
        plan.joint_of[row..row + joint.rows].fill(index);
        plan.joint_of[velocity_row..velocity_row + velocity_rows].fill(index);
        if joint.named.joint.target().is_some()
            && let Some(target) = joint.named.further.last()
        {
            let frame = plan.frame(*target);
            let coordinate = plan.bodies[frame - GROUND - 1].first as u32;
            plan.targets.push((coordinate, row as u32));
            entries.r_l.insert((coordinate, row as u32));
        }
        let row_of = |own: u8| joint.row([row, velocity_row], own);
        let mut own_laws = joint.named.joint.laws();
        if own_laws.is_empty() && let_go.contains(joint.named.name.as_str()) {
            let all = joint.named.joint.rows() + joint.named.joint.velocity_rows();
            own_laws.extend((0..all).map(|own| (own, Law::Held { at_first: true })));
        }
        for (own, mut law) in own_laws {
            law.renumber(|own| row_of(own as u8).unwrap_or(own));
            if let Some(row) = row_of(own as u8) {
                let name = format!("joint `{}`", joint.named.name);
                laws.push((RowLaw { row, law, name }, index as usize));
            }
        }
        number_parts(
            (model, &staying),
            plan,
            &joint,
            [row, velocity_row],
            entries,
        );
        row += joint.rows;
        velocity_row += velocity_rows;
    }
    for (law, joint) in &mut laws {
        let joint = &plan.joints[*joint];
        let named = model.joints.iter().find(|named| named.name == joint.name);
        if let (Law::Dry(limit @ Limit::Given { .. }), Some(by), Some(named)) =
            (&mut law.law, joint.joint.pressed_by(), named)
            && let Limit::Given { ratio } = *limit
        {
            let by = pressing_rows(plan, named, by)?;
            *limit = Limit::Reacting { by, ratio };
        }
    }
    laws.sort_by_key(|(law, _)| law.row);
    (plan.laws, plan.law_joints) = laws.into_iter().unzip();
    Ok(())
}

/// Entries of a joint or of all its parts: those of one stand one after the other, parts share theirs.
fn number_parts(
    (model, staying): (&Model, &BTreeSet<&str>),
    plan: &mut Plan,
    joint: &Numbered<'_>,
    [row, velocity_row]: [usize; 2],
    entries: &mut Entries,
) {
    let Numbered {
        named,
        parts,
        kept,
        rows,
    } = joint;
    let global = |i: u8| joint.row([row, velocity_row], i);
    let first = plan.joints.len();
    for (part, pattern) in parts {
        let (local, flat) = (part.local(plan), part.flat(model));
        let mut gather = |block: Part, entries: &[(u8, u8)]| {
            let list = &mut plan.patterns[block];
            let mut g = Gather {
                first: list.len(),
                from: Vec::new(),
            };
            // parts after the first may have entries of the first
            for &(i, j) in entries {
                if let (Some(row), Some(column)) = (global(i), local[usize::from(j)]) {
                    list.push((row, column));
                    g.from.push(i * COLUMNS as u8 + j);
                }
            }
            g
        };
        let c_q = gather(Part::Cq, &pattern.c_q);
        let cv_q = gather(Part::CVq, &pattern.cv_q);
        (entries.r_q).extend(square(&local, &pattern.hess).map(|(_, entry)| entry));
        (entries.r_v).extend(square(&local, &pattern.hess_v).map(|(_, entry)| entry));
        let turns = remember(&mut plan.turns, part.joint.turns());
        let side = |first: usize| local[first..first + 6].iter().any(Option::is_some);
        let [a, b] = part.bodies.map(|body| plan.frame(body));
        plan.may_meet(part.joint.reach(), [a, b], part.joint.markers());
        plan.joints.push(JointPlan {
            name: named.name.clone(),
            joint: part.joint.clone(),
            features: part.joint.features(),
            places: JointPlaces {
                a,
                b,
                flat,
                on: [side(0), side(6)],
                straight: None,
                lanes: Lanes::new(|j| local[j].is_some() && pattern.has_column(j)),
                kept: kept.clone(),
                row,
                rows: *rows,
                velocity_row,
                velocity_rows: kept.len() - rows,
                c_q,
                cv_q,
                shared: None,
                hess: Vec::new(),
                hess_v: Vec::new(),
                turns,
                driven: !part.joint.prescribed().is_empty(),
                stays: staying.contains(named.name.as_str()),
                rubs: (part.joint.laws().iter())
                    .any(|(_, law)| matches!(law, Law::Dry(_) | Law::Cone(_))),
            },
        });
    }
    if parts.len() > 1 {
        share_rows(plan, first);
    }
}

/// Lets the parts of one joint, from the given one to the last, add to entries that each stand once.
fn share_rows(plan: &mut Plan, first: usize) {
    let Plan {
        joints, patterns, ..
    } = plan;
    let parts = &mut joints[first..];
    for part in parts.iter_mut() {
        part.places.shared = Some(Box::default());
    }
    for (block, rates) in [(Part::Cq, false), (Part::CVq, true)] {
        let list = &mut patterns[block];
        let own = |places: &JointPlaces| match rates {
            false => places.c_q.clone(),
            true => places.cv_q.clone(),
        };
        let Some(begin) = parts.first().map(|part| own(&part.places).first) else {
            return;
        };
        let all = list.split_off(begin);
        for (k, part) in parts.iter_mut().enumerate() {
            let own = own(&part.places);
            let mut slots = Vec::new();
            for (from, entry) in own.from.iter().zip(&all[own.first - begin..]) {
                let known = list[begin..].iter().position(|e| e == entry);
                let slot = known.map_or(list.len(), |k| begin + k);
                if known.is_none() {
                    list.push(*entry);
                }
                slots.push((*from, slot as u32));
            }
            let shared = part.places.shared.get_or_insert_default();
            shared.further = k > 0;
            match rates {
                false => shared.c_q = slots,
                true => shared.cv_q = slots,
            }
        }
        let whole = begin..list.len();
        if let Some(shared) = parts.first_mut().and_then(|p| p.places.shared.as_mut()) {
            match rates {
                false => shared.of_c_q = whole,
                true => shared.of_cv_q = whole,
            }
        }
    }
    for part in parts {
        (part.places.c_q, part.places.cv_q) = (Gather::default(), Gather::default());
    }
}
