"""Loads a folder written by `legal-link build` with Python's `datasets` and compares it with items.jsonl.

    pip install -r tests/python/requirements.txt
    python tests/python/load_dataset.py FOLDER

Checks: the features are those of the published dataset and of the card; every row equals its line of
items.jsonl; the card's row and byte counts are those that `datasets` counts itself.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")

import yaml  # noqa: E402
from datasets import List, Value, load_dataset  # noqa: E402

TEXT, TEXTS = Value("string"), List(Value("string"))
PUBLISHED = {
    "id": TEXT,
    "question": TEXT,
    "options": TEXTS,
    "correct_index": Value("int64"),
    "correct_label": TEXT,
    "context_titles": TEXTS,
    "contexts": TEXTS,
    "perturbed_contexts": TEXTS,
}


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as cache:
        rows = load_dataset(str(folder), split="test", cache_dir=cache)
        check(folder, rows)
        print(f"{len(rows)} rows of {folder} load and equal items.jsonl")


def check(folder: Path, rows) -> None:
    features = dict(rows.features)
    assert list(features)[: len(PUBLISHED)] == list(PUBLISHED), list(features)
    for name, kind in PUBLISHED.items():
        assert features[name] == kind, (name, features[name])

    # Only "\n" ends a line: str.splitlines would also cut at U+2028 and others.
    lines = (folder / "items.jsonl").read_text(encoding="utf-8").split("\n")
    items = [json.loads(line) for line in lines if line]
    assert len(items) == len(rows), (len(items), len(rows))
    for item, row in zip(items, rows, strict=True):
        assert list(item)[: len(PUBLISHED)] == list(PUBLISHED), list(item)
        for column in features:
            assert row[column] == item[column], (item["item"], column)
        assert item["options"][item["correct_index"]] and "ABCD"[item["correct_index"]] == item["correct_label"]
    assert len({item["item"] for item in items}) == len(items), "`item` is unique"

    card = (folder / "README.md").read_text(encoding="utf-8")
    info = yaml.safe_load(card.split("\n---\n")[0].removeprefix("---\n"))["dataset_info"]
    split = info["splits"][0]
    data = folder / "data" / "test-00000-of-00001.parquet"
    assert split["num_examples"] == len(rows), split
    assert split["num_bytes"] == info["dataset_size"] == rows.data.nbytes, (split, rows.data.nbytes)
    assert info["download_size"] == data.stat().st_size, info
    assert [f["name"] for f in info["features"]] == list(features)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
