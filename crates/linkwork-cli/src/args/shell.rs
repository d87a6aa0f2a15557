//! `linkwork completions` and `linkwork manual`.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  linkwork completions bash > ~/.local/share/bash-completion/completions/linkwork
  linkwork completions zsh > ~/.zfunc/_linkwork
  linkwork completions fish > ~/.config/fish/completions/linkwork.fish

The folders have to be there; a new shell then completes commands, options and their values.";

const MANUAL_EXAMPLES: &str = "\
Examples:
  linkwork manual --out ~/.local/share/man/man1      then: man linkwork, man linkwork-run";

/// `linkwork completions`.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell that completes
    pub shell: Shell,
}

/// `linkwork manual`.
#[derive(Debug, Args)]
#[command(after_help = MANUAL_EXAMPLES)]
pub struct ManualArgs {
    /// Directory for one page per command
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}
