//! The equations in Euler parameters as a system.

use super::blocks::needed;
use super::operators::Operators;
use super::{EulerParameters, Layout, four, widen};
use crate::forward::evaluate_in_one_pass;
use linkwork_dae::chart::Chart;
use linkwork_dae::dense::Matrix;
use linkwork_dae::kinetic::BodyMotions;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    After, At, Blocks, Bodies, Capability, Energy, EnergyAccount, EvalError, Facts, Guess, Names,
    Part, Parts, Row, System, Terms, TimeEvents,
};

impl EulerParameters {
    fn evaluate(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.enter(at.t, at.q, at.v, at.a);
        self.enter_multipliers(at.lambda);
        if let Some(k) = self.operators.iter().position(|o| o.e == [0.0; 4]) {
            let what = (self.layout.facts.names).describe(Row::Position(self.layout.first(k)));
            let why = "all Euler parameters are zero".into();
            return Err(EvalError::Domain { what, why });
        }
        let inner = At {
            t: at.t,
            q: &self.state.q,
            v: &self.state.v,
            a: &self.state.a,
            lambda: &self.state.lambda,
            x: at.x,
        };
        let stiff = parts.has(Part::Rq);
        let list = |wanted: bool, x: &mut Vec<f64>| wanted.then(|| std::mem::take(x));
        let mut r = list(want.r.is_some() || stiff, &mut self.r);
        let mut force = list(want.force.is_some(), &mut self.force);
        let mut mass = list(want.mass.is_some() || want.force.is_some(), &mut self.mass);
        let mut c_q = list(want.c_q.is_some() || want.gamma.is_some(), &mut self.c_q);
        let mut c = list(want.c.is_some(), &mut self.c);
        let mut cv = list(want.cv.is_some(), &mut self.cv);
        let mut gamma = list(want.gamma.is_some(), &mut self.gamma);
        let mut terms = Terms {
            r: r.as_deref_mut(),
            mass: mass.as_deref_mut(),
            force: force.as_deref_mut(),
            c: c.as_deref_mut(),
            c_q: c_q.as_deref_mut(),
            cv: cv.as_deref_mut(),
            gamma: gamma.as_deref_mut(),
            f: want.f.as_deref_mut(),
            generators: None,
        };
        let done = if parts.is_empty() {
            self.assembly.eval(&inner, &mut terms)
        } else {
            let from = needed(parts);
            self.assembly
                .linearise(&inner, &mut terms, from, &mut self.blocks)
        };
        let back = [
            (&mut self.r, r),
            (&mut self.force, force),
            (&mut self.mass, mass),
            (&mut self.c_q, c_q),
            (&mut self.c, c),
            (&mut self.cv, cv),
            (&mut self.gamma, gamma),
        ];
        for (place, list) in back {
            if let Some(list) = list {
                *place = list;
            }
        }
        done?;
        self.place_terms(at, want);
        if !parts.is_empty() {
            self.place_blocks(at, parts, out);
        }
        Ok(())
    }

    fn place_terms(&mut self, at: &At<'_>, want: &mut Terms<'_>) {
        let layout = &*self.layout;
        let operators = &self.operators;
        let nc = layout.inner.nc;
        let count = operators.len();
        if let Some(r) = &mut want.r {
            widen(layout, &self.r, r, |k, tau| operators[k].pull(tau));
            for (k, o) in operators.iter().enumerate() {
                let mu = at.lambda.get(layout.norm_row(k)).copied().unwrap_or(0.0);
                let first = layout.first(k);
                for (r, e) in r[first..first + 4].iter_mut().zip(o.e) {
                    *r += e * mu;
                }
            }
        }
        if let Some(mass) = &mut want.mass {
            layout
                .jobs
                .fill_one(Part::Mass, operators, &self.mass, mass);
        }
        if let Some(force) = &mut want.force {
            // Q~ - M~ b
            let pattern = &self.assembly.facts().patterns[Part::Mass];
            for (k, (first, _)) in layout.rotations.iter().enumerate() {
                let columns = *first..first + 3;
                for (&(i, j), m) in pattern.iter().zip(&self.mass) {
                    if columns.contains(&(j as usize)) {
                        self.force[i as usize] -= m * operators[k].bias[j as usize - first];
                    }
                }
            }
            widen(layout, &self.force, force, |k, tau| operators[k].pull(tau));
        }
        if let Some(c) = &mut want.c {
            c[..nc].copy_from_slice(&self.c);
            for (c, o) in c[nc..].iter_mut().zip(operators) {
                *c = 0.5 * (dot(o.e, o.e) - 1.0);
            }
        }
        if let Some(cv) = &mut want.cv {
            cv[..nc].copy_from_slice(&self.cv[..nc]);
            cv[nc + count..].copy_from_slice(&self.cv[nc..]);
            for (cv, o) in cv[nc..].iter_mut().zip(operators) {
                *cv = dot(o.e, o.rate);
            }
        }
        if let Some(gamma) = &mut want.gamma {
            let pattern = &self.assembly.facts().patterns[Part::Cq];
            for (k, (first, _)) in layout.rotations.iter().enumerate() {
                let columns = *first..first + 3;
                for (&(i, j), x) in pattern.iter().zip(&self.c_q) {
                    if columns.contains(&(j as usize)) {
                        self.gamma[i as usize] -= x * operators[k].bias[j as usize - first];
                    }
                }
            }
            gamma[..nc].copy_from_slice(&self.gamma[..nc]);
            gamma[nc + count..].copy_from_slice(&self.gamma[nc..]);
            for (gamma, o) in gamma[nc..].iter_mut().zip(operators) {
                *gamma = -dot(o.rate, o.rate);
            }
        }
        if let Some(c_q) = &mut want.c_q {
            layout.jobs.fill_one(Part::Cq, operators, &self.c_q, c_q);
            for (places, o) in layout.jobs.norm.iter().zip(operators) {
                for (place, e) in places.iter().zip(o.e) {
                    c_q[*place as usize] = e;
                }
            }
        }
    }

    fn place_blocks(&mut self, at: &At<'_>, parts: Parts, out: &mut Blocks) {
        let layout = &*self.layout;
        layout.jobs.fill(&self.operators, &self.blocks, parts, out);
        for (k, o) in self.operators.iter().enumerate() {
            if parts.has(Part::Rq) {
                let first = layout.rotations[k].0;
                let tau = [self.r[first], self.r[first + 1], self.r[first + 2]];
                let mu = at.lambda.get(layout.norm_row(k)).copied().unwrap_or(0.0);
                let bent = o.pull_by_e(tau);
                let places = layout.jobs.turning[k].iter().enumerate();
                for (n, place) in places {
                    let norm = if n / 4 == n % 4 { mu } else { 0.0 };
                    out[Part::Rq][*place as usize] += bent[n / 4][n % 4] + norm;
                }
            }
            for (part, places, values) in [
                (Part::Cq, &layout.jobs.norm[k], o.e),
                (Part::CVq, &layout.jobs.norm_rate[k], o.rate),
            ] {
                if parts.has(part) {
                    for (place, x) in places.iter().zip(values) {
                        out[part][*place as usize] = x;
                    }
                }
            }
        }
    }
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Layout {
    /// The rotation that a coordinate belongs to, and which of the four it is; or its number in the
    /// assembly.
    fn find(&self, i: usize) -> Result<(usize, usize), usize> {
        let mut before = 0;
        for k in 0..self.rotations.len() {
            let first = self.first(k);
            if (first..first + 4).contains(&i) {
                return Ok((k, i - first));
            }
            before += usize::from(first < i);
        }
        Err(i - before)
    }

    /// The row of the assembly behind a row here, or the rotation.
    fn inner(&self, row: Row) -> Result<Row, (usize, Option<usize>)> {
        let nc = self.inner.nc;
        let count = self.rotations.len();
        let velocity = |i: usize| match self.find(i) {
            Ok((k, part)) => Err((k, Some(part))),
            Err(i) => Ok(i),
        };
        match row {
            Row::Position(i) => velocity(i).map(Row::Position),
            Row::Velocity(i) => velocity(i).map(Row::Velocity),
            Row::Constraint(i) if i < nc => Ok(row),
            Row::Constraint(i) if i < nc + count => Err((i - nc, None)),
            Row::Constraint(i) => Ok(Row::Constraint(i - count)),
            Row::State(_) => Ok(row),
        }
    }

    /// Changes what the assembly says of itself.
    pub(super) fn tell(&mut self, inner: &Facts) {
        let mut guess = Guess {
            t: inner.guess.t,
            x: inner.guess.x.clone(),
            ..Guess::default()
        };
        let nv = self.facts.dims.nv;
        for list in [
            &mut guess.q,
            &mut guess.v,
            &mut guess.weight_q,
            &mut guess.weight_v,
        ] {
            list.resize(nv, 0.0);
        }
        let start = |k: usize| self.rotations[k].1;
        widen(self, &inner.guess.q, &mut guess.q, |k, _| start(k));
        widen(self, &inner.guess.v, &mut guess.v, |k, omega| {
            Operators::rates(start(k), omega)
        });
        // An Euler parameter is half an angle.
        let weigh = |_: usize, w: [f64; 3]| [4.0 * w[0]; 4];
        widen(self, &inner.guess.weight_q, &mut guess.weight_q, weigh);
        widen(self, &inner.guess.weight_v, &mut guess.weight_v, weigh);
        let mut scale = vec![0.0; nv];
        widen(self, &inner.scale, &mut scale, |_, _| [0.5; 4]);
        let reference = |i: usize| match self.find(i) {
            Ok(_) => Some(0.5),
            Err(i) => inner.reference[i],
        };
        let reference = (0..nv).map(reference).collect();
        let names = Names::new(
            self.facts.dims,
            |row| self.describe(row, &inner.names),
            |row| self.owner(row, &inner.names),
        );
        self.facts = Facts {
            guess,
            scale,
            reference,
            names,
            ..std::mem::take(&mut self.facts)
        };
    }

    fn describe(&self, row: Row, names: &Names) -> String {
        match self.inner(row) {
            Ok(row) => names.describe(row),
            Err((_, part)) => {
                let body = self.owner(row, names);
                match (part, row) {
                    (None, _) => format!("body `{body}`, norm of its Euler parameters"),
                    (Some(part), Row::Velocity(_)) => {
                        format!("body `{body}`, rate of its Euler parameter {part}")
                    }
                    (Some(part), _) => format!("body `{body}`, its Euler parameter {part}"),
                }
            }
        }
    }

    fn owner(&self, row: Row, names: &Names) -> String {
        match self.inner(row) {
            Ok(row) => names.owner(row),
            Err((k, _)) => names.owner(Row::Position(self.rotations[k].0)),
        }
    }
}

impl System for EulerParameters {
    fn facts(&self) -> &Facts {
        &self.layout.facts
    }

    evaluate_in_one_pass!(evaluate);

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.enter_state(s);
        self.assembly.observe(&self.state, out);
    }

    /// Only angles that pass whole turns need a chart; its coordinates are plain.
    fn chart(&self) -> Option<&dyn Chart> {
        self.assembly.keeps_turns().then_some(self as &dyn Chart)
    }

    /// What the assembly can do, with its states in Euler parameters.
    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::Chart(to) if self.assembly.keeps_turns() => *to = Some(self),
            Capability::TimeEvents(to) => *to = Some(self),
            Capability::Energy(to) => *to = Some(self),
            Capability::Bodies(to) => *to = Some(self),
            Capability::Inputs(_) | Capability::Excitations(_) => self.assembly.capability(wanted),
            Capability::Chart(_)
            | Capability::StageForm(_)
            | Capability::Switching(_)
            | Capability::ForwardDynamics(_) => {}
        }
    }

    fn reset(&mut self) {
        self.assembly.reset();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.assembly.memory(m);
    }

    fn fork(&self) -> Box<dyn System> {
        let copy = self.assembly.copy();
        Box::new(EulerParameters::with(copy, self.layout.clone()))
    }
}

impl TimeEvents for EulerParameters {
    fn next_time_event(&self, t: f64) -> Option<f64> {
        self.assembly.next_time_event(t)
    }

    fn on_time_event(&mut self, s: &mut State) -> After {
        self.enter_state(s);
        let after = self.assembly.on_time_event(&mut self.state);
        s.x.copy_from_slice(&self.state.x);
        after
    }
}

impl EnergyAccount for EulerParameters {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.enter_state(s);
        self.assembly.energy(&self.state)
    }
}

impl Bodies for EulerParameters {
    fn motions(&mut self, q: &[f64], v: &Matrix) -> BodyMotions {
        let mut narrow = Matrix::zero(self.layout.inner.nv, v.columns());
        for k in 0..v.columns() {
            self.enter(self.state.t, q, &v.column(k), &[]);
            for (i, v) in self.state.v.iter().enumerate() {
                narrow[(i, k)] = *v;
            }
        }
        self.assembly.motions(&self.state.q, &narrow)
    }
}

/// Plain coordinates; the base that "moves" is the count of turns.
impl Chart for EulerParameters {
    fn tangent(&self, _: &[f64], qdot: &[f64], v: &mut [f64]) {
        v.copy_from_slice(qdot);
    }

    fn rate(&self, _: &[f64], v: &[f64], qdot: &mut [f64]) {
        qdot.copy_from_slice(v);
    }

    fn advance(&self, q: &mut [f64], d: &[f64]) {
        for (q, d) in q.iter_mut().zip(d) {
            *q += d;
        }
    }

    fn pattern(&self) -> Vec<(u32, u32)> {
        Vec::new()
    }

    fn rate_derivative(&self, _: &[f64], _: &[f64], _: &mut [f64]) {}

    fn rate_excess(&self, _: &[f64], _: &mut [f64]) {}

    fn tangent_excess(&self, _: &[f64], _: &mut [f64]) {}

    fn bend_rate(&self, _: &[f64], _: &[f64], _: &mut [f64]) {}

    fn rebase(&mut self, t: f64, q: &[f64]) -> bool {
        self.enter(t, q, &[], &[]);
        self.assembly.wind(t, &self.state.q);
        false
    }

    fn carry(&self, _: f64, _: &mut [f64], _: &mut [f64]) {}

    fn carried(&self) -> Vec<usize> {
        Vec::new()
    }

    fn turn(&self, v: &[f64]) -> f64 {
        let rates = (0..self.layout.rotations.len()).map(|k| {
            let rate = four(v, self.layout.first(k));
            2.0 * dot(rate, rate).sqrt()
        });
        rates.fold(0.0, f64::max)
    }
}
