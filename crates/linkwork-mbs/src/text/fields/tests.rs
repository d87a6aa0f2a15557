use super::*;

fn with<T>(source: &str, read: impl FnOnce(&Fields<'_>) -> T) -> T {
    let table = Table::parse(source).unwrap();
    let bodies = BodyNames::new(vec!["crank".to_string(), "rod".to_string()]);
    let fields = Fields::item("joint", &table, &bodies).unwrap().planar(true);
    read(&fields)
}

fn slice<'s>(source: &'s str, e: &ModelError) -> &'s str {
    &source[e.span.clone().unwrap()]
}

#[test]
fn numbers_with_and_without_units() {
    let source = "name = \"j\"\na = 3\nb = \"5 mm\"\nc = [1.5, \"2 cm\"]\nd = nan\ne = true\nf = \"3 kg\"\ng = -1";
    with(source, |f| {
        assert_eq!(f.name(), "j");
        assert_eq!(f.number("a", Unit::Length).unwrap(), 3.0);
        assert_eq!(f.number("b", Unit::Length).unwrap(), 0.005);
        assert_eq!(f.vector("c", Unit::Length).unwrap(), [1.5, 0.02, 0.0]);
        assert_eq!(f.number_or("none", Unit::Length, 7.0).unwrap(), 7.0);
        assert_eq!(f.optional_vector("none", Unit::Length).unwrap(), None);
        let e = f.number("d", Unit::Mass).unwrap_err();
        assert_eq!((slice(source, &e), e.label.as_str()), ("nan", "not finite"));
        assert_eq!(
            f.number("e", Unit::Mass).unwrap_err().message,
            "joint `j`: `e` must be a mass, not true or false"
        );
        assert_eq!(
            f.number("f", Unit::Length).unwrap_err().message,
            "joint `j`: `f`: `kg` is not the unit of a length"
        );
        assert_eq!(
            f.positive("g", Unit::Mass).unwrap_err().label,
            "must be greater than 0"
        );
        assert_eq!(
            f.vector("a", Unit::Mass).unwrap_err().help.unwrap(),
            "vectors are written [x, y]"
        );
    });
}

#[test]
fn formulas_take_numbers_quantities_and_functions_of_time() {
    let source = "name = \"j\"\na = 2\nb = \"30 deg\"\nc = \"2*t\"\nd = \"0.5*sn(t)\"\ne = \"2 kg\"\nf = \"2 sin(t)\"\ng=\"-3\"";
    with(source, |f| {
        assert_eq!(f.formula("a", Unit::Angle).unwrap(), Formula::constant(2.0));
        assert!(
            (f.formula("b", Unit::Angle).unwrap().eval(0.0) - 0.5235987755982988).abs() < 1e-15
        );
        assert_eq!(f.formula("c", Unit::Angle).unwrap().eval(4.0), 8.0);
        let e = f.formula("d", Unit::Angle).unwrap_err();
        assert_eq!(
            (slice(source, &e), e.help.as_deref()),
            ("sn", Some("did you mean `sin`?"))
        );
        assert!(
            f.formula("e", Unit::Angle)
                .unwrap_err()
                .message
                .contains("not the unit of an angle")
        );
        assert!(
            f.formula("f", Unit::Angle)
                .unwrap_err()
                .help
                .unwrap()
                .contains("2*sin")
        );
        assert_eq!(f.formula("g", Unit::Angle).unwrap().eval(4.0), -3.0);
    });
}

#[test]
fn bodies_are_found_or_suggested() {
    let source = "name = \"j\"\na = \"rod\"\nb = \"ground\"\nc = \"crnak\"";
    with(source, |f| {
        assert_eq!(f.body("a").unwrap().index(), Some(1));
        assert_eq!(f.body("b").unwrap(), BodyRef::GROUND);
        let e = f.body("c").unwrap_err();
        assert_eq!(e.label, "did you mean `crank`?");
        assert_eq!(e.help.unwrap(), "bodies are `crank`, `rod`, `ground`");
        assert_eq!(f.body_or_ground("none").unwrap(), BodyRef::GROUND);
    });
}

/// A help is read by people: of a chain of a hundred thousand links some names will do.
#[test]
fn long_lists_of_names_are_cut_short() {
    let names: Vec<String> = (0..100_000).map(|i| format!("b{i}")).collect();
    let list = quoted(names.iter().map(String::as_str));
    assert!(list.starts_with("`b0`, `b1`, "), "{}", &list[..40]);
    assert!(list.ends_with("`b49` and 99950 more"), "{}", list.len());
    assert_eq!(quoted(["a", "b"]), "`a`, `b`");
}

#[test]
fn unknown_missing_and_misspelt_keys() {
    let table = Table::parse("name = \"j\"\nstifness = 3\nzzz = 1").unwrap();
    let fields = Fields::item("joint", &table, BodyNames::NONE).unwrap();
    let e = fields.number("stiffness", Unit::Stiffness).unwrap_err();
    assert_eq!(e.message, "joint `j`: unknown key `stifness`");
    assert_eq!(e.label, "did you mean `stiffness`?");
    let e = fields.number("length", Unit::Length).unwrap_err();
    assert_eq!(e.message, "joint `j`: the key `length` is missing");
    let _ = fields.has("zzz");
    let e = fields.finish().unwrap_err();
    assert_eq!(e.label, "did you mean `stiffness`?");
    assert_eq!(
        e.help.unwrap(),
        "keys are `name`, `stiffness`, `length`, `zzz`"
    );
}

#[test]
fn choices_and_flags() {
    with("name = \"j\"\nkind = \"revolut\"\non = true", |f| {
        let e = f.choice("kind", &["revolute", "fixed"], None).unwrap_err();
        assert_eq!(e.label, "did you mean `revolute`?");
        assert_eq!(f.choice("other", &["x"], Some("x")).unwrap(), "x");
        assert!(f.flag_or("on", false).unwrap());
        assert!(f.flag_or("off", true).unwrap());
        assert_eq!(f.texts("kind").unwrap(), ["revolut"]);
        assert_eq!(f.count_or("n", 4).unwrap(), 4);
    });
}

#[test]
fn words_are_a_list_or_all_or_none() {
    let allowed = ["position", "angle"];
    let source =
        "name = \"j\"\na = true\nb = false\nc = [\"angle\"]\nd = [\"angel\"]\ne = 3\nf = \"angle\"";
    with(source, |f| {
        assert_eq!(f.words("a", &allowed).unwrap(), allowed);
        assert!(f.words("b", &allowed).unwrap().is_empty());
        assert_eq!(f.words("c", &allowed).unwrap(), ["angle"]);
        assert_eq!(
            f.words("d", &allowed).unwrap_err().label,
            "did you mean `angle`?"
        );
        assert!(f.words("e", &allowed).is_err());
        assert_eq!(f.words("f", &allowed).unwrap(), ["angle"]);
        assert!(f.words("none", &allowed).unwrap().is_empty());
    });
}

#[test]
fn names_are_checked() {
    for bad in ["", "a.b", "ground", "a b"] {
        let table = Table::parse(&format!("name = \"{bad}\"")).unwrap();
        assert!(
            Fields::item("body", &table, BodyNames::NONE).is_err(),
            "{bad}"
        );
    }
    let table = Table::parse("mass = 1").unwrap();
    let e = Fields::item("body", &table, BodyNames::NONE).err().unwrap();
    assert_eq!(e.message, "this body: the key `name` is missing");
}
