//! The points of a sweep: grids, samples, tables.

use super::SweepError;

/// Points that nobody could wait for.
const MOST: usize = 100_000_000;

/// Values of a few paths, point by point. They are written as overrides are: numbers or texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Points {
    /// Points by their rows, each with one value for every name.
    pub fn new(names: Vec<String>, rows: Vec<Vec<String>>) -> Result<Points, SweepError> {
        if let Some(i) = rows.iter().position(|row| row.len() != names.len()) {
            let message = format!(
                "point {i} has {} values for {} names",
                rows[i].len(),
                names.len()
            );
            return Err(SweepError::asked(
                message,
                "every point has one value for every name",
            ));
        }
        if let Some(twice) = (1..names.len()).find(|&i| names[..i].contains(&names[i])) {
            let message = format!("`{}` is varied twice", names[twice]);
            return Err(SweepError::asked(message, "vary each value once"));
        }
        Ok(Points { names, rows })
    }

    /// What is varied.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The values of a point.
    pub fn values(&self, i: usize) -> &[String] {
        &self.rows[i]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// What a path takes its values from.
#[derive(Clone, Debug, PartialEq)]
enum Range {
    /// These values.
    List(Vec<String>),
    /// From one number to another, evenly or in equal ratios, in so many steps if that is said.
    Span {
        from: f64,
        to: f64,
        log: bool,
        count: Option<usize>,
    },
    /// Normally distributed: mean and standard deviation.
    Normal { mean: f64, deviation: f64 },
}

/// A path with what it takes its values from.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    path: String,
    range: Range,
}

impl Vary {
    /// Reads `spring.stiffness=1e4..4e4:9`, `c=log:1e2..1e4:9`, `c=1,2,5`, and for samples
    /// `k=1e4..4e4`, `k=log:1..100`, `k=normal:10,0.1`.
    pub fn parse(word: &str) -> Result<Vary, SweepError> {
        let fail = |message: &str| {
            SweepError::asked(
                format!("vary `{word}`: {message}"),
                "write `crank.mass=1..4:9` (from, to, number of values), `crank.mass=log:1..100:5` or `crank.mass=1,2,5`; \
                 for samples `crank.mass=1..4`, `crank.mass=log:1..100` or `crank.mass=normal:2,0.1`",
            )
        };
        let (path, text) = word
            .split_once('=')
            .ok_or_else(|| fail("there is no `=`"))?;
        let (path, text) = (path.trim().to_string(), text.trim());
        let number = |text: &str| -> Result<f64, SweepError> {
            let x: f64 =
                (text.trim().parse()).map_err(|_| fail(&format!("`{text}` is no number")))?;
            match x.is_finite() {
                true => Ok(x),
                false => Err(fail(&format!("`{text}` is not finite"))),
            }
        };
        if let Some(rest) = text.strip_prefix("normal:") {
            let (mean, deviation) = rest
                .split_once(',')
                .ok_or_else(|| fail("mean and deviation are separated by a comma"))?;
            let range = Range::Normal {
                mean: number(mean)?,
                deviation: number(deviation)?,
            };
            return Ok(Vary { path, range });
        }
        let (log, span) = match text.strip_prefix("log:") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if let Some((from, rest)) = span.split_once("..") {
            let (to, count) = match rest.split_once(':') {
                Some((to, count)) => {
                    let count = count.trim().parse().ok().filter(|n| (1..=MOST).contains(n));
                    (
                        to,
                        Some(count.ok_or_else(|| fail("behind `:` stands the number of values"))?),
                    )
                }
                None => (rest, None),
            };
            let (from, to) = (number(from)?, number(to)?);
            if log && !(from > 0.0 && to > 0.0) {
                return Err(fail("equal ratios need numbers above zero"));
            }
            let range = Range::Span {
                from,
                to,
                log,
                count,
            };
            return Ok(Vary { path, range });
        }
        if log {
            return Err(fail("`log:` stands before a range such as 1..100:5"));
        }
        let values = split(text);
        if values.iter().any(String::is_empty) {
            return Err(fail("a value is missing"));
        }
        Ok(Vary {
            path,
            range: Range::List(values),
        })
    }

    /// The values of a grid along this path.
    fn values(&self) -> Result<Vec<String>, SweepError> {
        match &self.range {
            Range::List(values) => Ok(values.clone()),
            &Range::Span {
                from,
                to,
                log,
                count: Some(n),
            } => {
                let at = |k: usize| match (n, k) {
                    (1, _) => from,
                    (n, k) if k == n - 1 => to,
                    (n, k) => between(from, to, log, k as f64 / (n - 1) as f64),
                };
                Ok((0..n).map(|k| format!("{:?}", at(k))).collect())
            }
            _ => Err(SweepError::asked(
                format!("`{}` has no number of values", self.path),
                "write it behind the range, `1..4:9`, or ask for random samples",
            )),
        }
    }

    /// One value at random.
    fn draw(&self, random: &mut Random) -> Result<String, SweepError> {
        Ok(match &self.range {
            Range::List(values) => {
                let i = (random.unit() * values.len() as f64) as usize;
                values[i.min(values.len() - 1)].clone()
            }
            &Range::Span {
                from,
                to,
                log,
                count: None,
            } => {
                format!("{:?}", between(from, to, log, random.unit()))
            }
            &Range::Normal { mean, deviation } => {
                format!("{:?}", mean + deviation * random.normal())
            }
            Range::Span { .. } => {
                let message = format!(
                    "`{}` has a number of values, and samples are random",
                    self.path
                );
                return Err(SweepError::asked(message, "leave the number out: `1..4`"));
            }
        })
    }
}

fn between(from: f64, to: f64, log: bool, share: f64) -> f64 {
    match log {
        true => (from.ln() + share * (to.ln() - from.ln())).exp(),
        false => from + share * (to - from),
    }
}

/// Values separated by commas that stand in no brackets or quotes.
fn split(text: &str) -> Vec<String> {
    let (mut depth, mut quoted) = (0, false);
    let mut values = vec![String::new()];
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 && !quoted {
            values.push(String::new());
        } else if let Some(last) = values.last_mut() {
            last.push(c);
        }
    }
    values
        .iter()
        .map(|value| value.trim().to_string())
        .collect()
}

/// Every combination of the values; those of the last path change first.
pub fn grid(varied: &[Vary]) -> Result<Points, SweepError> {
    let axes: Vec<Vec<String>> = varied.iter().map(Vary::values).collect::<Result<_, _>>()?;
    let count = axes
        .iter()
        .try_fold(1usize, |n, axis| n.checked_mul(axis.len()));
    let count = count.filter(|n| *n <= MOST);
    let Some(count) = count else {
        return Err(SweepError::asked(
            "these are too many points",
            "vary fewer values at a time",
        ));
    };
    let row = |i: usize| {
        let mut left = i;
        let mut row: Vec<String> = (axes.iter().rev())
            .map(|axis| {
                let value = axis[left % axis.len()].clone();
                left /= axis.len();
                value
            })
            .collect();
        row.reverse();
        row
    };
    let names = varied.iter().map(|v| v.path.clone()).collect();
    Points::new(names, (0..count).map(row).collect())
}

/// Random points, the same for the same seed.
pub fn samples(varied: &[Vary], count: usize, seed: u64) -> Result<Points, SweepError> {
    if count > MOST {
        return Err(SweepError::asked(
            "these are too many points",
            "ask for fewer samples",
        ));
    }
    let mut random = Random(seed);
    let rows = (0..count).map(|_| varied.iter().map(|v| v.draw(&mut random)).collect());
    let rows: Result<Vec<Vec<String>>, SweepError> = rows.collect();
    let names = varied.iter().map(|v| v.path.clone()).collect();
    Points::new(names, rows?)
}

/// Points of a table in a csv text: paths in the first line, then a line for each point.
pub fn table(text: &str) -> Result<Points, SweepError> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let fail = |e: csv::Error| {
        SweepError::asked(
            format!("the table of points: {e}"),
            "paths stand in its first line",
        )
    };
    let names = reader.headers().map_err(fail)?;
    let names = names.iter().map(str::to_string).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        rows.push(record.map_err(fail)?.iter().map(str::to_string).collect());
    }
    Points::new(names, rows)
}

/// Random numbers by splitmix64 (Steele, Lea & Flood 2014), the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1, 0 included.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Normally distributed, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(points: &Points) -> Vec<Vec<&str>> {
        (0..points.len())
            .map(|i| points.values(i).iter().map(String::as_str).collect())
            .collect()
    }

    #[test]
    fn grids_have_every_combination() {
        let varied =
            ["a.b=1..2:3", "c=log:1..100:3", "d=x, [1,2]"].map(|w| Vary::parse(w).unwrap());
        let points = grid(&varied).unwrap();
        let rows = values(&points);
        assert_eq!(rows.len(), 18);
        assert_eq!(rows[0], ["1.0", "1.0", "x"]);
        assert_eq!(rows[1], ["1.0", "1.0", "[1,2]"]);
        assert_eq!(rows[17], ["2.0", "100.0", "[1,2]"]);
        let middle: f64 = rows[2][1].parse().unwrap();
        assert!((middle - 10.0).abs() < 1e-13);
    }

    #[test]
    fn samples_follow_their_distribution_and_their_seed() {
        let varied = ["a=2..4", "b=normal:10,0.5", "c=log:1..100"].map(|w| Vary::parse(w).unwrap());
        let points = samples(&varied, 20_000, 7).unwrap();
        assert_eq!(points, samples(&varied, 20_000, 7).unwrap());
        assert_ne!(points, samples(&varied, 20_000, 8).unwrap());
        let column = |k: usize| -> Vec<f64> {
            values(&points)
                .iter()
                .map(|row| row[k].parse().unwrap())
                .collect()
        };
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let (a, b, c) = (column(0), column(1), column(2));
        assert!(a.iter().all(|x| (2.0..4.0).contains(x)));
        // five standard errors
        assert!((mean(&a) - 3.0).abs() < 5.0 * 0.577 / 20_000f64.sqrt());
        assert!((mean(&b) - 10.0).abs() < 5.0 * 0.5 / 20_000f64.sqrt());
        let spread = mean(&b.iter().map(|x| (x - 10.0).powi(2)).collect::<Vec<_>>()).sqrt();
        assert!((spread - 0.5).abs() < 0.02);
        assert!((mean(&c.iter().map(|x| x.log10()).collect::<Vec<_>>()) - 1.0).abs() < 0.03);
    }

    #[test]
    fn mistakes_are_told() {
        for word in [
            "a",
            "a=1..x:3",
            "a=log:0..1:3",
            "a=1..2:0",
            "a=1,,2",
            "a=normal:1",
            "a=log:1,2",
            "a=1..inf:2",
        ] {
            assert!(Vary::parse(word).is_err(), "{word}");
        }
        assert!(grid(&[Vary::parse("a=1..2").unwrap()]).is_err());
        assert!(samples(&[Vary::parse("a=1..2:3").unwrap()], 3, 1).is_err());
        let twice = [Vary::parse("a=1").unwrap(), Vary::parse("a=2").unwrap()];
        assert!(grid(&twice).is_err());
        assert!(table("a.b, c\n1, 2\n3").is_err());
        assert_eq!(
            values(&table("a.b, c\n1, 2\n3, x y\n").unwrap()),
            [["1", "2"], ["3", "x y"]]
        );
    }
}
