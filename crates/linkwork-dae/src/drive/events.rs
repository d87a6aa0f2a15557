//! Events: zeros of switching functions, and going on behind them.
//!
//! A step is accepted first and looked through afterwards, on its dense output. What lies behind the first
//! zero is thrown away: the state there comes from the dense output, is moved onto the constraints and gets
//! the accelerations of the equations as they were, which observers see as the end of the step. Then the
//! system changes what it has to, and the accelerations of the other side are seen as an event at the
//! same time. Repeating the step to end at the zero would give the same error for one more step, unless the
//! equations are not smooth there ([`approach`](super::approach)).

use super::pile::CHATTER;
use super::{Cause, Engine, Flow, Observer, Occasion, SMALLEST_STEP, View};
use crate::modes::Modes;
use crate::saddle::SaddleError;
use crate::state::State;
use crate::switching::Crossing;
use crate::system::{After, Row, Rows, System};

/// After a jump of velocities one-step methods begin with this share of their step.
const AFTER_JUMP: f64 = 0.3;

/// What became of a step that was looked through.
pub(super) enum Watched {
    /// It stands; observers have seen it up to here.
    Whole(f64, Flow),
    /// It is taken once more, up to a rough place.
    Back,
    /// It ends at an event from which the run goes on.
    Cut(Flow),
}

impl Engine<'_> {
    /// Takes the values of the switching functions at the start.
    pub(super) fn begin_watch(&mut self) {
        let Engine {
            sys,
            watch,
            modes,
            consistent,
            ..
        } = self;
        if !watch.is_empty() {
            watch.begin(|out| values(*sys, modes, consistent, out));
        }
    }

    /// Finds which rows of contacts and friction are in force at `consistent`.
    pub(super) fn begin_modes(&mut self, rows: &Rows) -> Result<(), Cause> {
        self.rebound = false;
        self.modes.bind(self.sys, rows);
        let found = self.modes.begin(self.sys, &self.consistent);
        found.map_err(Cause::Output)?.map_err(Cause::Overlap)?;
        if self.take_rows()? {
            self.refresh_other_side(After::Restart)?;
        }
        Ok(())
    }

    /// Rows have come into force or are not any more: lays out for those that are, and moves `consistent`
    /// onto them. Tells whether there was anything to do.
    fn take_rows(&mut self) -> Result<bool, Cause> {
        // rows of contacts that bounce stay as they are
        if !self.modes.take_changed() || self.saddle.keeps(&self.modes.rows()) {
            return Ok(false);
        }
        self.rebound = true;
        self.modes.doze(self.sys);
        loop {
            let Engine {
                sys,
                saddle,
                modes,
                consistent,
                ..
            } = self;
            saddle.bind(*sys, &modes.rows());
            let mut land = || {
                if sys.dims().nc > 0 {
                    saddle.project_position(*sys, consistent)?;
                }
                saddle.project_velocity(*sys, consistent)
            };
            match land() {
                Err(SaddleError::Singular { .. })
                    if modes.leave_dependent(*sys, consistent) == Ok(true) => {}
                Err(SaddleError::Singular {
                    row: Row::Constraint(row),
                }) if modes.leave_out(row as u32) => {}
                Ok(()) => {
                    modes.book(saddle.taken());
                    return Ok(true);
                }
                Err(why) => return Err(Cause::Output(why)),
            }
        }
    }

    /// The longest step in which nothing that the system knows of is leapt over.
    pub(super) fn feature_limit(&mut self) -> f64 {
        let s = self.stepper.state();
        // two looks at least
        let looks = 0.5 / self.stepper.largest_gap();
        let step = self.sys.switching().map(|k| k.longest_step(s, looks));
        step.filter(|h| *h > 0.0).unwrap_or(f64::INFINITY)
    }

    /// Modes that do not last beyond the start.
    pub(super) fn meet_switches(&mut self, observer: &mut dyn Observer) -> Result<Flow, Cause> {
        if self.watch.crossed().is_empty() {
            return Ok(Flow::Continue);
        }
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        self.cut.copy_from(&self.consistent);
        let h = self.progress.next.h;
        match self.switch(h, observer)? {
            After::Continue => Ok(Flow::Continue),
            after => self.go_on(after, h),
        }
    }

    /// Looks through an accepted step for zeros of switching functions and lets them happen.
    pub(super) fn watch_step(
        &mut self,
        from: f64,
        to: f64,
        order: usize,
        uncut: f64,
        observer: &mut dyn Observer,
    ) -> Result<Watched, Cause> {
        let (begin, (near, uncut)) = (from, self.approached(to, uncut));
        let (mut from, mut flow) = (from, Flow::Continue);
        let smallest = SMALLEST_STEP * to.abs().max(self.progress.first);
        self.watch.keep();
        while let Some(zero) = self.next_zero(from, to) {
            // no step leads over less than that
            let at = if to - zero <= smallest { to } else { zero };
            if !near && from == begin && self.approaches(at, [from, to], uncut)? {
                return Ok(Watched::Back);
            }
            let at = self.cut_at_zero(at, [from, to])?;
            if at > from {
                let told =
                    observer.on_step(&mut self.view_at(from, order, Place::Cut, Happens::Nothing));
                if told? == Flow::Stop {
                    flow = Flow::Stop;
                }
                from = at;
            }
            let after = self.switch(uncut, observer)?;
            if after == After::Continue {
                continue;
            }
            if self.controller.keeps_grid() && at < to {
                self.progress.grid = Some(to);
            }
            let told = self.go_on(after, uncut)?;
            return Ok(Watched::Cut(if flow == Flow::Stop { flow } else { told }));
        }
        Ok(Watched::Whole(from, flow))
    }

    /// Lets the crossings found happen, and what crosses because of them, and shows the other side. With
    /// anything but [`After::Continue`] it is in `consistent`.
    fn switch(&mut self, uncut: f64, observer: &mut dyn Observer) -> Result<After, Cause> {
        self.consistent.copy_from(&self.cut);
        let mut whole = After::Continue;
        loop {
            let t = self.consistent.t;
            self.stats.switches += 1;
            let own = self.watch.len() - self.modes.switches().len();
            for c in self.watch.crossed() {
                // whoever changes ends the step
                if let Some(switch) = c.switch.checked_sub(own) {
                    let row = self.modes.row(switch) as usize;
                    self.limiters.count(Row::Constraint(row));
                }
            }
            let mut piled = None;
            for k in 0..self.watch.crossed().len() {
                let switch = self.watch.crossed()[k].switch;
                let end = self.pile.note(switch, t);
                let remains = |end: f64| (end - t) * self.pace(switch);
                let accumulates = end.filter(|end| remains(*end) < 1.0);
                let attracts = (switch < own
                    && (accumulates.is_some() || self.pile.returns(switch)))
                .then(|| self.tolerance_of_switch(switch));
                if let Some(end) = self.pile.tell(switch, accumulates).filter(|_| switch < own) {
                    piled = Some((switch, end));
                }
                let crossing = &mut self.watch.crossed_mut()[k];
                (crossing.accumulates, crossing.attracts) = (accumulates, attracts);
            }
            let answered = self.answer().map_err(Cause::Output);
            let [after, of_system] = self.or_contradiction(answered, Happens::Switches)?;
            if let (Some((switch, end)), After::Jump) = (piled, of_system) {
                return Err(self.piles_up(switch, end));
            }
            self.rough |= self.is_rough();
            if after == After::Continue {
                self.show(Place::Cut, Happens::Switches, after, observer)?;
                return Ok(whole);
            }
            whole = worse(whole, after);
            let jams = match self.refresh_other_side(after) {
                Err(Cause::Output(SaddleError::Singular { .. })) if self.rows_crossed() => true,
                done => {
                    self.or_contradiction(done, Happens::Switches)?;
                    self.show(Place::OtherSide, Happens::Switches, after, observer)?;
                    false
                }
            };
            let most = CHATTER + self.modes.closed();
            let returns = !jams && self.has_returned();
            if jams || self.pile.chatters(t, uncut, most, returns) {
                if !self.stride(uncut, observer)? {
                    return Ok(whole);
                }
                whole = worse(whole, After::Jump);
                self.show(Place::OtherSide, Happens::Switches, whole, observer)?;
            }
            if !self.settle_watch(whole != After::Restart) {
                return Ok(whole);
            }
        }
    }

    /// Whether contacts or friction have crossed: other modes of theirs may do.
    fn rows_crossed(&self) -> bool {
        let own = self.watch.len() - self.modes.switches().len();
        self.modes.any() && self.watch.crossed().iter().any(|c| c.switch >= own)
    }

    /// Lets the system and the rows with laws do what they do where functions have crossed: what comes of it, and what of the
    /// system alone.
    fn answer(&mut self) -> Result<[After; 2], SaddleError> {
        let Engine {
            sys,
            saddle,
            watch,
            modes,
            consistent,
            weights,
            pile,
            ..
        } = self;
        let own = watch.len() - modes.switches().len();
        let split = watch.crossed().partition_point(|c| c.switch < own);
        let (of_system, of_rows) = watch.crossed().split_at(split);
        let mut after = After::Continue;
        if let (Some(switching), false) = (sys.switching(), of_system.is_empty()) {
            after = switching.on_switch(of_system, consistent, saddle)?;
        }
        modes.forget_changes();
        modes.release(*sys);
        if modes.locks() {
            after = worse(after, After::Jump);
        }
        while modes.reverse(*sys, consistent)? {
            after = worse(after, After::Jump);
        }
        let of_system = after;
        if of_system == After::Jump {
            modes.kick(*sys, consistent, weights)?;
        }
        if !of_rows.is_empty() {
            let own = of_rows.iter().map(|c| Crossing {
                switch: c.switch - own,
                ..*c
            });
            let again = pile.is_at(consistent.t);
            after = worse(after, modes.cross(own, *sys, consistent, weights, again)?);
        }
        Ok([after, of_system])
    }

    /// Everything but positions and velocities of `consistent` on the other side of an event.
    pub(super) fn refresh_other_side(&mut self, after: After) -> Result<(), Cause> {
        let landed = self.take_rows()?;
        let Engine {
            sys,
            saddle,
            algebraic,
            modes,
            consistent,
            ..
        } = self;
        if after != After::Restart && !landed && sys.dims().rows() > 0 {
            saddle
                .project_velocity(*sys, consistent)
                .map_err(Cause::Output)?;
        }
        saddle
            .return_to_slides(*sys, consistent)
            .map_err(Cause::Output)?;
        algebraic.solve(*sys, consistent).map_err(Cause::Restart)?;
        saddle.accelerate(*sys, consistent).map_err(Cause::Output)?;
        modes.level(*sys, consistent);
        modes.wake(*sys);
        Ok(())
    }

    /// Takes the values of the switching functions on the other side. Tells whether any has crossed by
    /// the event.
    fn settle_watch(&mut self, jumped: bool) -> bool {
        let Engine {
            sys,
            watch,
            modes,
            consistent,
            ..
        } = self;
        !watch.is_empty() && watch.settle(jumped, |out| values(*sys, modes, consistent, out))
    }

    /// Begins anew at `consistent`; `uncut` is the step that would have been taken.
    pub(super) fn go_on(&mut self, after: After, uncut: f64) -> Result<Flow, Cause> {
        self.stats.restarts += 1;
        self.weights.renew(&self.consistent);
        let share = if after == After::Restart {
            1.0
        } else {
            AFTER_JUMP
        };
        let h = self.stepper.keeps_step().then_some(share * uncut);
        self.progress.next = self.start_stepper(h);
        self.progress.fresh = Some(uncut);
        Ok(match after {
            After::Stop => Flow::Stop,
            After::Continue | After::Restart | After::Jump => Flow::Continue,
        })
    }

    /// Lets switches happen that have crossed by an event.
    pub(super) fn settle(
        &mut self,
        after: After,
        uncut: f64,
        observer: &mut dyn Observer,
    ) -> Result<After, Cause> {
        if !self.settle_watch(after != After::Restart) {
            return Ok(after);
        }
        self.cut.copy_from(&self.consistent);
        let more = self.switch(uncut, observer)?;
        Ok(worse(after, more))
    }

    /// A look at the point where a step is cut, or at its other side.
    fn view_at(&mut self, from: f64, order: usize, place: Place, occasion: Happens) -> View<'_> {
        let now = match place {
            Place::Cut => &self.cut,
            Place::OtherSide => &self.consistent,
        };
        View {
            from,
            to: now.t,
            order,
            steps: self.starter.steps,
            occasion: match occasion {
                Happens::Nothing => None,
                Happens::Clock => Some(Occasion::Clock),
                Happens::Switches => {
                    let own = self.watch.len() - self.modes.switches().len();
                    let crossed = self.watch.crossed();
                    let of_system = crossed.partition_point(|c| c.switch < own);
                    Some(Occasion::Switches {
                        crossed: &crossed[..of_system],
                        changes: self.modes.changes(),
                    })
                }
                Happens::Found => self.search.occasion(),
            },
            stats: &self.stats,
            sys: self.sys,
            stepper: &mut *self.stepper,
            between: None,
            saddle: &mut self.saddle,
            modes: &self.modes,
            scratch: &mut self.scratch,
            now,
        }
    }

    /// Shows the other side of an event.
    pub(super) fn show(
        &mut self,
        place: Place,
        happens: Happens,
        after: After,
        observer: &mut dyn Observer,
    ) -> Result<(), Cause> {
        let t = match place {
            Place::Cut => self.cut.t,
            Place::OtherSide => self.consistent.t,
        };
        let view = &mut self.view_at(t, 0, place, happens);
        Ok(observer.on_event(view, after)?)
    }
}

/// Values of all switching functions: those of the system, then those of rows with laws.
pub(super) fn values(sys: &mut dyn System, modes: &mut Modes, s: &State, out: &mut [f64]) {
    let (of_system, of_rows) = out.split_at_mut(out.len() - modes.switches().len());
    if let Some(switching) = sys.switching() {
        switching.values(s, of_system);
    }
    modes.values(sys, s, of_rows);
}

/// Which state an event is looked at.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Cut,
    OtherSide,
}

/// What happens at an event.
#[derive(Clone, Copy)]
pub(super) enum Happens {
    Nothing,
    Clock,
    Switches,
    Found,
}

/// The answer that covers both.
fn worse(a: After, b: After) -> After {
    let rank = |after: After| match after {
        After::Continue => 0,
        After::Restart => 1,
        After::Jump => 2,
        After::Stop => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}
