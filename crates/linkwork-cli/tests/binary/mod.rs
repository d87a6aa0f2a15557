//! Runs the program as a user does and keeps what it said.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Command, Output};

/// What the program said.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(o: Output) -> Said {
        Said {
            code: o.status.code(),
            out: String::from_utf8(o.stdout).expect("stdout is UTF-8"),
            err: String::from_utf8(o.stderr).expect("stderr is UTF-8"),
        }
    }
}

/// The program with arguments, in the root of the workspace.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linkwork"));
    command
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command
}

pub fn linkwork(args: &[&str]) -> Said {
    command(args).output().expect("the program starts").into()
}

/// The same from a shell that sets limits first, and may say something afterwards: `{}` stands for the command.
#[cfg(unix)]
pub fn limited(shell: &str, args: &[&str]) -> Said {
    let quoted = args.iter().map(|a| format!("'{a}'"));
    let program = format!("'{}'", env!("CARGO_BIN_EXE_linkwork"));
    let words: Vec<String> = std::iter::once(program).chain(quoted).collect();
    Command::new("sh")
        .args(["-c", &shell.replace("{}", &words.join(" "))])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("a shell")
        .into()
}

/// A directory of its own for a test, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("linkwork-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&path).expect("temporary files can be made");
        Folder(path)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("temporary files can be written");
        path.display().to_string()
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A hinged body with a torque given as a formula of time.
pub fn hinged(torque: &str, simulation: &str) -> String {
    format!(
        r#"
[model]
name = "hinged"
gravity = [0, -9.81]

[[body]]
name = "bob"
mass = 1
inertia = 0.1
position = [0.5, 0]

[[joint]]
name = "hinge"
kind = "revolute"
body_b = "bob"
at = [0, 0]

[[force]]
name = "pull"
kind = "torque"
body_b = "bob"
torque = "{torque}"

[simulation]
{simulation}
"#
    )
}

/// Runs the program and reads the object that it prints, with its exit code.
pub fn json(args: &[&str]) -> (Option<i32>, serde_json::Value) {
    let said = linkwork(args);
    let value = serde_json::from_str(&said.out)
        .unwrap_or_else(|e| panic!("{e}: stdout {} stderr {}", said.out, said.err));
    (said.code, value)
}
