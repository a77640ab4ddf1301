"""Reads what `legal-link graph export` wrote with the programs it is written for.

    pip install networkx rdflib pyarrow
    legal-link graph export --format graphml --out FOLDER/graph.graphml   (and turtle, parquet, dot)
    python tests/python/graph_exports.py FOLDER

Checks: networkx loads the GraphML, rdflib the Turtle, pyarrow the Parquet, Graphviz (if it is installed) the DOT; they
hold the same edges, and the days are the same days.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pyarrow.parquet as pq
import rdflib

OWL = rdflib.Namespace("http://www.w3.org/2002/07/owl#")
ANN = rdflib.Namespace("http://publications.europa.eu/ontology/annotation#")


def main(folder: Path) -> None:
    graph = nx.read_graphml(folder / "graph.graphml")
    drawn = {(s, d["relation"], t, d["touch"], d.get("start")) for s, t, d in graph.edges(data=True)}

    table = pq.read_table(folder / "graph.parquet").to_pylist()
    day = lambda d: d and d.isoformat()  # noqa: E731
    listed = {(r["source"], r["relation"], r["target"], r["touch"], day(r["start"])) for r in table}
    assert drawn == listed, drawn ^ listed
    assert len(table) == graph.number_of_edges()

    triples = rdflib.Graph().parse(folder / "graph.turtle", format="turtle")
    celex = lambda iri: iri.rsplit("/", 1)[1].replace("%28", "(").replace("%29", ")").replace("%2F", "/")  # noqa: E731
    dated = {
        (celex(s), celex(triples.value(axiom, OWL.annotatedTarget)), start.toPython().isoformat())
        for axiom, s in triples.subject_objects(OWL.annotatedSource)
        for start in triples.objects(axiom, ANN.start_of_validity)
    }
    assert dated == {(s, t, start) for s, _, t, _, start in listed if start}

    if shutil.which("dot") and graph.number_of_edges() < 2000:
        subprocess.run(["dot", "-Tsvg", "-o", "/dev/null", folder / "graph.dot"], check=True)
    print(f"{graph.number_of_nodes()} acts, {len(table)} touches, {len(triples)} triples: the formats agree")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
