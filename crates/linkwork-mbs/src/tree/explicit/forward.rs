//! What both forms of the equations share: everything but the equations.

/// The methods of a system that another one, given by its field, answers for it.
macro_rules! forward_all_but_equations {
    ($($inner:ident).+) => {
        fn dims(&self) -> Dims {
            self.$($inner).+.dims()
        }

        fn exact_parts(&self) -> Parts {
            self.$($inner).+.exact_parts()
        }

        fn excitations(&self) -> usize {
            self.$($inner).+.excitations()
        }

        fn excitation(&self, t: f64, out: &mut [f64]) {
            self.$($inner).+.excitation(t, out);
        }

        fn excitation_name(&self, i: usize) -> String {
            self.$($inner).+.excitation_name(i)
        }

        fn excitation_scale(&self, out: &mut [f64]) {
            self.$($inner).+.excitation_scale(out);
        }

        fn offset_excitations(&mut self, offset: &[f64]) {
            self.$($inner).+.offset_excitations(offset);
        }

        crate::forward::forward_controls!($($inner).+);

        fn guess(&self) -> Guess {
            self.$($inner).+.guess()
        }

        fn scale(&self, out: &mut [f64]) {
            self.$($inner).+.scale(out);
        }

        fn magnitude(&self, q: &[f64], out: &mut [f64]) {
            self.$($inner).+.magnitude(q, out);
        }

        fn chart(&self) -> Option<&dyn Chart> {
            self.$($inner).+.chart()
        }

        fn chart_mut(&mut self) -> Option<&mut dyn Chart> {
            self.$($inner).+.chart_mut()
        }

        fn reset(&mut self) {
            self.$($inner).+.reset();
        }

        fn on_time_event(&mut self, s: &mut State) -> After {
            self.$($inner).+.on_time_event(s)
        }

        fn switching(&mut self) -> Option<&mut dyn linkwork_dae::switching::Switching> {
            self.$($inner).+.switching()
        }

        fn channels(&self) -> &[Channel] {
            self.$($inner).+.channels()
        }

        fn observe(&mut self, s: &State, out: &mut [f64]) {
            self.$($inner).+.observe(s, out);
        }

        fn energy(&mut self, s: &State) -> Option<Energy> {
            self.$($inner).+.energy(s)
        }

        fn body_motions(&mut self, q: &[f64], v: &Matrix) -> Option<BodyMotions> {
            self.$($inner).+.body_motions(q, v)
        }

        fn describe(&self, row: Row) -> String {
            self.$($inner).+.describe(row)
        }

        fn owner(&self, row: Row) -> String {
            self.$($inner).+.owner(row)
        }

        fn memory(&mut self, m: &mut Memory) {
            self.$($inner).+.memory(m);
        }
    };
}

pub(super) use forward_all_but_equations;
