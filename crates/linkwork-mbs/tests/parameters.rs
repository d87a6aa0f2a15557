//! Named numbers of model text: values, units, overrides, mistakes, writing back.

use linkwork_mbs::lint::lint;
use linkwork_mbs::text::{self, Document};
use linkwork_mbs::{ModelError, Unit, assemble};

const PENDULUM: &str = r#"
[model]
gravity = [0, "-g"]

[parameters]
half = "length/2"
length = "600 mm"
m = "2 kg"
g = 9.81
k = "2e4 N/m"
swing = "30 deg"
period = "2*pi*sqrt(length/g)"
rate = "2*pi/period"

[[body]]
name = "bar"
mass = "2*m"
inertia = "m*length^2/12"
position = ["half*sin(swing)", "-half*cos(swing)"]
angle = "swing"

[[joint]]
name = "pin"
kind = "revolute"
body_b = "bar"
point_b = [0, "half"]

[[force]]
name = "spring"
kind = "spring_damper"
body_b = "bar"
at_a = ["2*length", 0]
stiffness = "k/2"

[[force]]
name = "push"
kind = "force"
body_b = "bar"
x = "k*half*sin(rate*t) - m*bar.x.velocity"

[simulation]
t_end = "2*period"
rtol = 1e-6
"#;

fn read(source: &str) -> Document {
    text::read(source).unwrap_or_else(|e| panic!("{e:#?}\n{source}"))
}

/// The same text with all parameters written out.
fn by_hand(length: f64) -> String {
    let (m, g, swing) = (2.0, 9.81, 30.0_f64 * std::f64::consts::PI / 180.0);
    let half = length / 2.0;
    let period = 2.0 * std::f64::consts::PI * (length / g).sqrt();
    let rate = 2.0 * std::f64::consts::PI / period;
    format!(
        "[model]\ngravity = [0, {:?}]\n[[body]]\nname = \"bar\"\nmass = {:?}\ninertia = {:?}\n\
         position = [{:?}, {:?}]\nangle = {swing:?}\n\
         [[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbody_b = \"bar\"\npoint_b = [0, {half:?}]\n\
         [[force]]\nname = \"spring\"\nkind = \"spring_damper\"\nbody_b = \"bar\"\nat_a = [{:?}, 0]\nstiffness = 1e4\n\
         [[force]]\nname = \"push\"\nkind = \"force\"\nbody_b = \"bar\"\n\
         x = \"20000.0*{half:?}*sin({rate:?}*t) - 2.0*bar.x.velocity\"\n\
         [simulation]\nt_end = {:?}\nrtol = 1e-6\n",
        -g,
        2.0 * m,
        m * length * length / 12.0,
        half * swing.sin(),
        -half * swing.cos(),
        2.0 * length,
        2.0 * period,
    )
}

/// Model text without its `[simulation]` and `[parameters]`.
fn model_text(document: &Document) -> String {
    text::write(&document.model)
}

fn t_end(document: &Document) -> f64 {
    document
        .simulation
        .fields()
        .number("t_end", Unit::Time)
        .unwrap()
}

#[test]
fn parameters_stand_for_their_values() {
    let (given, wanted) = (read(PENDULUM), read(&by_hand(0.6)));
    assert_eq!(model_text(&given), model_text(&wanted));
    assert_eq!(t_end(&given), t_end(&wanted));
    // nothing is left to look up in a step
    assert!(!model_text(&given).contains("half"));
    assert!(assemble(&given.model).is_ok());
}

#[test]
fn parameters_are_listed_with_values_and_units() {
    let document = read(PENDULUM);
    let list = document.parameters().list();
    let shown: Vec<String> = (list.iter())
        .map(|p| {
            format!("{} = {} {}", p.name, p.value, p.dimension)
                .trim_end()
                .to_string()
        })
        .collect();
    assert_eq!(
        shown[..4],
        ["half = 0.3 m", "length = 0.6 m", "m = 2 kg", "g = 9.81"]
    );
    assert_eq!(shown[4], "k = 20000 N/m");
    assert!(document.unused_parameters().is_empty());
}

#[test]
fn overrides_reach_parameters_and_what_follows_from_them() {
    let changed = text::read_with(PENDULUM, &["length=1.5"]).unwrap();
    let wanted = read(&by_hand(1.5));
    assert_eq!(model_text(&changed), model_text(&wanted));
    assert_eq!(t_end(&changed), t_end(&wanted));
    for same in [
        "length=1500 mm",
        "length = half_m*3",
        "parameters.length=1.5",
    ] {
        let source = PENDULUM.replace("g = 9.81", "g = 9.81\nhalf_m = 0.5");
        let other = text::read_with(&source, &[same]).unwrap();
        assert_eq!(model_text(&other), model_text(&wanted), "{same}");
    }
    // keys of parts win over the parameters they were made of
    let both = text::read_with(
        PENDULUM,
        &["length=1.5", "bar.mass=3*m", "simulation.t_end=half"],
    )
    .unwrap();
    assert!(model_text(&both).contains("mass = 6.0"));
    assert_eq!(t_end(&both), 0.75);
}

#[test]
fn what_is_written_reads_back_as_the_same_model() {
    let document = read(PENDULUM);
    let again = read(&document.to_text());
    assert_eq!(model_text(&again), model_text(&document));
    assert_eq!(t_end(&again), t_end(&document));
    assert!(
        document.to_text().contains("[parameters]\nperiod = "),
        "{}",
        document.to_text()
    );
    assert!(!document.to_text().contains("swing"));
}

fn mistakes(source: &str) -> Vec<ModelError> {
    text::read(source).map(|_| ()).unwrap_err()
}

/// Line, message, label and help of the only mistake.
fn mistake(parameters: &str, mass: &str) -> (usize, String, String, String) {
    let source = format!(
        "[parameters]\n{parameters}\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = {mass}\n"
    );
    let mut all = mistakes(&source);
    assert_eq!(all.len(), 1, "{all:#?}");
    let e = all.remove(0);
    let line = e.line_column(&source).expect("a place").0;
    (line, e.message, e.label, e.help.unwrap_or_default())
}

#[test]
fn mistakes_are_named_with_their_line() {
    let (line, message, label, _) = mistake("width = 1\nb = \"2*wdith\"", "1");
    assert_eq!(
        (line, message.as_str()),
        (3, "parameter `b`: there is no parameter `wdith`")
    );
    assert_eq!(label, "did you mean `width`?");

    let (line, message, _, help) = mistake("a = \"b\"\nb = \"2*c\"\nc = \"a + 1\"", "\"a\"");
    assert_eq!(
        (line, message.as_str()),
        (2, "parameter `a`: is defined by itself")
    );
    assert_eq!(help, "`a`, `b`, `c`, `a` use each other in turn");

    let (line, _, _, help) = mistake("x = \"x\"", "1");
    assert_eq!((line, help.as_str()), (2, "`x` uses itself"));

    for reserved in [
        "t",
        "pi",
        "sin",
        "step",
        "model",
        "half-length",
        "\"3d\"",
        "\"\"",
    ] {
        let (line, message, ..) = mistake(&format!("{reserved} = 1"), "1");
        assert_eq!(line, 2, "{message}");
        assert!(message.starts_with("the name of parameter"), "{message}");
    }
    let (_, message, ..) = mistake("a = \"sin(t)\"", "1");
    assert_eq!(message, "parameter `a`: a parameter cannot follow `t`");
    let (_, message, ..) = mistake("a = true", "1");
    assert_eq!(
        message,
        "parameter `a`: must be a number, not true or false"
    );
    let (_, message, label, _) = mistake("a = 0\nb = \"1/a\"", "1");
    assert_eq!(
        message,
        "parameter `b`: not a formula that can be evaluated"
    );
    assert_eq!(label, "this part has no finite value");
    let (_, message, ..) = mistake("a = nan", "1");
    assert_eq!(message, "parameter `a`: must be a finite number");
    let (_, _, _, help) = mistake("a = \"3 degg\"", "1");
    assert_eq!(help, "did you mean `deg`?");

    // in a part: a misspelt name, time in a number, a product without its sign
    let (line, message, label, help) = mistake("weight = 1", "\"2*wieght\"");
    assert_eq!((line, label.as_str()), (6, "unknown name `wieght`"));
    assert!(message.starts_with("body `bob`: `mass`"), "{message}");
    assert_eq!(help, "did you mean `weight`?");
    let (line, message, ..) = mistake("a = 1", "\"a*t\"");
    assert_eq!(
        (line, message.as_str()),
        (6, "body `bob`: `mass` is one number and cannot follow `t`")
    );
    let (.., help) = mistake("a = 1", "\"2 a\"");
    assert_eq!(help, "write `2*a` for a product");
}

/// Formulas name sensors and controls as they name parameters; of bodies they name coordinates.
#[test]
fn parameters_and_signals_have_different_names() {
    let source = "[parameters]\nbob = 1\nreach = 2\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = \"bob\"\n\
                  [[sensor]]\nname = \"reach\"\nkind = \"point\"\nbody = \"bob\"\n";
    let e = mistakes(source);
    assert_eq!(e.len(), 1);
    assert_eq!(
        e[0].message,
        "sensor `reach`: the name is taken by a parameter"
    );
    assert_eq!(e[0].line_column(source), Some((9, 8)));
    assert_eq!(&source[e[0].related[0].0.clone()], "reach");
    read(&source.replace("\"reach\"", "\"place\""));
}

#[test]
fn units_of_parameters_are_checked() {
    for (parameters, mass, wrong) in [
        ("a = \"2 m\"", "a", "`mass` is in m, and not a mass, kg"),
        (
            "a = \"2 kg\"\nb = \"3 s\"",
            "a*b",
            "`mass` is in kg s, and not a mass, kg",
        ),
        (
            "a = \"2 N/m\"",
            "2*a",
            "`mass` is in N/m, and not a mass, kg",
        ),
    ] {
        let (line, message, ..) = mistake(parameters, &format!("\"{mass}\""));
        assert_eq!(message, format!("body `bob`: {wrong}"));
        assert_eq!(line, 5 + parameters.lines().count());
    }
    for (parameters, label) in [
        (
            "a = \"2 m\"\nb = \"3 s\"\nc = \"a + b\"",
            "m and s cannot be added or compared",
        ),
        (
            "a = \"2 m\"\nc = \"sin(a)\"",
            "an angle is wanted, and this is in m",
        ),
        (
            "a = \"2 m\"\nc = \"2^a\"",
            "an exponent is a plain number, and this is in m",
        ),
        (
            "a = \"2 m\"\nc = \"exp(a)\"",
            "a plain number is wanted, and this is in m",
        ),
    ] {
        assert_eq!(mistake(parameters, "1").2, label);
    }
    // plain numbers fit anywhere, ratios are plain
    for (parameters, mass) in [
        ("a = 2", "a"),
        ("a = \"2 kg\"\nb = 3", "a*b + b"),
        ("a = \"2 kg\"\nb = \"3 m\"\nc = \"5 mm\"", "a*b/c"),
        ("f = \"2 N\"\nacc = \"3 m/s^2\"", "f/acc"),
        ("f = \"2 N\"\nacc = \"3 m/s^2\"", "max(f/acc, 1)"),
    ] {
        let source = format!(
            "[parameters]\n{parameters}\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = \"{mass}\"\n"
        );
        read(&source);
    }
}

#[test]
fn units_are_checked_in_formulas_of_time_too() {
    let source = |x: &str| PENDULUM.replace("k*half*sin(rate*t) - m*bar.x.velocity", x);
    for good in [
        "k*half*cos(rate*t)",
        "m*g",
        "step(t, period, 0, 2*period, k*half)",
        "3*half*t",
    ] {
        read(&source(good));
    }
    for bad in ["half*sin(rate*t)", "k + 1", "step(t, 0, half, 1, 3)"] {
        let e = mistakes(&source(bad));
        assert!(e[0].message.contains("and not a force, N"), "{bad}: {e:?}");
    }
}

#[test]
fn a_parameter_named_like_a_unit_is_used_where_a_product_is_written() {
    let mass = |parameters: &str, mass: &str| {
        let source = format!(
            "[parameters]\n{parameters}\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = \"{mass}\"\n"
        );
        text::read(&source).map(|d| text::write(&d.model))
    };
    assert!(mass("g = 7", "2*g").unwrap().contains("mass = 14.0"));
    assert!(mass("g = 7", "2 g").unwrap().contains("mass = 0.002"));
    assert!(mass("a = 7", "2*g").unwrap().contains("mass = 0.002"));
}

#[test]
fn a_parameter_does_not_hide_the_variable_of_a_curve() {
    let source = "[model]\nplanar = false\n[parameters]\ns = 2\n[[body]]\nname = \"bead\"\nkind = \"point\"\nmass = 1\n\
                  [[joint]]\nname = \"wire\"\nkind = \"point_on_curve\"\nbody_b = \"bead\"\naxis = [1, 0, 0]\noffset = \"0.1*s^2\"\n";
    let e = mistakes(source);
    assert!(
        e[0].message
            .contains("`s` is the variable here, and a parameter"),
        "{e:?}"
    );
    read(
        &source
            .replace("s^2\"", "x^2\"")
            .replace("0.1*x^2", "0.1*s")
            .replace("s = 2", "b = 2")
            .replace("0.1*s", "b*s"),
    );
}

#[test]
fn overrides_of_unknown_parameters_are_refused() {
    for (given, help) in [
        ("lenght=1", "did you mean `length`?"),
        (
            "colour=1",
            "parameters are half, length, m, g, k, swing, period, rate",
        ),
    ] {
        let e = text::read_with(PENDULUM, &[given]).map(|_| ()).unwrap_err();
        assert!(e[0].message.contains("there is no parameter"), "{e:?}");
        assert_eq!(e[0].help.as_deref(), Some(help));
    }
    let e = text::read_with("[model]\n", &["a=1"])
        .map(|_| ())
        .unwrap_err();
    assert!(
        e[0].help
            .as_deref()
            .unwrap()
            .contains("has no [parameters]")
    );
    let e = text::read_with(PENDULUM, &["k=oak"])
        .map(|_| ())
        .unwrap_err();
    assert!(e[0].message.ends_with("(override `k=oak`)"), "{e:?}");
}

#[test]
fn parameters_that_nothing_uses_are_told() {
    let source = PENDULUM.replace("g = 9.81", "g = 9.81\nspare = 3");
    let document = read(&source);
    let found = lint(&document, None);
    let unused: Vec<_> = found
        .iter()
        .filter(|f| f.rule == "unused-parameter")
        .collect();
    assert_eq!(unused.len(), 1);
    assert_eq!(&source[unused[0].span.clone().unwrap()], "spare");
}
