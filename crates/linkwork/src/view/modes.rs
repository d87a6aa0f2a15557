//! Mode shapes as motions of bodies.
//!
//! What a mode does to the bodies is read from channels: with the shape as velocities, those of the
//! bodies are their displacements, in any coordinates.

use crate::modes::NamedMode;
use linkwork_dae::state::State;
use linkwork_dae::system::System;
use serde::Serialize;

/// One mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeShape {
    /// Number, from 1.
    pub number: usize,
    /// Frequency, Hz.
    pub frequency_hz: f64,
    /// Share of critical damping.
    pub damping_ratio: f64,
    /// Real part of the eigenvalue, 1/s.
    pub decay: f64,
    /// Kind of mode.
    pub kind: &'static str,
    /// What moves.
    pub words: String,
    /// Displacement of each body of the scene: real parts of three translations and three rotations
    /// about global axes, then imaginary parts.
    pub bodies: Vec<[f64; 12]>,
}

/// The motion of bodies in a mode about a state. `bodies` are their names.
pub fn shape(sys: &mut dyn System, state: &State, mode: &NamedMode, bodies: &[&str]) -> ModeShape {
    let mut found = vec![[0.0; 12]; bodies.len()];
    let mut row = vec![0.0; sys.channels().len()];
    for part in 0..2 {
        let mut moving = state.clone();
        for (v, m) in moving.v.iter_mut().zip(&mode.motion) {
            *v = m[part];
        }
        sys.observe(&moving, &mut row);
        for (channel, value) in sys.channels().iter().zip(&row) {
            let name: &str = &channel.name;
            const SUFFIXES: [(&str, usize); 7] = [
                (".x.velocity", 0),
                (".y.velocity", 1),
                (".z.velocity", 2),
                (".spin.x", 3),
                (".spin.y", 4),
                (".spin.z", 5),
                (".angle.velocity", 5),
            ];
            for (suffix, slot) in SUFFIXES {
                if let Some(body) = name.strip_suffix(suffix)
                    && let Some(i) = bodies.iter().position(|b| *b == body)
                {
                    found[i][6 * part + slot] = *value;
                }
            }
        }
    }
    ModeShape {
        number: mode.number,
        frequency_hz: mode.frequency_hz,
        damping_ratio: mode.damping_ratio,
        decay: mode.re,
        kind: mode.kind,
        words: mode.words.clone(),
        bodies: found,
    }
}
