"""The same files, the same job, in Python: notices with rdflib and lxml, text out of pages with lxml and BeautifulSoup.

    python benches/peers/beside.py [--corpus FOLDER] [--venv FOLDER] [--rounds N] [--json]

Sets the peers of requirements.txt up in a virtual environment (a temporary one unless a folder is given), then measures
them and `cargo bench --bench parse` on the same files in one run. Seconds are CPU of one thread, the median of several
rounds; bytes are in memory before the clock starts.

What is compared:
- A notice: rdflib reads all triples into a graph; iterparse walks all elements and clears them. Ours gives the rows,
  records and states that the notice says, names of works joined and annotations attached.
- A page: lxml and BeautifulSoup parse it into a tree and give its text. Ours (`text`) gives its words as lines, blocks
  and markers told apart, each with the way back to its bytes. `whole act` is what a build does with the page: units with
  addresses and spans, quotations, coverage, clauses, too.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def median(rounds, work):
    """Seconds of CPU; the first call warms up and is not counted."""
    work()
    took = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return statistics.median(took)


def ours(how, rounds, files):
    command = ["cargo", "bench", "-q", "--bench", "parse", "--", "read", how, str(rounds), *map(str, files)]
    out = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    return sum(json.loads(out)["seconds"])


def notices(rounds, file):
    import io

    import rdflib
    from lxml import etree

    data = file.read_bytes()

    def graph():
        return rdflib.Graph().parse(data=data, format="xml")

    def walk():
        count = 0
        for _, element in etree.iterparse(io.BytesIO(data)):
            count += 1
            element.clear()
        return count

    yield "Legal Link", ours("notice", rounds, [file])
    yield "lxml iterparse", median(rounds, walk)
    yield "rdflib", median(min(rounds, 3), graph)


def pages(rounds, files):
    import warnings

    import lxml.html
    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning

    warnings.filterwarnings("ignore", category=XMLParsedAsHTMLWarning)
    pages = [file.read_bytes() for file in files]

    def each(text):
        return lambda: sum(len(text(page)) for page in pages)

    yield "Legal Link, text", ours("text", rounds, files)
    yield "Legal Link, whole act", ours("act", rounds, files)
    yield "lxml.html", median(rounds, each(lambda page: lxml.html.document_fromstring(page).text_content()))
    for parser in ("lxml", "html.parser"):
        text = each(lambda page, parser=parser: BeautifulSoup(page, parser).get_text())
        yield f"BeautifulSoup ({parser})", median(min(rounds, 3), text)


def well_formed(file):
    from lxml import etree

    try:
        etree.fromstring(file.read_bytes(), etree.XMLParser(huge_tree=True, resolve_entities=False))
    except etree.XMLSyntaxError:
        return False
    return True


def table(title, files, rows, as_json):
    size = sum(file.stat().st_size for file in files) / 1e6
    first = rows[0][1]
    if as_json:
        figures = {name: seconds for name, seconds in rows}
        print(json.dumps({"what": title, "files": len(files), "mb": size, "seconds": figures}))
        return
    print(f"\n{title}: {len(files)} file(s), {size:.2f} MB\n")
    print("| | CPU | MB/s | beside ours |\n|---|---|---|---|")
    for name, seconds in rows:
        print(f"| {name} | {seconds * 1000:.1f} ms | {size / seconds:.1f} | {seconds / first:.1f} x |")


def measure(args):
    names = ["rdflib", "lxml", "beautifulsoup4"]
    print("Python", sys.version.split()[0], *(f"{name} {version(name)}" for name in names), file=sys.stderr)
    rows = (line.split("\t") for line in (args.corpus / "INDEX.tsv").read_text().splitlines()[1:])
    listed = [(args.corpus / row[0], row[2]) for row in rows]
    rdf = [file for file, flavour in listed if flavour.startswith("notice-rdf")]
    notice = max(rdf, key=lambda file: file.stat().st_size)
    table("A notice (RDF/XML)", [notice], list(notices(args.rounds, notice)), args.json)
    for flavour, title in (("xhtml-eli-oj", "Well-formed pages (XHTML)"), ("html-txt_te", "Old pages (HTML)")):
        files = [file for file, named in listed if named == flavour]
        if flavour.startswith("xhtml"):
            files = [file for file in files if well_formed(file)]
        table(title, files, list(pages(args.rounds, files)), args.json)


def set_up(folder, requirements):
    """The peers in a virtual environment; its Python."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", HERE / requirements]
    subprocess.run(install, check=True)
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--venv", help="a folder for the peers, kept; else a temporary one")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", action="store_true", help="measure with this Python, which has the peers")
    args = parser.parse_args()
    args.corpus = args.corpus.resolve()
    if not (args.corpus / "INDEX.tsv").is_file():
        print(f"SKIPPED: no INDEX.tsv in {args.corpus}", file=sys.stderr)
        return
    if args.measure:
        measure(args)
        return
    with tempfile.TemporaryDirectory() as folder:
        python = set_up(args.venv or folder, "requirements.txt")
        subprocess.run([python, __file__, *sys.argv[1:], "--measure"], check=True)


if __name__ == "__main__":
    main()
