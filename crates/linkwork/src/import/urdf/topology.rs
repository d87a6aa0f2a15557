//! The links as a tree: the first one, and the joints outwards from it.

use super::robot::Robot;
use linkwork_mbs::ModelError;

/// Links and joints from the first link outwards.
pub(super) struct Tree {
    /// The link without a parent.
    pub root: usize,
    /// Joints, each after the one that carries its parent; in file order among those of one link.
    pub joints: Vec<usize>,
}

/// Finds the first link; refuses loops, links with two parents and parts that hang on nothing.
pub(super) fn order(robot: &Robot) -> Result<Tree, Vec<ModelError>> {
    let mut holder: Vec<Option<usize>> = vec![None; robot.links.len()];
    let mut outwards: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    let mut errors = Vec::new();
    for (i, joint) in robot.joints.iter().enumerate() {
        let name = &joint.name;
        if joint.parent == joint.child {
            let link = &robot.links[joint.child].name;
            let message = format!("joint `{name}` connects the link `{link}` with itself");
            errors.push(ModelError::new(message).at(joint.span.clone()));
            continue;
        }
        if let Some(other) = holder[joint.child].map(|j| &robot.joints[j]) {
            let link = &robot.links[joint.child].name;
            let message = format!(
                "joint `{name}`: the link `{link}` is already the child of joint `{}`",
                other.name
            );
            let help = "URDF robots are trees; import without this joint and close the loop in the \
                        model text";
            let error = ModelError::new(message).at(joint.span.clone());
            errors.push(
                error
                    .with_related(other.span.clone(), "the other")
                    .with_help(help),
            );
            continue;
        }
        holder[joint.child] = Some(i);
        outwards[joint.parent].push(i);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut roots = (0..robot.links.len()).filter(|&i| holder[i].is_none());
    let Some(root) = roots.next() else {
        return Err(vec![loop_through(robot, &holder, 0)]);
    };
    for other in roots {
        let (a, b) = (&robot.links[root], &robot.links[other]);
        let message = format!(
            "the links `{}` and `{}` both have no parent: no joint connects them",
            a.name, b.name
        );
        let error = ModelError::new(message).at(b.span.clone());
        errors.push(error.with_related(a.span.clone(), "the first"));
    }
    let mut joints = Vec::with_capacity(robot.joints.len());
    let mut reached = vec![false; robot.links.len()];
    reached[root] = true;
    let mut open: Vec<usize> = outwards[root].iter().rev().copied().collect();
    while let Some(i) = open.pop() {
        joints.push(i);
        let child = robot.joints[i].child;
        reached[child] = true;
        open.extend(outwards[child].iter().rev());
    }
    if errors.is_empty()
        && let Some(lost) = reached.iter().position(|r| !r)
    {
        errors.push(loop_through(robot, &holder, lost));
    }
    if errors.is_empty() {
        Ok(Tree { root, joints })
    } else {
        Err(errors)
    }
}

/// The loop that one comes to from a link by going to its parent, again and again.
fn loop_through(robot: &Robot, holder: &[Option<usize>], from: usize) -> ModelError {
    let mut seen = vec![false; robot.links.len()];
    let mut link = from;
    let parent = |link: usize| holder[link].map(|j| robot.joints[j].parent);
    while let (false, Some(next)) = (seen[link], parent(link)) {
        seen[link] = true;
        link = next;
    }
    let mut names = vec![format!("`{}`", robot.links[link].name)];
    let mut at = link;
    while let Some(next) = parent(at) {
        names.push(format!("`{}`", robot.links[next].name));
        at = next;
        if at == link {
            break;
        }
    }
    names.reverse();
    let message = format!(
        "the links {} make a loop: each is carried by the one before",
        names.join(", ")
    );
    let span = holder[link].map(|j| robot.joints[j].span.clone());
    ModelError::new(message)
        .at(span)
        .with_help("URDF robots are trees with one first link")
}
