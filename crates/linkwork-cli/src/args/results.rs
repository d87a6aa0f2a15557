//! Where results go and what is printed.

use super::names::formats;
use clap::Args;
use std::path::PathBuf;

/// Where results go and what is printed.
#[derive(Debug, Args)]
pub struct ResultArgs {
    /// Directory for results (default with --format: out/MODEL; without both nothing is written)
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,

    /// Table formats, separated by commas (default with --out: csv)
    #[arg(long, value_delimiter = ',', value_parser = formats(), help_heading = "Results")]
    pub format: Vec<String>,

    /// Write one HTML page that shows the result in any browser
    #[arg(long, value_name = "FILE.html", help_heading = "Results")]
    pub report: Option<PathBuf>,

    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    /// Print no summary and no progress; errors only
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}
