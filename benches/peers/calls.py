"""The same calls, the same server, in Python: `openai`'s async client, distilabel, and gepa's adapter.

    python benches/peers/calls.py [--venv FOLDER] [--calls N] [--flight N] [--rounds N] [--json]

Sets the peers of calls.txt up in a virtual environment (a temporary one unless a folder is given), starts the server of
`cargo bench --bench models` (50 ms a call, 4 kB there and back) and lets every client take its turn in a process of its own.
Wall and CPU are medians; they begin when all is imported and end with the last answer; CPU is that of the process and of
those that it started.

What is compared:
- `bare socket` writes a request's bytes and reads the answer's, no more.
- `Legal Link` reserves each call's worst case in a budget, forces each reply to disk before it is used, and holds it to its
  schema.
- `openai` (AsyncOpenAI with a semaphore) asks and reads the answer as JSON; nothing is kept.
- `distilabel` (OpenAILLM.generate_outputs, batches of as many as may be in flight) and `gepa` (DefaultAdapter.evaluate with
  as many workers) are called in the way their pipelines call them; nothing is kept.
"""

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from beside import ROOT, set_up

WORDS = "which act ended which? " * (4000 // 24)
PEERS = ("openai", "distilabel", "gepa")


def prompts(calls):
    return [f"{n}: {WORDS}" for n in range(calls)]


def openai(base, calls, flight):
    from openai import AsyncOpenAI

    async def run():
        gate = asyncio.Semaphore(flight)
        async with AsyncOpenAI(base_url=base, api_key="none") as client:

            async def ask(prompt):
                async with gate:
                    turns = [{"role": "user", "content": prompt}]
                    said = await client.chat.completions.create(model="m", messages=turns, max_tokens=2000)
                return json.loads(said.choices[0].message.content)["n"]

            return await asyncio.gather(*map(ask, prompts(calls)))

    return lambda: asyncio.run(run())


def distilabel(base, calls, flight):
    from distilabel.models import OpenAILLM

    llm = OpenAILLM(model="m", base_url=base, api_key="none", generation_kwargs={"max_new_tokens": 2000})
    llm.load()

    def run():
        turns = [[{"role": "user", "content": prompt}] for prompt in prompts(calls)]
        said = []
        for at in range(0, calls, flight):
            outputs = llm.generate_outputs(inputs=turns[at : at + flight], max_new_tokens=2000)
            said += [json.loads(output["generations"][0])["n"] for output in outputs]
        return said

    return run


def gepa(base, calls, flight):
    import os

    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    from gepa.adapters.default_adapter.default_adapter import DefaultAdapter

    kwargs = {"api_base": base, "api_key": "none"}
    adapter = DefaultAdapter("openai/m", max_litellm_workers=flight, litellm_batch_completion_kwargs=kwargs)

    def run():
        batch = [{"input": prompt, "additional_context": {}, "answer": "x"} for prompt in prompts(calls)]
        outputs = adapter.evaluate(batch, {"rules": "Answer in JSON."}).outputs
        return [json.loads(output["full_assistant_response"])["n"] for output in outputs]

    return run


def one(peer, base, calls, flight):
    """A client's turn, in this process."""
    run = {"openai": openai, "distilabel": distilabel, "gepa": gepa}[peer](base, calls, flight)
    before, began = cpu(), time.perf_counter()
    answers = run()
    took, used = time.perf_counter() - began, cpu() - before
    assert answers == [1] * calls, f"{len(answers)} answers"
    print(json.dumps({"wall_s": took, "cpu_s": used}))


def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def bench(*words):
    return ["cargo", "bench", "-q", "--bench", "models", "--", *map(str, words)]


def measure(args):
    names = ("openai", "distilabel", "gepa", "litellm")
    print("Python", sys.version.split()[0], *(f"{name} {version(name)}" for name in names), file=sys.stderr)
    with subprocess.Popen(bench("serve"), stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        address = server.stdout.readline().strip()
        base = f"http://{address}/v1"
        size = (args.calls, args.flight)
        clients = {"bare socket": bench("bare", address, *size), "Legal Link": bench("served", address, *size)}
        for peer in PEERS:
            clients[peer] = [sys.executable, __file__, "--one", peer, base, *map(str, size)]
        rows = {name: [] for name in clients}
        for _ in range(args.rounds):
            for name, command in clients.items():
                out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
                rows[name].append(json.loads(out.splitlines()[-1]))
        subprocess.run(["pkill", "-P", str(server.pid)], check=False)
        server.terminate()
    figures = {
        name: {what: statistics.median(turn[what] for turn in turns) for what in ("wall_s", "cpu_s")}
        for name, turns in rows.items()
    }
    if args.json:
        print(json.dumps({"calls": args.calls, "flight": args.flight, "rounds": args.rounds, "clients": figures}))
        return
    print(f"{args.calls} calls, {args.flight} in flight, 50 ms each, median of {args.rounds}\n")
    print("| client | wall | calls/s | CPU a call |\n|---|---|---|---|")
    for name, got in figures.items():
        rate, each = args.calls / got["wall_s"], got["cpu_s"] * 1000 / args.calls
        print(f"| {name} | {got['wall_s']:.2f} s | {rate:.0f} | {each:.3f} ms |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv", help="a folder for the peers, kept; else a temporary one")
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--flight", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", action="store_true", help="measure with this Python, which has the peers")
    parser.add_argument("--one", nargs=4, metavar=("PEER", "BASE", "CALLS", "FLIGHT"), help="one peer's turn")
    args = parser.parse_args()
    if args.one:
        peer, base, calls, flight = args.one
        one(peer, base, int(calls), int(flight))
    elif args.measure:
        measure(args)
    else:
        subprocess.run(["cargo", "bench", "-q", "--bench", "models", "--no-run"], check=True, cwd=ROOT)
        with tempfile.TemporaryDirectory() as folder:
            python = set_up(args.venv or folder, "calls.txt")
            subprocess.run([python, __file__, *sys.argv[1:], "--measure"], check=True)


if __name__ == "__main__":
    main()
