"""The review page: one file that works offline and asks nothing of any other host."""

import base64
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path

from isogloss.review.batch import LONGEST_COMMENT, LONGEST_NAME, QUESTION, VERDICTS, Batch
from isogloss.review.differences import Kind, Piece, differences, shown
from isogloss.review.pairs import ReviewPair
from isogloss.review.workbook import FORMAT, measured, shown_texts
from isogloss.validate.records import Check

_LABELS: dict[Kind, tuple[str, str]] = {
    "removed": ("del", "only in this wording: "),
    "added": ("ins", "only in this wording: "),
}


def write_page(batch: Batch, path: Path) -> None:
    """Write a batch as one HTML file, in which all text from outside is shown as text.

    The content security policy allows the page's own script and style, by hash, and no request.
    """
    path.write_text(page(batch), encoding="utf-8")


def page(batch: Batch) -> str:
    """Return the HTML of a batch."""
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_source(style)}'; script-src '{_source(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    articles = "\n".join(
        _article(pair, number, batch) for number, pair in enumerate(batch.pairs, start=1)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Review of {len(batch.pairs)} pairs</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body data-format="{FORMAT}" data-export="{batch.digest}" data-reviewer="{escape(batch.reviewer)}"
 data-blind="{"yes" if batch.blind else "no"}">
<a class="skip" href="#pairs">Skip to the pair</a>
<header>
<h1>Review of {len(batch.pairs)} pairs</h1>
<details><summary>What to do</summary><p>{escape(QUESTION)}</p>{_guises(batch)}</details>
<noscript><p>This page needs its script. The spreadsheet beside it does not.</p></noscript>
{_controls(batch)}
</header>
{_note(batch)}
<main id="pairs"{" hidden" if batch.content_note else ""}>
{articles}
</main>
<nav aria-label="Pairs">
<button type="button" id="previous">Previous <kbd>k</kbd></button>
<button type="button" id="next">Next <kbd>j</kbd></button>
</nav>
{_help(batch)}
<script>{script}</script>
</body>
</html>
"""


def _resource(name: str) -> str:
    return (files("isogloss.review") / name).read_text(encoding="utf-8")


def _source(content: str) -> str:
    digest = base64.b64encode(sha256(content.encode()).digest()).decode()
    return f"sha256-{digest}"


def _guises(batch: Batch) -> str:
    entries = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in batch.guises.items()
    )
    return f"<dl>{entries}</dl>" if entries else ""


def _controls(batch: Batch) -> str:
    failed = "" if batch.blind else '<option value="failed">failed by the machine</option>'
    return f"""<div class="controls">
<label>Your name <input id="reviewer" autocomplete="name" maxlength="{LONGEST_NAME}"></label>
<label>Show <select id="filter"><option value="all">all</option>
<option value="undecided">undecided</option>{failed}</select></label>
<button type="button" id="download">Download decisions</button>
</div>
<details id="more"><summary>Load, keys, start over</summary>
<div class="controls">
<label class="button">Load decisions <input type="file" id="load" accept=".json"></label>
<label class="check"><input type="checkbox" id="shortcuts" checked> single-key shortcuts</label>
<button type="button" id="help-button">Keys <kbd>?</kbd></button>
<button type="button" id="clear">Start over</button>
</div></details>
<p><label for="bar" id="progress">0 of {len(batch.pairs)} decided</label>
<progress id="bar" max="{max(len(batch.pairs), 1)}" value="0"></progress></p>
<p id="message" role="status"></p>"""


def _note(batch: Batch) -> str:
    if not batch.content_note:
        return ""
    return f"""<section id="note" aria-labelledby="note-title">
<h2 id="note-title">Before you read</h2>
<p dir="auto">{escape(batch.content_note)}</p>
<button type="button" id="show-texts">Show the texts</button>
</section>"""


def _help(batch: Batch) -> str:
    keys = [("j or →", "next pair"), ("k or ←", "previous pair")]
    keys += [(verdict[0], verdict) for verdict in VERDICTS]
    keys += [("c", "comment"), ("Esc", "leave the comment")]
    keys += [] if batch.blind else [("m", "show what the machine found")]
    rows = "".join(f"<tr><td><kbd>{k}</kbd></td><td>{words}</td></tr>" for k, words in keys)
    return f"""<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<table><thead><tr><th scope="col">key</th><th scope="col">does</th></tr></thead>
<tbody>{rows}</tbody></table>
<form method="dialog"><button>Close</button></form>
</dialog>"""


def _article(pair: ReviewPair, number: int, batch: Batch) -> str:
    texts = shown_texts(pair)
    pieces = differences(
        texts["reference_text" if pair.reference else "guise_text"], texts["guise_text"]
    )
    data = {"set": pair.key.item_set, "item": pair.key.item_id, "contrast": pair.key.contrast}
    data |= {"sha256": pair.sha256}
    if not batch.blind:
        data["failed"] = "no" if pair.valid else "yes"
    attributes = " ".join(f'data-{name}="{escape(shown(value))}"' for name, value in data.items())
    context = f'<p class="context text" dir="auto">{escape(texts["context"])}</p>'
    return f"""<article class="pair" id="pair-{number}" {attributes}
 aria-labelledby="title-{number}">
<h2 id="title-{number}" tabindex="-1">Pair {number} of {len(batch.pairs)}</h2>
<p class="key">{escape(str(pair.key))}</p>
{context if pair.context else ""}
<div class="wordings">
{_wording(pair.reference, pieces, "removed") if pair.reference else ""}
{_wording(pair.guise, pieces, "added")}
</div>
{_verdict(number)}
{"" if batch.blind else _machine(pair)}
</article>"""


def _wording(name: str, pieces: Iterable[Piece], kind: Kind) -> str:
    text = "".join(_piece(piece) for piece in pieces if piece.kind in ("same", kind))
    return f"""<section><h3>{escape(name)}</h3>
<p class="text" dir="auto">{text or '<bdi class="empty">(empty)</bdi>'}</p></section>"""


def _piece(piece: Piece) -> str:
    if piece.kind == "same":
        return escape(piece.text)
    blank = piece.text[: len(piece.text) - len(piece.text.lstrip())]
    text = escape(piece.text[len(blank) :] or blank)
    blank = "" if text == blank else blank
    # Inside <bdi> the words for screen readers have no say in the direction of the text.
    element, words = _LABELS[piece.kind]
    return (
        f'{blank}<{element}><bdi class="unseen"> [{words}</bdi>{text}<bdi class="unseen">] </bdi>'
        f"</{element}>"
    )


def _verdict(number: int) -> str:
    choices = "".join(
        f'<label><input type="radio" name="verdict-{number}" value="{verdict}"> {verdict} '
        f"<kbd>{verdict[0]}</kbd></label>"
        for verdict in VERDICTS
    )
    return f"""<fieldset><legend>Verdict</legend>{choices}</fieldset>
<label class="comment">Comment <kbd>c</kbd>
<textarea rows="2" maxlength="{LONGEST_COMMENT}" dir="auto"></textarea></label>"""


def _machine(pair: ReviewPair) -> str:
    rows = "".join(_check(check) for check in pair.checks)
    verdict = "passed" if pair.valid else f"failed: {escape(shown(pair.reason))}"
    return f"""<button type="button" class="reveal">
Show what the machine found <kbd>m</kbd></button>
<div class="machine" tabindex="-1" role="group" aria-label="What the machine found" hidden>
<p>Machine: {verdict}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Measured values">
<table><thead><tr><th scope="col">check</th><th scope="col">value</th>
<th scope="col">must be</th><th scope="col">result</th><th scope="col">reason</th></tr></thead>
<tbody>{rows}</tbody></table></div>
</div>"""


def _check(check: Check) -> str:
    result = "passed" if check.passed else "failed"
    result += ", repaired" if check.repaired else ""
    cells = (measured(check.value), check.threshold, result, shown(check.reason))
    return (
        f'<tr><th scope="row">{escape(check.check)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
    )
