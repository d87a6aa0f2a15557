//! Small systems whose equations switch, with motions known in closed form.
//!
//! Every system keeps its mode as a number that changes only at events: within a step its equations are
//! smooth and go on beyond their switches.

pub mod forced;
pub mod friction;
pub mod impact;
pub mod ridden;

use linkwork_dae::memory::Memory;

/// Gravity, m/s^2.
pub const GRAVITY: f64 = 9.81;

/// Saves or restores a mode.
fn remember(m: &mut Memory, mode: &mut usize) {
    m.section("mode");
    m.usize(mode);
}
