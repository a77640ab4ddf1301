//! The `legal-link` binary.

fn main() -> std::process::ExitCode {
    legal_link::cli::run(std::env::args_os())
}
