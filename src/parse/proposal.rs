//! Proposals of the Commission: the act proposed, without the cover and the memorandum that explains it.

use super::Warning;
use super::act::Front;
use super::block::Block;
use super::head;
use super::styled::{self, Layout};
use super::units::span;

/// Reads a proposal's page.
pub(super) fn page(source: &[u8]) -> Front {
    let mut styled = styled::read(source, 0, Layout { spaced: true });
    let before: Vec<Block> = styled.blocks.drain(..styled.begins.unwrap_or(0)).collect();
    let mut front = Front { blocks: styled.blocks, ..Front::default() };
    // The cover prints the day on which the Commission adopted the proposal.
    front.dated = before.iter().take(8).find_map(|b| head::short_day(b.text()).filter(|_| b.text().len() < 60));
    if let (Some(first), Some(last)) = (before.first(), before.last()) {
        let message = "the cover and the explanatory memorandum are no part of the act proposed and were left out";
        front.warnings.push(Warning { span: span(first).cover(&span(last)), message: message.to_string() });
    }
    front
}
