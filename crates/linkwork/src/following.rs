//! What a run says about the excitations that its derivatives followed.

use linkwork_dae::jacobian::excitation::Following;
use serde::Serialize;

/// The account as part of a summary.
#[derive(Serialize)]
pub struct Excitations<'a> {
    followed: Vec<&'a str>,
    without_effect: Vec<&'a str>,
    residual_evaluations_for_slopes: u64,
    given_up_at: Option<f64>,
}

fn names(following: &Following, matters: bool) -> Vec<&str> {
    let list = following.excitations.iter();
    list.filter(|e| e.matters == Some(matters))
        .map(|e| e.name.as_str())
        .collect()
}

impl<'a> Excitations<'a> {
    /// The account of a run; `None` for one without excitations.
    pub fn new(following: &'a Following) -> Option<Excitations<'a>> {
        (!following.excitations.is_empty()).then(|| Excitations {
            followed: names(following, true),
            without_effect: names(following, false),
            residual_evaluations_for_slopes: following.residuals,
            given_up_at: following.given_up_at,
        })
    }
}

/// What became of the excitations, in words; `None` for a run without any.
pub fn words(following: &Following) -> Option<String> {
    if following.excitations.is_empty() {
        return None;
    }
    let (followed, idle) = (names(following, true), names(following, false));
    let mut words = match &followed[..] {
        [] => "none followed".to_string(),
        list => format!("followed {}", list.join(", ")),
    };
    if let Some(t) = following.given_up_at {
        words.push_str(&format!(" until t = {t:.4}, then given up"));
    }
    if !idle.is_empty() {
        words.push_str(&format!("; without effect: {}", idle.join(", ")));
    }
    words.push_str(&format!("; slopes took {} residuals", following.residuals));
    Some(words)
}
