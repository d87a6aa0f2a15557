//! Runs that are killed: the rows on disk are the first rows of the whole run, and a restart in the same folder
//! makes it whole, to the last bit.

mod binary;

use binary::{Folder, command, hinged, limited, linkwork};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Times at which runs are killed; `LINKWORK_KILLS` asks for more.
fn kills() -> u32 {
    let asked = std::env::var("LINKWORK_KILLS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(50)
}

fn finished(dir: &Path) -> Option<bool> {
    let text = fs::read_to_string(dir.join("manifest.json")).ok()?;
    let value: serde_json::Value = serde_json::from_str(&text).expect("a manifest is whole");
    assert_eq!(value["kind"], "run");
    value["finished"].as_bool()
}

#[test]
fn what_is_killed_has_its_first_rows_and_goes_on() {
    let folder = Folder::new("killed");
    let model = folder.file(
        "model.toml",
        &hinged("3*sin(2*t)", "t_end = 40\noutputs = 20000\nrtol = 1e-7"),
    );
    let clock = Instant::now();
    let [whole, both] = [["whole", "csv"], ["both", "csv,npz,parquet"]].map(|[dir, format]| {
        let out = folder.path(dir);
        let args = ["run", &model, "--out", &out, "--format", format, "--quiet"];
        let said = linkwork(&[&args[..], &["--once"]].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        folder.0.join(dir)
    });
    let span = clock.elapsed() / 2;
    assert_eq!(finished(&whole), Some(true));
    let text = fs::read(whole.join("table.csv")).unwrap();
    assert_eq!(fs::read(both.join("table.csv")).unwrap(), text);
    assert!(!both.join("table.rows").exists());
    let table = linkwork::table::read(&whole).unwrap();
    assert_eq!(table.times().len(), 20001);
    for archive in ["table.npz", "table.parquet"] {
        assert_eq!(linkwork::table::read(&both.join(archive)).unwrap(), table);
    }

    let (mut cut, mut went_on) = (0, 0);
    for k in 0..kills() {
        let dir = folder.0.join(format!("killed-{k}"));
        let out = dir.display().to_string();
        let saved = folder.path(&format!("checkpoint-{k}"));
        let formats = ["csv", "npz", "csv,parquet"][k as usize % 3];
        let often = ["--checkpoint", &saved, "--checkpoint-steps", "300"];
        let args = ["run", &model, "--out", &out, "--format", formats, "--quiet"];
        let mut child = command(&[&args[..], &often].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // instants over the whole length, in no order
        let share = (0.618_034 * f64::from(k + 1)).fract();
        std::thread::sleep(Duration::from_secs_f64(share * span.as_secs_f64()));
        child.kill().unwrap();
        child.wait().unwrap();
        if finished(&dir) != Some(false) {
            continue;
        }
        let there = linkwork::table::read(&dir).unwrap();
        let rows = there.times().len();
        // the verdict is the last thing before the manifest says that the run is over
        let told = dir.join("summary.json").exists();
        assert!(!told || rows == table.times().len(), "there is no verdict");
        assert_eq!(there.channels(), table.channels());
        assert_eq!(there.times(), &table.times()[..rows]);
        for (mine, all) in there.columns().iter().zip(table.columns()) {
            assert_eq!(mine[..], all[..rows], "row by row");
        }
        if formats != "npz" {
            // a write that a kill cuts short may leave part of a line, which is no row to whoever reads or goes on
            let part = fs::read(dir.join("table.csv")).unwrap();
            assert!(text.starts_with(&part), "{k}: {} bytes", part.len());
        }
        cut += usize::from(rows < table.times().len());
        if !Path::new(&saved).exists() {
            continue;
        }
        let said = linkwork(&[&args[..], &["--restart", &saved]].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(finished(&dir), Some(true));
        if formats != "npz" {
            assert!(
                fs::read(dir.join("table.csv")).unwrap() == text,
                "{k}: bit for bit"
            );
        }
        for format in formats.split(',') {
            let archive = linkwork::table::read(&dir.join(format!("table.{format}"))).unwrap();
            assert_eq!(archive, table, "{k}: bit for bit");
        }
        went_on += 1;
    }
    assert!(
        cut >= 2 && went_on >= 2,
        "{cut} were cut, {went_on} went on"
    );
}

#[test]
fn folders_of_another_kind_are_not_written_over() {
    let folder = Folder::new("kinds");
    let out = folder.path("out");
    let sweep = [
        "sweep",
        "pendulum",
        "--vary",
        "bob.mass=1,2",
        "--t-end",
        "0.1",
        "--out",
        &out,
    ];
    let said = linkwork(&sweep);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let said = linkwork(&["run", "pendulum", "--t-end", "0.1", "--out", &out]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("holds the results of a sweep"),
        "{}",
        said.err
    );
    assert!(folder.0.join("out/sweep.csv").exists());
    // a run takes the place of a run, whole
    let out = folder.path("runs");
    linkwork(&[
        "run", "sampled", "--t-end", "0.1", "--out", &out, "--format", "npz",
    ]);
    let said = linkwork(&["run", "pendulum", "--t-end", "0.1", "--out", &out]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let dir = folder.0.join("runs");
    assert!(!dir.join("table.npz").exists() && !dir.join("events.csv").exists());
    let said = linkwork(&["cosim", "two_mass", "--out", &out]);
    assert_eq!(said.code, Some(2), "{}", said.out);
    let said = linkwork(&["sweep", "pendulum", "--vary", "bob.mass=1,2", "--out", &out]);
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(
        said.err.contains("holds the results of a run"),
        "{}",
        said.err
    );
}

/// A disk that is full in the middle of a table: the rows so far stay, and no verdict of an older run beside them.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_verdict() {
    let folder = Folder::new("full");
    let out = folder.path("out");
    let run = ["run", "pendulum", "--once", "--out", &out, "--quiet"];
    assert_eq!(linkwork(&run).code, Some(0));
    assert!(folder.0.join("out/summary.json").exists());
    // files of 16 kilobytes at most
    let more = [&run[..], &["--outputs", "5000"]].concat();
    let said = limited("trap '' XFSZ; ulimit -f 32; exec {}", &more);
    assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    assert!(said.err.contains("table.csv: "), "{}", said.err);
    assert!(!folder.0.join("out/summary.json").exists());
    assert_eq!(finished(&folder.0.join("out")), Some(false));
    let rows = linkwork::table::read(&folder.0.join("out")).unwrap();
    assert!((10..5000).contains(&rows.times().len()));
    // with room again the folder holds the whole
    assert_eq!(linkwork(&more).code, Some(0));
    assert_eq!(finished(&folder.0.join("out")), Some(true));
}

/// Rows are not held in memory without end: 60 001 of 650 channels would take 300 megabytes at once.
#[cfg(unix)]
#[test]
fn many_rows_take_little_memory() {
    let folder = Folder::new("many-rows");
    let out = folder.path("out");
    let args = [
        "run",
        "hmmwv",
        "--outputs",
        "60000",
        "--max-steps",
        "5",
        "--out",
        &out,
    ];
    let said = limited("ulimit -v 300000; exec {}", &args);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(said.out.contains("attempt"), "{}", said.out);
}
