"""Worked examples of GEPA, each put to the package's own functions, as JSON on stdout.

    python -m venv venv && venv/bin/pip install gepa==0.1.4
    venv/bin/python tests/python/gepa_cases.py > tests/fixtures/optimize/gepa.json

The Rust test `author::optimize::parity` holds the optimizer to every answer; where ours differs on purpose, the case
says so in `ours` with the reason in `why`. Scores are small integers, so that no answer hangs on rounding.
"""

import json
import random
from importlib.metadata import version
from types import SimpleNamespace

import gepa
from gepa.core.adapter import EvaluationBatch
from gepa.gepa_utils import remove_dominated_programs, select_program_candidate_from_pareto_front
from gepa.proposer.merge import MergeProposer, filter_ancestors, sample_and_attempt_merge_programs_by_common_predictors
from gepa.strategies.acceptance import ImprovementOrEqualAcceptance, StrictImprovementAcceptance

SEEDS = range(40)


def fronts(rows):
    """Per id, who reaches its best score: what the package's state keeps."""
    best = [max(column) for column in zip(*rows)]
    return {at: {who for who, row in enumerate(rows) if row[at] == best[at]} for at in range(len(best))}


def choice(name, rows, **ours):
    """Who survives pruning, with how many votes; and that the draw follows them."""
    means = [sum(row) / len(row) for row in rows]
    pruned = remove_dominated_programs(fronts(rows), scores=means)
    votes = {}
    for front in pruned.values():
        for who in front:
            votes[who] = votes.get(who, 0) + 1
    drawn = {select_program_candidate_from_pareto_front(fronts(rows), means, random.Random(seed)) for seed in range(400)}
    assert drawn == set(votes), (name, drawn, votes)
    return {"name": name, "rows": rows, "votes": sorted(votes.items()), **ours}


def choices():
    alike = "of two that are equally good ours drops the one found later, so that the search does not drift"
    zero = "where nobody has a point nobody votes: a broken hard rule says nothing about who is better"
    yield choice("one candidate", [[3, 1, 2]])
    yield choice("each best somewhere", [[5, 0, 1], [1, 5, 0], [0, 1, 5]])
    yield choice("best nowhere alone", [[3, 1, 0], [3, 2, 0], [0, 2, 5]])
    yield choice("dropped one after the other", [[4, 4, 1, 1], [4, 1, 4, 2], [1, 4, 4, 6]])
    yield choice("the best mean without a front", [[9, 1, 1], [1, 9, 1], [1, 1, 9], [8, 8, 8]])
    yield choice("company goes with whom it loses", [[2, 2, 0, 1], [2, 0, 3, 1], [0, 2, 3, 1], [1, 1, 1, 9]])
    yield choice("weights", [[7, 7, 7, 1, 2], [1, 1, 1, 8, 2]])
    yield choice("twins", [[4, 4], [4, 4]], ours=[[0, 2]], why=alike)
    yield choice("twins beside another", [[6, 1], [6, 1], [1, 6]], ours=[[0, 1], [2, 1]], why=alike)
    yield choice("nobody has a point", [[0, 1, 3], [0, 2, 1]], ours=[[0, 1], [1, 1]], why=zero)


def acceptance():
    for before, after in [([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [3, 3, 1]), ([1, 2, 3], [0, 2, 3]), ([0, 0, 0], [0, 0, 0])]:
        proposal = SimpleNamespace(subsample_scores_before=before, subsample_scores_after=after)
        yield {
            "before": before,
            "after": after,
            "better": StrictImprovementAcceptance().should_accept(proposal, None),
            "no_worse": ImprovementOrEqualAcceptance().should_accept(proposal, None),
        }


def merge(name, texts, parents, sums, **ours):
    """What becomes of merging the last two: which ancestors may serve, and all that may come of it."""
    candidates = [dict(zip("abc", row)) for row in texts]
    line = [[None] if not own else own for own in parents]
    one, other = len(texts) - 2, len(texts) - 1

    def above(of):
        found, open_ = set(), [of]
        while open_:
            for parent in line[open_.pop()]:
                if parent is not None and parent not in found:
                    found.add(parent)
                    open_.append(parent)
        return found

    common = above(one) & above(other)
    related = one in above(other) or other in above(one)
    may = [] if related else filter_ancestors(one, other, common, ([], []), sums, candidates)
    results = set()
    for seed in SEEDS:
        out = sample_and_attempt_merge_programs_by_common_predictors(
            agg_scores=sums,
            rng=random.Random(seed),
            merge_candidates=[one, other],
            merges_performed=([], []),
            program_candidates=candidates,
            parent_program_for_candidate=line,
        )
        if out is not None:
            results.add((tuple(out[0][name] for name in sorted(out[0])), out[3]))
    return {
        "name": name,
        "texts": texts,
        "parents": parents,
        "sums": sums,
        "ancestors": sorted(may),
        "merged": sorted([list(merged), ancestor] for merged, ancestor in results),
        **ours,
    }


def merges():
    copy = "what comes of it is one of the two again: nothing to try"
    last = "of several ancestors that may serve ours takes the last one; the package draws one by its score"
    start = [[], [0], [0]]
    yield merge("each changed its own", [["0", "0"], ["1", "0"], ["0", "1"]], start, [1, 5, 4])
    yield merge("both changed one, each one more", [["0", "0", "0"], ["1", "1", "0"], ["2", "0", "1"]], start, [1, 5, 4])
    yield merge("the other is the better one", [["0", "0", "0"], ["1", "1", "0"], ["2", "0", "1"]], start, [1, 4, 5])
    yield merge("equally good", [["0", "0", "0"], ["1", "1", "0"], ["2", "0", "1"]], start, [1, 5, 5])
    yield merge("both changed the same", [["0", "0"], ["1", "0"], ["2", "0"]], start, [1, 5, 4])
    yield merge("both changed all, equally good", [["0", "0"], ["1", "1"], ["2", "2"]], start, [1, 5, 5])
    yield merge("both wrote the same", [["0", "0", "0"], ["1", "1", "0"], ["1", "0", "1"]], start, [1, 5, 4])
    yield merge("one changed what the other changed too", [["0", "0"], ["1", "0"], ["2", "1"]], start, [1, 4, 5], ours=[], why=copy)
    yield merge("an ancestor that is better than one of them", [["0", "0"], ["1", "0"], ["0", "1"]], start, [5, 6, 4])
    yield merge("an ancestor that is as good", [["0", "0"], ["1", "0"], ["0", "1"]], start, [4, 6, 4])
    yield merge("parent and child", [["0", "0"], ["1", "0"], ["1", "1"]], [[], [0], [1]], [1, 4, 5])
    yield merge(
        "two ancestors",
        [["0", "0", "0"], ["1", "0", "0"], ["1", "1", "0"], ["1", "0", "1"]],
        [[], [0], [1], [1]],
        [1, 2, 5, 4],
        ours=[[["1", "1", "1"], 1]],
        why=last,
    )
    yield merge(
        "the last ancestor is better, an older one is not",
        [["0", "0", "0"], ["1", "0", "0"], ["1", "1", "0"], ["1", "0", "1"]],
        [[], [0], [1], [1]],
        [1, 6, 5, 4],
    )
    yield merge(
        "beside the last ancestor both changed all, beside an older one not",
        [["0", "0"], ["1", "1"], ["2", "0"], ["3", "4"]],
        [[], [0], [1], [1]],
        [1, 2, 5, 4],
    )
    yield merge(
        "a merge among the parents",
        [["0", "0", "0"], ["1", "0", "0"], ["0", "1", "0"], ["1", "1", "0"], ["1", "0", "1"]],
        [[], [0], [0], [1, 2], [1]],
        [1, 3, 2, 6, 5],
        ours=[[["1", "1", "1"], 1]],
        why=last,
    )


class Counted:
    """An adapter whose scores depend on the candidate alone, and which counts what it is asked."""

    def __init__(self, score):
        self.score, self.calls = score, 0

    def evaluate(self, batch, candidate, capture_traces=False):
        self.calls += len(batch)
        scores = [self.score(candidate["a"])] * len(batch)
        return EvaluationBatch(outputs=scores, scores=scores, trajectories=scores if capture_traces else None)

    def make_reflective_dataset(self, candidate, eval_batch, components_to_update):
        return {name: [{"Feedback": "more"}] for name in components_to_update}

    def propose_new_texts(self, candidate, reflective_dataset, components_to_update):
        return {name: candidate[name] + "x" for name in components_to_update}


def outcome(together):
    """Whether a merge is taken that scores like this where its parents score 4 and 6 or 6 and 4: the sums, and what became
    of it. Either parent is better on half of the ids."""
    alone = {(1, 0): (2, 0), (0, 1): (0, 2), (0, 0): (1, 1)}

    def score(at, candidate):
        has = (len(candidate["a"]), len(candidate["b"]))
        return sum(has) if at < 0 else alone.get(has, together)[at % 2]

    class Adapter(Counted):
        def evaluate(self, batch, candidate, capture_traces=False):
            scores = [score(at, candidate) for at in batch]
            return EvaluationBatch(outputs=scores, scores=scores, trajectories=scores if capture_traces else None)

    tried, became = [], []

    class Listener:
        def on_merge_accepted(self, event):
            became.append(True)

        def on_merge_rejected(self, event):
            became.append(False)

    propose = MergeProposer.propose

    def heard(self, state):
        proposal = propose(self, state)
        if proposal is not None:
            tried.append((proposal.subsample_scores_before, sum(proposal.subsample_scores_after)))
        return proposal

    MergeProposer.propose = heard
    for seed in range(30):
        gepa.optimize(
            seed_candidate={"a": "", "b": ""},
            trainset=[-1, -2, -3],
            valset=list(range(6)),
            adapter=Adapter(None),
            max_metric_calls=60,
            perfect_score=10**6,
            use_merge=True,
            seed=seed,
            callbacks=[Listener()],
            logger=SimpleNamespace(log=lambda *words: None),
        )
    MergeProposer.propose = propose
    seen = {(tuple(before), after, taken) for (before, after), taken in zip(tried, became, strict=True)}
    return [{"before": list(before), "after": after, "taken": taken} for before, after, taken in sorted(seen)]


def trial(name, first, second, **ours):
    """How many ids of each kind a merge is tried on: where the first is better, the second, neither; over all draws."""
    kinds = [(1 if one > other else 2 if other > one else 3) for one, other in zip(first, second)]
    counts = set()
    for seed in SEEDS:
        proposer = MergeProposer(None, None, None, True, 5, rng=random.Random(seed))
        ids = proposer.select_eval_subsample_for_merged_program(dict(enumerate(first)), dict(enumerate(second)))
        counts.add((tuple(sum(kinds[at] == kind for at in ids) for kind in (1, 2, 3)), len(set(ids))))
    return {
        "name": name,
        "first": first,
        "second": second,
        "counts": sorted([list(kinds), distinct] for kinds, distinct in counts),
        **ours,
    }


def trials():
    once = "no id is scored twice: the same score again tells nothing"
    yield trial("enough of each", [2] * 4 + [1] * 4 + [1] * 4, [1] * 4 + [2] * 4 + [1] * 4)
    yield trial("one where the first is better", [2] + [1] * 4 + [1] * 4, [1] + [2] * 4 + [1] * 4)
    yield trial("few that differ", [2, 1] + [1] * 5, [1, 2] + [1] * 5)
    yield trial("never the second", [2] * 4 + [1] * 4, [1] * 4 + [1] * 4)
    yield trial("all alike", [1] * 9, [1] * 9)
    yield trial("just enough", [2, 2, 1, 1, 1], [1, 1, 2, 2, 1])
    yield trial("too few", [2, 1, 1], [1, 2, 1], ours=[1, 1, 1], why=once)


def budget(name, train, val, batch, calls, gains, **ours):
    """What each iteration cost, until the package stops."""
    adapter = Counted((lambda text: len(text)) if gains else (lambda text: 1))
    marks = []

    class Marks:
        def on_iteration_end(self, event):
            marks.append(event["state"].total_num_evals)

    result = gepa.optimize(
        seed_candidate={"a": "x"},
        trainset=list(range(train)),
        valset=list(range(val)),
        adapter=adapter,
        reflection_minibatch_size=batch,
        max_metric_calls=calls,
        perfect_score=10**6,
        seed=0,
        callbacks=[Marks()],
        logger=SimpleNamespace(log=lambda *words: None),
    )
    costs = [end - begin for begin, end in zip([val] + marks, marks)]
    assert result.total_metric_calls == adapter.calls == val + sum(costs)
    return {
        "name": name,
        "reflect": train,
        "select": val,
        "minibatch": batch,
        "evaluations": calls,
        "gains": gains,
        "start": val,
        "costs": costs,
        "total": adapter.calls,
        **ours,
    }


def budgets():
    hard = "ours begins nothing that it might be unable to pay, so that the budget is never passed"
    yield budget("every proposal passes", 6, 5, 3, 60, True, why=hard)
    yield budget("none passes", 6, 5, 3, 60, False, why=hard)
    yield budget("a minibatch larger than the set", 2, 4, 3, 50, False, each=4, why=f"{hard}; no pair is in a minibatch twice")
    yield budget("one proposal", 6, 6, 3, 18, True, why=hard)


print(
    json.dumps(
        {
            "package": f"gepa {version('gepa')}",
            "choice": list(choices()),
            "acceptance": list(acceptance()),
            "merge": list(merges()),
            "outcome": outcome((2, 0)) + outcome((1, 1)) + outcome((2, 2)),
            "trial": list(trials()),
            "budget": list(budgets()),
        },
        indent=1,
    )
)
