//! What systems that wrap an assembly leave to it, and charts to their rotations.
//!
//! An implementation of a trait cannot borrow methods of another. These lists stand for the methods that
//! have nothing to do with the coordinates in which a system is told.

/// Terms and derivatives come from one pass, a method with the arguments of `linearise`.
macro_rules! evaluate_in_one_pass {
    ($pass:ident) => {
        fn eval(
            &mut self,
            at: &linkwork_dae::system::At<'_>,
            want: &mut linkwork_dae::system::Terms<'_>,
        ) -> Result<(), linkwork_dae::system::EvalError> {
            let none = &mut linkwork_dae::system::Blocks::default();
            self.$pass(at, want, linkwork_dae::system::Parts::NONE, none)
        }

        fn linearise(
            &mut self,
            at: &linkwork_dae::system::At<'_>,
            want: &mut linkwork_dae::system::Terms<'_>,
            parts: linkwork_dae::system::Parts,
            out: &mut linkwork_dae::system::Blocks,
        ) -> Result<(), linkwork_dae::system::EvalError> {
            self.$pass(at, want, parts, out)
        }
    };
}

/// All of a chart but the moving of its base and the turning that it allows.
macro_rules! forward_coordinates {
    ($inner:ident) => {
        fn tangent(&self, q: &[f64], qdot: &[f64], v: &mut [f64]) {
            self.$inner.tangent(q, qdot, v);
        }

        fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
            self.$inner.rate(q, v, qdot);
        }

        fn advance(&self, q: &mut [f64], d: &[f64]) {
            self.$inner.advance(q, d);
        }

        fn pattern(&self) -> Vec<(u32, u32)> {
            self.$inner.pattern()
        }

        fn rate_derivative(&self, q: &[f64], qdot: &[f64], out: &mut [f64]) {
            self.$inner.rate_derivative(q, qdot, out);
        }

        fn rate_excess(&self, q: &[f64], out: &mut [f64]) {
            self.$inner.rate_excess(q, out);
        }

        fn tangent_excess(&self, q: &[f64], out: &mut [f64]) {
            self.$inner.tangent_excess(q, out);
        }

        fn transport(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
            self.$inner.transport(from, to, out);
        }

        fn bend_rate(&self, v: &[f64], a: &[f64], out: &mut [f64]) {
            self.$inner.bend_rate(v, a, out);
        }

        fn carry(&self, t: f64, q: &mut [f64], v: &mut [f64]) {
            self.$inner.carry(t, q, v);
        }

        fn carried(&self) -> Vec<usize> {
            self.$inner.carried()
        }
    };
}

/// What a system tells and remembers that only states the equations of another one differently.
macro_rules! forward_states {
    ($($inner:ident).+) => {
        fn observe(&mut self, s: &linkwork_dae::state::State, out: &mut [f64]) {
            self.$($inner).+.observe(s, out);
        }

        fn chart(&self) -> Option<&dyn linkwork_dae::chart::Chart> {
            self.$($inner).+.chart()
        }

        fn reset(&mut self) {
            self.$($inner).+.reset();
        }

        fn memory(&mut self, m: &mut linkwork_dae::memory::Memory) {
            self.$($inner).+.memory(m);
        }

        fn fork(&self) -> Box<dyn System> {
            Box::new(self.clone())
        }
    };
}

pub(crate) use evaluate_in_one_pass;
pub(crate) use forward_coordinates;
pub(crate) use forward_states;
