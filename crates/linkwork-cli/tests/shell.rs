//! Completions and manual pages know every command.

mod binary;

use binary::{Folder, linkwork};

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let out = linkwork(&["completions", shell]);
        assert_eq!(out.code, Some(0), "{shell}");
        for command in ["run", "view", "equilibrium", "cosim"] {
            assert!(out.out.contains(command), "{shell}: {command}");
        }
        assert!(out.out.contains("rtol"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new("manual");
    let out = folder.path("man1");
    assert_eq!(linkwork(&["manual", "--out", &out]).code, Some(0));
    for page in ["linkwork.1", "linkwork-run.1", "linkwork-view.1"] {
        let text = std::fs::read_to_string(folder.0.join("man1").join(page)).unwrap();
        assert!(text.starts_with(".ie") || text.contains(".TH"), "{page}");
    }
}
