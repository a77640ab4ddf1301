//! Any bytes as a stored graph: refused, or every question is answered. The bytes are taken as they are, and as ledger
//! and core of a file whose frame is right, so that the check at the door does not keep them out.
#![no_main]

use legal_link::graph::{Asked, StoredGraph};
use legal_link::law::{Day, Digest, Endpoint};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

const MARK: &[u8] = b"LLGRAPH\x01";

fn ask(bytes: Vec<u8>) {
    let mut file = Cursor::new(bytes);
    let Ok(graph) = StoredGraph::load(&mut file) else { return };
    let _ = graph.counts();
    for on in ["1952-01-01", "1994-06-30", "2099-12-31"].map(|day| day.parse::<Day>().expect("a day")) {
        let acts: Vec<Endpoint> = graph.each(on).map(|(celex, _)| celex.parse().expect("a CELEX number")).collect();
        for act in acts {
            let at = Endpoint { part: "2(1)".parse().ok(), ..act.clone() };
            let _ = (graph.as_of(&at, on), graph.status(&act, Asked::on(on), &mut file));
            for edge in graph.onto(&act.celex).chain(graph.by(&act.celex)).collect::<Vec<_>>() {
                let _ = graph.evidence(edge, &mut file);
            }
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    ask(bytes.to_vec());
    let Some((cut, rest)) = bytes.split_first() else { return };
    let (ledger, core) = rest.split_at(usize::from(*cut).min(rest.len()));
    let length = (core.len() as u64).to_le_bytes();
    ask([MARK, ledger, core, &length, Digest::of(core).as_bytes(), MARK].concat());
});
