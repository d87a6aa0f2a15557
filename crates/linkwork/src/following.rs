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

/// What a user who asked for derivatives that follow should know: that there was nothing to follow, or
/// that it did not help.
pub fn note(following: &Following) -> Option<String> {
    let same = "`extended` derivatives are the same as `partitioned` here";
    if following.excitations.is_empty() {
        let why = "no force has an input that is a formula of time alone, and no coordinate is driven \
                   (drives count in joint coordinates)";
        return Some(format!("{same}: {why}"));
    }
    if let Some(t) = following.given_up_at {
        return Some(format!(
            "derivatives followed the excitations until t = {t:.4}: there new ones were nearer to the old \
             than to those that had followed"
        ));
    }
    let idle = following.excitations.iter();
    let idle = idle.filter(|e| e.matters == Some(false)).count();
    (idle == following.excitations.len())
        .then(|| format!("{same}: they depend on none of the excitations"))
}
