//! What explicit methods take from the acceleration-level matrix: the end of a step on the
//! constraints, and a flow that is drawn towards them.

use super::{Saddle, SaddleError, given, place, slide};
use crate::state::State;
use crate::system::{Rows, System, Terms};

impl Saddle {
    /// Ends a step: positions onto `C = 0`, velocities onto `C_q v + C_t = 0` and `g = 0`, both in
    /// the mass metric, then accelerations, multipliers and rates. Returns how often constraints
    /// were evaluated.
    ///
    /// The positions start with the factors at hand, those of the last stage, so that one new
    /// factorisation serves velocities and accelerations.
    pub(crate) fn land(&mut self, sys: &mut dyn System, s: &mut State) -> Result<u64, SaddleError> {
        if self.rows.is_empty() {
            self.return_to_slides(sys, s)?;
            self.accelerate(sys, s)?;
            return Ok(0);
        }
        let mut evaluations = 1;
        if self.dims.nc > 0 {
            evaluations += 1 + self.close(sys, s, false)? as u64;
        }
        self.arrive(sys, s)?;
        Ok(evaluations)
    }

    /// The same from anywhere near the constraints, with factors of its own: what was done before does not matter.
    pub(crate) fn put_back(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        if self.dims.nc > 0 {
            self.close(sys, s, true)?;
        }
        self.arrive(sys, s)
    }

    /// Moves the velocities of a state with closed positions onto their constraints and finds its
    /// accelerations, multipliers and rates, with one factorisation.
    pub(crate) fn arrive(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        self.project_velocity(sys, s)?;
        if slide::count(sys) > 0 {
            self.return_to_slides(sys, s)?;
            return self.slide_along(sys, s);
        }
        if !self.ties.is_empty() {
            return self.accelerate_by_factors(sys, s);
        }
        let mut want = Terms {
            force: Some(&mut self.force),
            gamma: Some(&mut self.constraint),
            f: (!self.f.is_empty()).then_some(&mut self.f[..]),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        self.load_dynamics();
        self.solve();
        self.store_dynamics(s)?;
        self.settle(sys, s)
    }

    /// Accelerations, multipliers and rates of a flow whose constraint errors decay at the rate
    /// `chi`; `qdot` is the velocity with its correction:
    ///
    /// ```text
    ///  [ M    C_q' ] [ qdot - v ]   [ 0                        ]
    ///  [ C_q  0    ] [ s        ] = [ -(C_q v + C_t) - chi C   ]      so  C' = -chi C
    ///
    ///  [ M    C_q' ] [ a        ]   [ Q                        ]
    ///  [ C_q  0    ] [ lambda   ] = [ gamma - chi (C_q v + C_t)]      so  (C_q v + C_t)' = -chi (..)
    /// ```
    ///
    /// The second holds up to the derivative of `C_q v + C_t` along the correction, which vanishes
    /// with it. Non-holonomic rows do not move the positions. Functions of relays that slide decay at the same rate.
    pub(crate) fn relax(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        chi: f64,
        open: &mut Openness,
        qdot: &mut [f64],
    ) -> Result<(), SaddleError> {
        if slide::count(sys) > 0 {
            return self.with_shares(sys, s, chi, |saddle, sys, s| {
                saddle.relax_once(sys, s, chi, open, qdot)
            });
        }
        self.relax_once(sys, s, chi, open, qdot)
    }

    fn relax_once(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        chi: f64,
        open: &mut Openness,
        qdot: &mut [f64],
    ) -> Result<(), SaddleError> {
        let (nv, nc) = (self.dims.nv, self.dims.nc);
        let mut want = Terms {
            mass: Some(&mut self.mass),
            c_q: Some(&mut self.c_q),
            force: Some(&mut self.force),
            gamma: Some(&mut self.constraint),
            f: (!self.f.is_empty()).then_some(&mut self.f[..]),
            c: Some(&mut open.c),
            cv: Some(&mut open.cv),
            generators: given(&mut self.generators),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        Rows::give(&self.ties, sys, s, &mut self.capacity);
        self.give_multipliers(s);
        self.factor_with_ties()?;
        for (gamma, cv) in self.constraint.iter_mut().zip(&open.cv) {
            *gamma -= chi * cv;
        }
        self.load_dynamics();
        self.solve();
        self.store_dynamics(s)?;
        self.settle(sys, s)?;
        self.constraint[nc..].fill(0.0);
        for ((r, c), cv) in self.constraint.iter_mut().zip(&open.c).zip(&open.cv) {
            *r = cv + chi * c;
        }
        self.load_constraint();
        self.solve();
        self.check_solution()?;
        for (qdot, (v, d)) in qdot.iter_mut().zip(s.v.iter().zip(&self.rhs[..nv])) {
            *qdot = v + d;
        }
        Ok(())
    }
}

/// Constraint errors of a relaxing flow: `C`, and `C_q v + C_t` with `g`.
#[derive(Default)]
pub(crate) struct Openness {
    /// Positions, length `nc`.
    pub c: Vec<f64>,
    /// Velocities, length `nc + ng`.
    pub cv: Vec<f64>,
}
