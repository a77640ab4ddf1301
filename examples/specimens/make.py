"""Writes the specimen acts beside this file: invented law, in the real formats.

    python3 examples/specimens/make.py

Every text here was written for Legal Link. Nothing in it is law; the numbers start at 9001, where no
real act is. The folder it makes has the layout of any folder source (INDEX.tsv, acts/, edges/), and
`legal-link cache pack --from folder:examples/specimens --into eurlex_cache` turns it into the shipped cache.
"""

import csv
import hashlib
import html
import io
import pathlib
import re

HERE = pathlib.Path(__file__).parent
MARK = "SPECIMEN written for Legal Link. Not law."
MONTHS = "January February March April May June July August September October November December".split()

from families import FAMILIES  # noqa: E402  (the texts, kept apart from the formats)
from measures import MEASURES  # noqa: E402


def long(day):
    y, m, d = map(int, day.split("-"))
    return f"{d} {MONTHS[m - 1]} {y}"


def numeric(day):
    y, m, d = map(int, day.split("-"))
    return f"{d}.{m}.{y}"


def esc(text):
    return html.escape(text, quote=False)


# --- one act, as data -------------------------------------------------------------------------------
# act = {celex, kind, name, date, published, title, citations, recitals, articles: [(heading, [paragraphs])],
#        final, flavour}; a paragraph is a string, or (string, [points]).


def number_paragraphs(paragraphs):
    return [(str(i) if len(paragraphs) > 1 else "", p) for i, p in enumerate(paragraphs, 1)]


def oj_eli(act):
    out = io.StringIO()
    w = out.write
    y = act["published"][:4]
    serial = re.sub(r"\D", "", act["celex"][5:])[:4]
    page = f"L_{y}{act['oj']:03d}EN.01{serial}01.xml"
    w('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML//EN" "xhtml-strict.dtd">\n')
    w('<html xmlns="http://www.w3.org/1999/xhtml">\n')
    w(f"<!-- {MARK} -->\n<head>\n")
    w('   <meta http-equiv="content-type" content="text/html; charset=utf-8"/>\n')
    w('   <link type="text/css" rel="stylesheet" href="oj-convex.css"/>\n')
    w(f"   <title>{page}</title>\n</head>\n<body>\n")
    w('   <table width="100%" border="0" cellspacing="0" cellpadding="0">\n')
    w('      <col width="10%"/>\n      <col width="10%"/>\n      <col width="60%"/>\n      <col width="20%"/>\n      <tbody>\n         <tr>\n')
    for cls, text in (
        ("oj-hd-date", numeric(act["published"]) + "   "),
        ("oj-hd-lg", "EN"),
        ("oj-hd-ti", "Official Journal of the European Union"),
        ("oj-hd-oj", f"{act.get('series', 'L')} {act['oj']}/{act['page']}"),
    ):
        w(f'            <td>\n               <p class="{cls}">{text}</p>\n            </td>\n')
    w('         </tr>\n      </tbody>\n   </table>\n   <hr class="oj-separator"/>\n   <div class="eli-container">\n')
    w('      <div class="eli-main-title" id="tit_1">\n')
    for line in act["title_lines"]:
        w(f'         <p class="oj-doc-ti">{esc(line)}</p>\n')
    w("      </div>\n")
    if act.get("body"):  # a corrigendum or a communication: paragraphs only
        for line in act["body"]:
            w(f'      <p class="oj-normal">{esc(line)}</p>\n')
    else:
        oj_preamble(w, act)
        w('      <div class="eli-subdivision" id="enc_1">\n')
        for n, (heading, paragraphs) in enumerate(act["articles"], 1):
            oj_article(w, n, heading, paragraphs)
        w("      </div>\n")
        w('      <div class="eli-subdivision" id="fnp_1">\n         <div class="oj-final">\n')
        for line in act["final"]:
            w(f'            <p class="oj-normal">{esc(line)}</p>\n')
        w("         </div>\n      </div>\n")
    w('   </div>\n   <hr class="oj-doc-end"/>\n</body>\n</html>\n')
    return out.getvalue()


def oj_preamble(w, act):
    w('      <div class="eli-subdivision" id="pbl_1">\n')
    w(f'         <p class="oj-normal">{esc(act["author"])},</p>\n')
    for n, line in enumerate(act["citations"], 1):
        w(f'         <div class="eli-subdivision" id="cit_{n}">\n            <p class="oj-normal">{esc(line)}</p>\n         </div>\n')
    w('         <p class="oj-normal">Whereas:</p>\n')
    for n, line in enumerate(act["recitals"], 1):
        w(f'         <div class="eli-subdivision" id="rct_{n}">\n')
        oj_point(w, "            ", f"({n})", [line])
        w("         </div>\n")
    w(f'         <p class="oj-normal">{esc(act["enacting"])}</p>\n      </div>\n')


def oj_point(w, pad, label, lines):
    w(f'{pad}<table width="100%" border="0" cellspacing="0" cellpadding="0">\n{pad}   <col width="4%"/>\n{pad}   <col width="96%"/>\n')
    w(f'{pad}   <tbody>\n{pad}      <tr>\n{pad}         <td valign="top">\n{pad}            <p class="oj-normal">{label}</p>\n{pad}         </td>\n')
    w(f'{pad}         <td valign="top">\n')
    for line in lines:
        w(f'{pad}            <p class="oj-normal">{esc(line)}</p>\n')
    w(f"{pad}         </td>\n{pad}      </tr>\n{pad}   </tbody>\n{pad}</table>\n")


def oj_article(w, n, heading, paragraphs):
    w(f'         <div class="eli-subdivision" id="art_{n}">\n            <p class="oj-ti-art">Article {n}</p>\n')
    w(f'            <div class="eli-title" id="art_{n}.tit_1">\n               <p class="oj-sti-art">{esc(heading)}</p>\n            </div>\n')
    for label, paragraph in number_paragraphs(paragraphs):
        text, points = paragraph if isinstance(paragraph, tuple) else (paragraph, [])
        pad = "            "
        if label:
            w(f'{pad}<div id="{n:03d}.{int(label):03d}">\n')
            pad += "   "
        w(f'{pad}<p class="oj-normal">{label + ".   " if label else ""}{esc(text)}</p>\n')
        for i, point in enumerate(points):
            oj_point(w, pad, f"({chr(97 + i)})", [point])
        if label:
            w("            </div>\n")
    w("         </div>\n")


def flat(act):
    """The act as one paragraph per block, as the old pages have it."""
    if act.get("body"):
        return list(act["body"])
    out = [act["author"] + ", "]
    out += [c + " " for c in act["citations"]]
    out += ["Whereas " + r[0].lower() + r[1:] for r in act["recitals"]]
    out.append(act["enacting"] + " ")
    for n, (heading, paragraphs) in enumerate(act["articles"], 1):
        out.append(f" Article {n}")
        for label, paragraph in number_paragraphs(paragraphs):
            text, points = paragraph if isinstance(paragraph, tuple) else (paragraph, [])
            out.append(f" {label + '. ' if label else ''}{text}")
            out += [f"      ({chr(97 + i)}) {point}" for i, point in enumerate(points)]
    return out + [" " + line for line in act["final"]]


def reference(act):
    y, m, d = act["published"].split("-")
    return f"Official Journal {act.get('series', 'L')} {act['oj']:03d} , {d}/{m}/{y} P. {act['page']:04d} - {act['page'] + 3:04d}"


def txt_te(act):
    title = act["title"]
    head = (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html lang="EN">\n<head>\n'
        f"<!-- {MARK} -->\n"
        '<meta name="DC.language" content="EN">\n'
        f'<meta name="DC.title" content="EUR-Lex - {act["celex"]} - EN">\n'
        f'<meta name="DC.description" content="{html.escape(title)}">\n'
        f'<meta name="DC.source" content="{reference(act)};">\n'
        f"<title>EUR-Lex - {act['celex']} - EN</title>\n</head>\n<body>\n"
        '<div id="banner">\n<a name="top"></a>\n<div class="bglang">\n<p class="bglang">\n'
        '<a class="langue" href="../../../editorial/legal_notice.htm" accesskey="8"><b>Avis juridique important</b></a>\n<br>\n</p>\n</div>\n'
        '<div class="bgtool">\n<em class="none">|</em>\n</div>\n</div>\n<a name="top"></a>\n'
        f"<h1>{act['celex']}</h1>\n<p>\n<strong>{esc(title)}  </strong>\n<br>\n<em>\n<br>{reference(act)}<br> </em>\n</p>\n<br>\n"
        '<div id="TexteOnly">\n<p>\n<TXT_TE>\n'
    )
    body = [act["title_upper"]] + flat(act)
    return head + "".join(f"<p>{esc(line)}</p><p> </p>" for line in body) + "\n</TXT_TE>\n</p>\n</div>\n</body>\n</html>\n"


def plain(act):
    lines = [f"EUR-Lex - {act['celex']} - EN", "Avis juridique important", "|", act["celex"], act["title"], reference(act)]
    return "\n".join(lines) + "\n" + "  ".join([act["title_upper"]] + [line.strip() for line in flat(act)]) + f"\n[{MARK}]\n"


FORMATS = {"oj-eli": (oj_eli, "xhtml", "xhtml-eli-oj"), "txt_te": (txt_te, "html", "html-txt_te"), "plain": (plain, "txt", "plain")}


# --- a family: one base act and seven acts that act on it or after it -------------------------------


def designation(community, kind, number, year):
    word = {"R": "Regulation", "D": "Decision", "L": "Directive"}[kind]
    if kind == "R" and year < 2015:
        return f"{word} ({community}) No {number}/{year % 100 if year < 1999 else year}"
    if year >= 2015:
        return f"{word} ({community}) {year}/{number}"
    return f"{word} {year % 100 if year < 1999 else year}/{number}/{community}"


def celex(kind, number, year):
    return f"3{year}{kind}{number:04d}"


def finish(act, family, serial):
    kind = act["kind"]
    word = {"R": "Regulation", "D": "Decision", "L": "Directive"}[kind]
    act["celex"] = act.get("celex") or celex(kind, act["number"], act["year"])
    act["name"] = act.get("name") or designation(act.get("community", family["community"]), kind, act["number"], act["year"])
    act["oj"], act["page"] = 11 + serial * 7 % 340, 1 + serial * 13 % 90
    by = act.get("by", "Council")
    act["author"] = {"Council": f"THE COUNCIL OF THE {family['union']}", "Commission": family["commission"]}[by]
    act["title"] = f"{by} {act['name']} of {long(act['date'])} {act['subject']}"
    upper = act["name"].upper().replace("NO ", "No ")
    act["title_upper"] = f"{by.upper()} {upper} of {long(act['date'])} {act['subject']}"
    act["title_lines"] = [f"{by.upper()} {upper}", f"of {long(act['date'])}", act["subject"]]
    act.setdefault("citations", [f"Having regard to the {family['treaty']},", f"Having regard to the proposal from the Commission,"])
    act["enacting"] = f"HAS ADOPTED THIS {word.upper()}:"
    act["articles"] = act["articles"] + [("Entry into force", act["entry"])]
    binding = {"R": "This Regulation shall be binding in its entirety and directly applicable in all Member States.", "D": "", "L": ""}[kind]
    act["final"] = [line for line in (binding, f"Done at Brussels, {long(act['date'])}.", f"For the {by}", "The President", "A. SPECIMEN") if line]
    act["flavour"] = act.get("flavour") or family["flavour"]
    return act


def corrigendum(f, base, serial):
    c = f["corrigendum"]
    title = f"Corrigendum to {base['title']}"
    y, m, d = base["published"].split("-")
    ref = f"(Official Journal of the European {'Union' if int(y) > 2003 else 'Communities'} L {base['oj']} of {long(base['published'])})"
    body = [f"On page {base['page'] + 1}, Article {c['part']}:", "for:", f"‘{c['for']}’,", "read:", f"‘{c['read']}’."]
    return dict(
        celex=base["celex"] + "R(01)", title=title, title_upper=title, title_lines=[title, ref], body=body, published=c["published"],
        date=c["published"], oj=12 + serial * 5 % 330, page=40 + serial % 9, flavour="oj-eli", number=0,
    )


def communication(f, serial):
    o = f["obsolete"]
    title = f"Commission communication of {long(o['date'])} on acts concerning {o['field']} which have exhausted their effects"
    body = [
        f"The Commission has examined the acts adopted by it in the field of {o['field']}.",
        f"The following act has lost all effect and is no longer regarded as being in force: {o['target']['name']}.",
        "This statement is made for information and leaves rights acquired under that act untouched.",
    ]
    return dict(
        celex=f"5{o['date'][:4]}XC{o['number']}", title=title, title_upper=title, title_lines=[title, f"({o['date'][:4]}/C {serial + 20}/03)"],
        body=body, published=o["date"], date=o["date"], oj=serial + 20, page=3, series="C", flavour="oj-eli", number=o["number"],
    )


def build():
    acts, rows, records = [], [], []
    serial = 0
    for f in FAMILIES:
        made = {}
        for key in ("base", "supplement", "widening", "change", "prolongation", "repeal", "spent"):
            serial += 1
            spec = f[key]
            made[key] = finish(spec, f, serial)
            acts.append(spec)
        serial += 1
        made["corrigendum"] = corrigendum(f, made["base"], serial)
        f["obsolete"]["target"] = made["spent"]
        made["communication"] = communication(f, serial)
        acts += [made["corrigendum"], made["communication"]]
        edge = lambda a, r, b: rows.append((made[a]["celex"], r, made[b]["celex"]))  # noqa: E731
        edge("corrigendum", "corrects", "base")
        edge("supplement", "completes", "base")
        edge("widening", "extends_application", "base")
        edge("prolongation", "extends_validity_of", "base")
        edge("repeal", "repeals", "base")
        edge("repeal", "implicitly_repeals", "change")
        edge("communication", "renders_obsolete", "spent")
        rows.append((made["change"]["celex"], "amends", made["base"]["celex"]))
        for key in ("base", "supplement", "widening", "change", "prolongation", "repeal", "spent"):
            records.append(made[key])
    for f, m in zip(FAMILIES, MEASURES):
        made = {}
        for key in ("measure", "suspension", "derogation", "rewording"):
            serial += 1
            made[key] = finish(m[key], f, serial)
            acts.append(made[key])
        for key, relation in (("suspension", "suspends"), ("derogation", "derogates"), ("rewording", "amends")):
            rows.append((made[key]["celex"], relation, made["measure"]["celex"]))
    return acts, rows, records


# Facts about real acts (identifiers, dates, relations; no wording), so that the shipped cache can say
# something about them too. The published pairs are those whose ids are known.
PUBLISHED = """31983R1303,implicitly_repeals,31982R2834
31992R3821,implicitly_repeals,31989R3390
32005D0681,implicitly_repeals,32004D0566
32023R2835,implicitly_repeals,32002R1007
32005D0257,extends_validity_of,32000D0256
32011D0171,extends_validity_of,32010D0573
52014XC0312(01),renders_obsolete,31985R1672
52014XC0312(01),renders_obsolete,32006R2008
31987R0569,completes,31985R3143
32000L0048,completes,31986L0362
32009R1135,repeals,32008D0798
32003R0490,repeals,32003R0301
32004D0468R(01),corrects,32004D0468
32008R0950R(01),corrects,32008R0950
32023R2081,extends_application,32014R0833""".splitlines()


def main():
    acts, rows, _ = build()
    for folder in ("acts", "edges"):
        (HERE / folder).mkdir(exist_ok=True)
        for old in (HERE / folder).iterdir():
            old.unlink()
    index = []

    def put(path, data, celex_, flavour, language, notes, taken):
        data = data.encode()
        (HERE / path).write_bytes(data)
        index.append((path, celex_, flavour, language, "written for Legal Link", hashlib.sha256(data).hexdigest(), len(data), notes, taken))

    for act in acts:
        render, ext, flavour = FORMATS[act["flavour"]]
        put(f"acts/{act['celex']}.{act['flavour']}.{ext}", render(act), act["celex"], flavour, "en", "specimen: not law", "2026-11-01")
    table = lambda lines: "\n".join(lines) + "\n"  # noqa: E731
    context = ("amends", "suspends", "derogates")
    relations = [r for r in rows if r[1] not in context]
    others = [r for r in rows if r[1] in context]
    real = [line + ",edges/published_pairs.csv" for line in PUBLISHED]
    head = "source_celex,relation,target_celex,evidence_file"
    put("edges/relations.csv", table([head] + sorted([",".join(r) + ",specimens" for r in relations] + real)), "", "edge-table", "", "specimen rows and real facts", "2026-11-01")
    put("edges/relations_other.csv", table([head] + sorted(",".join(r) + ",specimens" for r in others)), "", "edge-table", "", "specimen rows", "2026-11-01")
    pairs = ["source_celex,relation,target_celex,evidence"] + sorted(",".join(r) + ",metadata" for r in relations)
    put("edges/pairs.csv", table(pairs), "", "pair-table", "", "specimen pairs", "2026-11-01")
    with open(HERE / "INDEX.tsv", "w", newline="") as out:
        w = csv.writer(out, delimiter="\t", lineterminator="\n")
        w.writerow("file celex flavour language source sha256 bytes notes taken".split())
        w.writerows(sorted(index))
    print(f"{len(acts)} acts, {len(rows)} relations")


if __name__ == "__main__":
    main()
