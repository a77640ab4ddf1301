"""gepa and dspy.GEPA on the landscape that `cargo bench --bench optimizer -- serve` serves, beside Legal Link.

    python benches/optimizer/peers.py [--seeds 1,2,.. | --frozen TREE] [--venv FOLDER] [--systems a,b] [--json]

Sets the peers of requirements.txt up in a virtual environment (a temporary one unless a folder is given), starts the
server, and runs every system on every seed: ours over the same wire, `gepa.optimize` with its defaults, the same with
use_merge, and `dspy.GEPA` with its defaults. All have the same prompts at the start, pairs, replies of the simulated
models, evaluations and minibatch; a seed is the landscape's and the optimizer's. Counts are the server's.

What a number means: `calls` are evaluations and reflections until the first candidate was accepted into the pool that is
worth 95 % of the optimum on the selection without noise (for the packages: when on_valset_evaluated names it); `held
out` is what the prompts chosen at the end are worth on pairs that nobody was told of, in percent of the optimum there.
"""

import argparse
import contextlib
import http.client
import io
import json
import logging
import math
import random
import statistics
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BENCH = ["cargo", "bench", "-q", "--bench", "optimizer", "--"]


class Run:
    """A run on the server."""

    def __init__(self, address, name):
        self.wire, self.name = http.client.HTTPConnection(address), name
        self.start = self.post("start")

    def post(self, verb, **asked):
        self.wire.request("POST", f"/{self.name}/{verb}", json.dumps(asked))
        answer = self.wire.getresponse()
        body = answer.read()
        assert answer.status == 200, (verb, answer.status)
        return json.loads(body)

    def pairs(self, which):
        return [(which, at) for at in range(self.start["sizes"][which])]

    def evaluate(self, prompts, pairs):
        which = pairs[0][0]
        return self.post("evaluate", prompts=prompts, set=which, at=[at for _, at in pairs])

    def reflect(self, component, text, lessons):
        return self.post("reflect", component=component, text=text, lessons=lessons)["text"]


class Accepted:
    """Tells the server of every candidate in the pool."""

    def __init__(self, run, named=lambda name: name):
        self.run, self.named = run, named

    def on_valset_evaluated(self, event):
        prompts = {self.named(name): text for name, text in event["candidate"].items()}
        self.run.post("accepted", prompts=prompts)


class Adapter:
    """gepa's view of the landscape."""

    def __init__(self, run):
        self.run = run

    def evaluate(self, batch, candidate, capture_traces=False):
        from gepa import EvaluationBatch

        scored = self.run.evaluate(candidate, batch)
        scores = [one["total"] / self.run.start["out_of"] for one in scored]
        return EvaluationBatch(outputs=scored, scores=scores, trajectories=scored if capture_traces else None)

    def make_reflective_dataset(self, candidate, batch, components):
        records = [{"Inputs": {}, "Generated Outputs": {}, "Feedback": one["feedback"]} for one in batch.trajectories]
        return {component: records for component in components}

    def propose_new_texts(self, candidate, dataset, components):
        heard = {component: [record["Feedback"] for record in dataset[component]] for component in components}
        return {name: self.run.reflect(name, candidate[name], heard[name]) for name in components}


class Quiet:
    def log(self, _):
        pass


def by_gepa(run, seed, **settings):
    import gepa

    result = gepa.optimize(
        seed_candidate=run.start["prompts"],
        trainset=run.pairs("reflect"),
        valset=run.pairs("select"),
        adapter=Adapter(run),
        reflection_minibatch_size=run.start["minibatch"],
        max_metric_calls=run.start["evaluations"],
        callbacks=[Accepted(run)],
        logger=Quiet(),
        seed=seed,
        **settings,
    )
    run.post("chosen", prompts=result.best_candidate)


def by_dspy(run, seed):
    """A program with one predictor a component. Its own call is the evaluation; the predictors that are sent with the pair
    are entered in the trace as `dspy.Predict` would enter them, so that dspy finds their feedback."""
    import dspy

    logging.getLogger("dspy").setLevel(logging.ERROR)
    addenda = {which: run.post("own", set=which) for which in ("reflect", "select")}
    components = {f"c{nth}": name for nth, name in enumerate(sorted(run.start["prompts"]))}
    general = [one for one, name in components.items() if "/" not in name]

    class Program(dspy.Module):
        def __init__(self):
            super().__init__()
            for one, name in components.items():
                # Fields of its own: dspy tells predictors apart by their signatures.
                signature = dspy.Signature(f"pair -> {one}_text", run.start["prompts"][name])
                setattr(self, one, dspy.Predict(signature))

        def forward(self, pair):
            which, at = pair
            prompts = {name: getattr(self, one).signature.instructions for one, name in components.items()}
            [scored] = run.evaluate(prompts, [pair])
            own = [one for one, name in components.items() if name == addenda[which][at]]
            for one in general + own:
                said = dspy.Prediction(**{f"{one}_text": "An item."})
                if dspy.settings.trace is not None:
                    dspy.settings.trace.append((getattr(self, one), {"pair": f"{which} {at}"}, said))
            return dspy.Prediction(score=scored["total"] / run.start["out_of"], feedback=scored["feedback"])

    def metric(gold, pred, trace=None, pred_name=None, pred_trace=None):
        return dspy.Prediction(score=pred.score, feedback=pred.feedback)

    def propose(candidate, reflective_dataset, components_to_update):
        texts = {}
        for one in components_to_update:
            records = reflective_dataset.get(one)
            if records:
                lessons = [record["Feedback"] for record in records]
                texts[one] = run.reflect(components[one], candidate[one], lessons)
        return texts

    def examples(which):
        return [dspy.Example(pair=pair).with_inputs("pair") for pair in run.pairs(which)]

    optimizer = dspy.GEPA(
        metric=metric,
        max_metric_calls=run.start["evaluations"],
        reflection_minibatch_size=run.start["minibatch"],
        instruction_proposer=propose,
        num_threads=1,
        seed=seed,
        gepa_kwargs={"callbacks": [Accepted(run, components.get)]},
    )
    best = optimizer.compile(Program(), trainset=examples("reflect"), valset=examples("select"))
    chosen = {components[name]: one.signature.instructions for name, one in best.named_predictors()}
    run.post("chosen", prompts=chosen)


SYSTEMS = {
    "gepa": by_gepa,
    "gepa, use_merge": lambda run, seed: by_gepa(run, seed, use_merge=True),
    "dspy.GEPA": by_dspy,
}
OURS = "Legal Link"


def report(address, system, seed):
    name = f"{seed}-{''.join(c for c in system if c.isalnum())}"
    if system == OURS:
        out = subprocess.run([*BENCH, "run", address, name], check=True, capture_output=True, text=True, cwd=ROOT).stdout
        return json.loads(out)
    run = Run(address, name)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        SYSTEMS[system](run, seed)
    return run.post("report")


def interval(values):
    """The order statistics between which the median lies with at least 95 %, and how many percent that is."""
    values, n = sorted(values), len(values)
    inside, low = 1.0, 0
    for k in range(n // 2):
        outside = 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n
        if outside > 0.05:
            break
        low, inside = k, 1 - outside
    return values[low], values[n - 1 - low], 100 * inside


def shown(calls):
    return "never" if math.isinf(calls) else f"{calls:,.0f}"


def table(reports, as_json):
    if as_json:
        print(json.dumps(reports))
        return
    print("| | calls to 95 %: median | interval | arrived | held out | evaluations, reflections |\n|---|---|---|---|---|---|")
    for system, runs in reports.items():
        calls = [math.inf if run["arrived"] is None else run["arrived"] for run in runs.values()]
        held = [100 * run["chosen"][1] / run["optimum"][1] for run in runs.values()]
        low, high, percent = interval(calls)
        spent = [statistics.mean(run[what] for run in runs.values()) for what in ("evaluations", "reflections")]
        arrived = sum(1 for one in calls if not math.isinf(one))
        print(
            f"| {system} | {shown(statistics.median(calls))} | {shown(low)} to {shown(high)} ({percent:.0f} %) "
            f"| {arrived} of {len(calls)} | {statistics.mean(held):.1f} % | {spent[0]:,.0f}, {spent[1]:,.0f} |"
        )
    ours = reports.get(OURS)
    for system, runs in reports.items():
        if not ours or system == OURS:
            continue
        pairs = [(ours[seed], runs[seed]) for seed in runs]
        print(f"\n{system}, seed by seed: ours needs {ratio(pairs)} of its calls.")


def ratio(pairs):
    """The ratio of the medians with a bootstrap interval over seeds; who never arrives counts as the whole budget."""

    def medians(drawn):
        calls = [[run["arrived"] or run["evaluations"] + run["reflections"] for run in column] for column in zip(*drawn)]
        return statistics.median(calls[0]) / statistics.median(calls[1])

    draw = random.Random(0)
    drawn = sorted(medians(draw.choices(pairs, k=len(pairs))) for _ in range(10_000))
    return f"{medians(pairs):.2f} ({drawn[250]:.2f} to {drawn[9749]:.2f})"


def measure(args):
    print("Python", sys.version.split()[0], *(f"{name} {version(name)}" for name in ("gepa", "dspy")), file=sys.stderr)
    if args.frozen:
        out = subprocess.run([*BENCH, "seeds", args.frozen], check=True, capture_output=True, text=True, cwd=ROOT).stdout
        seeds = [int(seed) for seed in out.split()]
    else:
        seeds = [int(seed) for seed in args.seeds.split(",")]
    systems = args.systems.split(";") if args.systems else [OURS, *SYSTEMS]
    server = subprocess.Popen([*BENCH, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        address = server.stdout.readline().strip()
        reports = {system: {} for system in systems}
        for seed in seeds:
            for system in systems:
                reports[system][seed] = report(address, system, seed)
                print(seed, system, json.dumps(reports[system][seed]), file=sys.stderr)
        table(reports, args.json)
    finally:
        server.stdin.close()
        server.wait()


def set_up(folder):
    """The peers in a virtual environment; its Python."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", HERE / "requirements.txt"]
    subprocess.run(install, check=True)
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default=",".join(map(str, range(1, 11))), help="default: those of development")
    parser.add_argument("--frozen", metavar="TREE", help="the twenty seeds that the frozen engine draws")
    parser.add_argument("--systems", help="some of them, with `;` between")
    parser.add_argument("--venv", help="a folder for the peers, kept; else a temporary one")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", action="store_true", help="measure with this Python, which has the peers")
    args = parser.parse_args()
    if args.measure:
        measure(args)
        return
    with tempfile.TemporaryDirectory() as folder:
        python = set_up(args.venv or folder)
        subprocess.run([python, __file__, *sys.argv[1:], "--measure"], check=True)


if __name__ == "__main__":
    main()
