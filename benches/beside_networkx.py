"""The same graph, the same question, in networkx: 100,000 acts, 1,000,000 edges, in one run.

    pip install networkx
    python benches/beside_networkx.py [EDGES]

`cargo bench` writes a stored graph and, as tables, the facts that a whole act's status depends on. This program reads
the tables into a networkx MultiDiGraph, decides every act by a plain reading of the same rules, compares the counts
with those of Legal Link, and prints both sets of figures.
"""

import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import networkx

YES, NO, UNKNOWN = "yes", "no", "unknown"
DAY = (date(2010, 6, 30) - date(1952, 1, 1)).days


def number(text):
    return int(text) if text else None


def moment(text):
    return tuple(number(end) for end in text.split(":"))


def read(folder):
    graph = networkx.MultiDiGraph()
    with open(folder / "acts.csv", newline="") as file:
        for row in csv.DictReader(file):
            flags = [flag.split(":") for flag in row["flags"].split(";") if flag]
            ends = [end.split(":") for end in row["ends"].split(";") if end]
            graph.add_node(
                row["celex"],
                void=row["void"] == "1",
                begins=moment(row["begins"]),
                applies=moment(row["applies"]) if row["applies"] else None,
                seen=number(row["seen"]),
                recorded=number(row["recorded"]),
                flags=[(int(day), flag == "1") for day, flag in flags],
                ends=[((number(e), number(l)), number(over)) for e, l, over in ends],
            )
    with open(folder / "edges.csv", newline="") as file:
        for row in csv.DictReader(file):
            touches = []
            for text in row["touches"].split(";"):
                reach, start, until, saves, footing = text.split("/")
                start = None if start == "never" else moment(start)
                touches.append((reach, start, number(until), saves == "1", footing))
            graph.add_edge(
                row["source"],
                row["target"],
                row["relation"],
                effect=row["effect"],
                superseded=row["superseded"] == "1",
                touches=touches,
            )
    return graph


def reached(moment, on):
    earliest, latest = moment
    if latest is not None and latest <= on:
        return YES
    return NO if earliest is not None and earliest > on else UNKNOWN


def both(a, b):
    if NO in (a, b):
        return NO
    return YES if a == b == YES else UNKNOWN


def denied(answer):
    return {YES: NO, NO: YES, UNKNOWN: UNKNOWN}[answer]


def ends(act, edges):
    """First day without the act, whether all of it ends, from when that no longer counts."""
    found = []
    alive = [day for day, flag in act["flags"] if flag]
    for edge in edges:
        spent = edge["effect"] == "declares_spent"
        if edge["superseded"] or not (spent or edge["effect"] in ("ends", "voids")):
            continue
        for reach, start, _, _, footing in edge["touches"]:
            if reach == "part" or start is None:
                continue
            whole = reach == "whole"
            if spent:
                start = (act["begins"][0], start[1])
            if footing == "Contradicted" and alive:
                start = (max(start[0] or 0, alive[-1] + 1), None)
            if footing == "Bare" and whole and not spent:
                whole = all(reached(start, day) == NO for day in alive)
            found.append([start, whole, spent, None])
    found += [[start, True, False, over] for start, over in act["ends"]]
    if act["recorded"] is not None:
        first = act["recorded"] + 1
        placed = False
        for end in found:
            if not end[1] or end[2]:
                continue
            if end[0][0] is not None and end[0][0] == end[0][1]:
                placed = True
            elif reached(end[0], first) != NO:
                end[0] = (first, first)
                placed = True
        if not placed:
            found.append([(first, first), True, False, None])
    return found


def status(graph, celex, on):
    act = graph.nodes[celex]
    edges = [data for _, _, data in graph.in_edges(celex, data=True)]
    voided = (
        reach == "whole" and not saves
        for edge in edges
        if edge["effect"] == "voids"
        for reach, _, _, saves, _ in edge["touches"]
    )
    if act["void"] or any(voided):
        return NO, NO
    begun = reached(act["begins"], on)
    if begun == NO:
        return NO, NO
    found = ends(act, edges)

    def come(end, day):
        return NO if end[3] is not None and end[3] <= day else reached(end[0], day)

    answers = [come(end, on) if end[1] else both(come(end, on), UNKNOWN) for end in found]
    off = [day for day, flag in act["flags"] if not flag]
    if YES in answers or any(day <= on for day in off):
        ended = YES
    elif UNKNOWN in answers or any(all(come(end, day) == NO for end in found) for day in off):
        ended = UNKNOWN
    else:
        ended = NO
    in_force = both(begun, denied(ended))
    if in_force == YES and act["seen"] is not None and act["seen"] < on:
        in_force = UNKNOWN
    applies = reached(act["applies"], on) if act["applies"] else YES
    for edge in edges:
        if edge["effect"] != "pauses":
            continue
        for reach, start, until, _, _ in edge["touches"]:
            if reach == "part" or start is None:
                continue
            paused = both(reached(start, on), NO if until is not None and until < on else YES)
            applies = both(applies, denied(paused if reach == "whole" else both(paused, UNKNOWN)))
    return in_force, both(in_force, applies)


def main():
    edges = sys.argv[1] if len(sys.argv) > 1 else "1000000"
    with tempfile.TemporaryDirectory() as folder:
        command = ["cargo", "bench", "-q", "--bench", "graph", "--", "tables", edges, folder]
        ours = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        start = time.process_time()
        graph = read(Path(folder))
        load = time.process_time() - start
    start = time.perf_counter()
    answers = [status(graph, celex, DAY) for celex in graph]
    whole = time.perf_counter() - start
    names = list(graph)
    draw = random.Random(1)
    took = []
    for _ in range(10_000):
        celex, day = draw.choice(names), draw.randrange(2500, 26_500)
        start = time.perf_counter()
        status(graph, celex, day)
        took.append((time.perf_counter() - start) * 1e6)
    took.sort()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1.024 / 1000
    for at, question in enumerate(("in_force", "applicable")):
        told = {answer: sum(a[at] == answer for a in answers) for answer in (YES, NO, UNKNOWN)}
        assert told == ours["tally"][question], (question, told, ours["tally"][question])
    print(f"{len(graph)} acts, {graph.number_of_edges()} edges; the same answers: {ours['tally']}")
    print("| | loaded (CPU) | peak | one act, median | all acts on a day |\n|---|---|---|---|---|")
    one = ours["as_of_us"][0]
    print(f"| Legal Link | {ours['load_cpu_s']:.2f} s | {ours['peak_mb']:.0f} MB | {one:.2f} µs | {ours['all_s']:.3f} s |")
    middle = took[len(took) // 2]
    print(f"| networkx | {load:.2f} s | {peak:.0f} MB | {middle:.2f} µs | {whole:.3f} s |")


if __name__ == "__main__":
    main()
