//! Where switching functions are zero: on the dense output of a step, then on the constraints.

use super::events::values;
use super::{Cause, Engine};

impl Engine<'_> {
    pub(super) fn next_zero(&mut self, from: f64, to: f64) -> Option<f64> {
        let Engine {
            sys,
            stepper,
            saddle,
            scratch,
            watch,
            modes,
            ..
        } = self;
        let of_system = sys.switching().is_some_and(|s| s.reads_reactions());
        let reactions = of_system || modes.reads_reactions();
        let own = watch.len() - modes.switches().len();
        let mut from = from;
        loop {
            let end = modes.look_ahead(*sys, [from, to], scratch, |t, s| stepper.interpolate(t, s));
            // gaps come into use that were far until now
            if modes.are_many() {
                watch.refresh(|out| values(*sys, modes, scratch, out));
            }
            let zero = watch.first(from, end, &mut |t, only, out| {
                stepper.interpolate(t, scratch);
                stepper.put_back(*sys, scratch);
                let alone = only.filter(|i| *i >= own);
                if let Some(i) = alone
                    && let Some(value) = modes.value(i - own, *sys, saddle, scratch)
                {
                    out[i] = value;
                    return;
                }
                if reactions {
                    modes.doze(*sys);
                }
                if !reactions || saddle.accelerate(*sys, scratch).is_ok() {
                    values(*sys, modes, scratch, out);
                } else {
                    out.fill(f64::NAN);
                }
            });
            if zero.is_some() || end >= to {
                return zero;
            }
            from = end;
        }
    }

    /// The state at a zero of the dense output. Moving it onto the constraints moves the switching
    /// function, by the error of the dense output: a few secant steps find the zero on the constraints.
    pub(super) fn cut_at_zero(&mut self, zero: f64, [from, to]: [f64; 2]) -> Result<f64, Cause> {
        const CORRECTIONS: usize = 4;
        const APART: f64 = 1e-6;
        let Some(first) = self.watch.crossed().first().map(|c| c.switch) else {
            return Ok(zero);
        };
        let mut t = zero;
        if self.sys.dims().rows() > 0 && zero < to {
            let mut last = zero - APART * (to - from);
            self.cut_at(last)?;
            let mut g_last = self.cut_value(first);
            self.cut_at(t)?;
            let mut g = self.cut_value(first);
            for _ in 0..CORRECTIONS {
                let next = (t - g * (t - last) / (g - g_last)).clamp(from, to);
                // NaN must not pass
                if !(next - t).is_normal() {
                    break;
                }
                self.cut_at(next)?;
                let there = self.cut_value(first);
                // rounding: no further progress
                if !(there.abs() < 0.5 * g.abs()) {
                    break;
                }
                (last, g_last) = (t, g);
                (t, g) = (next, there);
            }
        }
        self.cut_at(t)?;
        let Engine {
            sys,
            watch,
            modes,
            cut,
            ..
        } = self;
        watch.place(|out| values(*sys, modes, cut, out));
        Ok(t)
    }

    /// A switching function at the cut.
    fn cut_value(&mut self, switch: usize) -> f64 {
        let Engine {
            sys,
            watch,
            modes,
            saddle,
            cut,
            ..
        } = self;
        let own = watch.len() - modes.switches().len();
        let alone = switch.checked_sub(own);
        if let Some(value) = alone.and_then(|i| modes.value(i, *sys, saddle, cut)) {
            return value;
        }
        watch.value(switch, |out| values(*sys, modes, cut, out))
    }

    /// The state at `t` of the last step, on the constraints and with all that belongs to it.
    fn cut_at(&mut self, t: f64) -> Result<(), Cause> {
        let Engine {
            sys,
            stepper,
            saddle,
            algebraic,
            modes,
            cut,
            ..
        } = self;
        modes.doze(*sys);
        if t == stepper.state().t {
            cut.copy_from(stepper.state());
        } else {
            stepper.interpolate(t, cut);
            stepper.put_back(*sys, cut);
            let dims = sys.dims();
            if dims.nc > 0 {
                saddle.project_position(*sys, cut).map_err(Cause::Output)?;
            }
            if dims.rows() > 0 {
                saddle.project_velocity(*sys, cut).map_err(Cause::Output)?;
            }
        }
        saddle.return_to_slides(*sys, cut).map_err(Cause::Output)?;
        algebraic.solve(*sys, cut).map_err(Cause::Restart)?;
        saddle.accelerate(*sys, cut).map_err(Cause::Output)
    }
}
