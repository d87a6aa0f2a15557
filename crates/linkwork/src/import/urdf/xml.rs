//! Elements and attributes of an XML file as numbers and names, with complaints that point at them.

use linkwork_mbs::ModelError;
use linkwork_mbs::geometry::Vector;
use roxmltree::{Attribute, Node};
use std::ops::Range;

pub(super) type Result<T> = std::result::Result<T, ModelError>;

/// Bytes of the opening tag of an element: the whole element may be pages long.
pub(super) fn tag(node: Node<'_, '_>) -> Range<usize> {
    let whole = node.range();
    let source = node.document().input_text();
    let text = source.get(whole.clone()).unwrap_or("");
    // A `>` inside an attribute is legal but rare, and only shortens what is underlined.
    let length = text.find('>').map_or(text.len(), |i| i + 1);
    whole.start..whole.start + length
}

/// A complaint about an element.
pub(super) fn complain(node: Node<'_, '_>, message: impl Into<String>) -> ModelError {
    ModelError::new(message).at(tag(node))
}

/// The attribute of an element.
pub(super) fn attribute<'a, 'input>(
    node: Node<'a, 'input>,
    name: &str,
) -> Result<Attribute<'a, 'input>> {
    node.attribute_node(name).ok_or_else(|| {
        let element = node.tag_name().name();
        complain(node, format!("<{element}> needs the attribute `{name}`"))
    })
}

/// A number.
pub(super) fn number(node: Node<'_, '_>, name: &str) -> Result<f64> {
    let attribute = attribute(node, name)?;
    let [x] = numbers(node, attribute)?;
    Ok(x)
}

/// A number, or what it is when it is not given.
pub(super) fn number_or(node: Node<'_, '_>, name: &str, default: f64) -> Result<f64> {
    match node.attribute_node(name) {
        Some(_) => number(node, name),
        None => Ok(default),
    }
}

/// A number that is zero or greater; `whose` is for the complaint.
pub(super) fn not_negative(node: Node<'_, '_>, name: &str, whose: &str, x: f64) -> Result<f64> {
    if x >= 0.0 {
        return Ok(x);
    }
    let element = node.tag_name().name();
    let what = if name == "value" { element } else { name };
    let message = format!("{whose}: the {what} must not be negative, it is {x}");
    let span = node.attribute_node(name).map(|a| a.range_value());
    Err(ModelError::new(message).at(span))
}

/// Three numbers, or what they are when they are not given.
pub(super) fn vector_or(node: Node<'_, '_>, name: &str, default: Vector) -> Result<Vector> {
    match node.attribute_node(name) {
        Some(attribute) => numbers(node, attribute),
        None => Ok(default),
    }
}

fn numbers<const N: usize>(node: Node<'_, '_>, attribute: Attribute<'_, '_>) -> Result<[f64; N]> {
    let text = attribute.value();
    let element = node.tag_name().name();
    let name = attribute.name();
    let fail = |why: String| {
        let complaint = ModelError::new(format!("`{name}` of <{element}>: {why}"));
        let complaint = complaint.at(attribute.range_value());
        if text.contains("${") {
            complaint.with_help("this is a xacro file: expand it first, `xacro FILE > robot.urdf`")
        } else {
            complaint
        }
    };
    let mut list = [0.0; N];
    let mut words = text.split_ascii_whitespace();
    for (i, x) in list.iter_mut().enumerate() {
        let word = words.next().ok_or_else(|| {
            let wanted = if N == 1 {
                "a number is"
            } else {
                "three numbers are"
            };
            fail(format!("{wanted} expected, there {}", there(i)))
        })?;
        *x = word
            .parse()
            .ok()
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| fail(format!("`{word}` is not a number")))?;
    }
    match words.next() {
        Some(word) => Err(fail(format!("`{word}` is one number too many"))),
        None => Ok(list),
    }
}

fn there(count: usize) -> String {
    match count {
        0 => "is none".into(),
        1 => "is 1".into(),
        n => format!("are {n}"),
    }
}

/// The first child element of a name.
pub(super) fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    elements(node).find(|n| n.tag_name().name() == name)
}

/// Child elements.
pub(super) fn elements<'a, 'input>(
    node: Node<'a, 'input>,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}
