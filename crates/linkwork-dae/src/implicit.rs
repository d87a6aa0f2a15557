//! What every implicit stepper owns: formulation, corrector, Jacobian strategy, matrix.

use crate::corrector::{Context, Corrector, Newton, Retry};
use crate::formulation::{Formulation, Matrix};
use crate::jacobian::JacobianStrategy;
use crate::linear::{LinearSolver, Pattern};
use crate::memory::Memory;
use crate::state::{Link, Stage, Weights};
use crate::stats::Stats;
use crate::system::{Blocks, Rows, System, stage_form};

/// Solves the nonlinear problem of a step, whatever the time scheme.
pub struct Implicit {
    /// Placement of the equations.
    pub form: Formulation,
    /// The iteration.
    pub corrector: Box<dyn Corrector>,
    /// Source of derivative blocks.
    pub jacobian: Box<dyn JacobianStrategy>,
    /// Iteration matrix.
    pub matrix: Matrix,
}

impl Implicit {
    /// Puts the parts together; [`Implicit::bind`] makes them ready for a system.
    pub fn new(
        form: Formulation,
        jacobian: Box<dyn JacobianStrategy>,
        solver: Box<dyn LinearSolver>,
    ) -> Implicit {
        Implicit {
            form,
            corrector: Box::new(Newton::default()),
            jacobian,
            matrix: Matrix {
                blocks: Blocks::default(),
                bend: Vec::new(),
                pattern: Pattern::default(),
                values: Vec::new(),
                solver,
                long: Vec::new(),
                link: Link::default(),
                age: 0,
                valid: false,
            },
        }
    }

    /// Allocates and analyses for a system and its kept rows.
    pub fn bind(&mut self, sys: &dyn System, keep: &Rows) {
        let sys = stage_form(sys);
        let (pattern, groups) = self.form.bind(sys, keep);
        self.matrix.solver.analyse(&pattern, &groups);
        if !self.form.order().is_empty() {
            self.matrix.solver.suggest(self.form.order());
        }
        self.matrix.blocks = Blocks::new(sys.patterns());
        let bend = sys.chart().map_or(0, |chart| chart.pattern().len());
        self.matrix.bend = vec![0.0; bend];
        self.matrix.values = vec![0.0; pattern.nnz()];
        let long = if pattern.n > self.form.size() {
            pattern.n
        } else {
            0
        };
        self.matrix.long = vec![0.0; long];
        self.corrector.bind(sys, self.form.size(), pattern.n);
        self.matrix.pattern = pattern;
        self.matrix.valid = false;
        self.matrix.age = 0;
        self.jacobian.bind(sys, self.form.parts());
    }

    /// Corrects a predicted stage; returns the iterations spent.
    pub fn solve(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        st: &mut Stage,
    ) -> Result<u32, Retry> {
        self.form.give(sys, st);
        if let Some(form) = sys.stage_form_mut() {
            return self.correct(form, w, stats, st);
        }
        self.correct(sys, w, stats, st)
    }

    fn correct(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        st: &mut Stage,
    ) -> Result<u32, Retry> {
        let mut cx = Context {
            sys,
            form: &mut self.form,
            jacobian: &mut *self.jacobian,
            matrix: &mut self.matrix,
            w,
            stats,
        };
        self.corrector.solve(&mut cx, st)
    }

    /// Removes the normal part of a velocity-level vector with the factors at hand; `false` when
    /// there is nothing to remove or nothing to remove it with.
    pub fn filter(&mut self, e: &mut [f64]) -> bool {
        let possible = self.matrix.valid && self.form.filters();
        if possible {
            self.form.filter(&mut self.matrix, e);
        }
        possible
    }

    /// Saves or restores corrector, strategy and matrix.
    pub fn memory(&mut self, m: &mut Memory) {
        let Implicit {
            form,
            corrector,
            jacobian,
            matrix,
        } = self;
        corrector.memory(m);
        jacobian.memory(m);
        matrix.memory(form, m);
    }

    /// Forgets what the solves so far have taught: the next ones are of another kind. The matrix goes as well: one of
    /// stiffer equations would make corrections small, and whoever looks at them would take that for convergence.
    pub fn restart(&mut self) {
        self.corrector.restart();
        self.jacobian.restart();
        self.matrix.valid = false;
    }

    /// An accepted step makes the matrix older.
    pub fn accepted(&mut self) {
        self.matrix.age += 1;
    }
}
