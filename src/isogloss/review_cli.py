"""`isogloss review`: hand pairs to people, and take their decisions back."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from isogloss.errors import ConfigurationError, ItemError
from isogloss.options import out_folder
from isogloss.review.agreement import Agreement, Disagreement, agreements, disagreements
from isogloss.review.decisions import REVIEWS, append_decisions, by_record, read_decisions
from isogloss.review.pairs import ReviewPair, read_pairs, set_name
from isogloss.stimuli.sets import DeclaredSet, load_sets

review_app = typer.Typer(
    name="review",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Let people review pairs of wordings, and keep what they decide.",
)

ITEMS_ROOT, GUISES, SETS = Path("data/items"), Path("data/guises"), Path("data/stimuli")
MOST_LISTED = 20
"""Most disagreements that are printed."""

DecisionsOption = Annotated[
    Path | None,
    typer.Option(
        "--decisions",
        help="Record of decisions (CSV); without it, data/reviews/ and each set's name.",
    ),
]


SetsOption = Annotated[Path, typer.Option(help="Folder of the declarations of item sets.")]


@review_app.command("export")
def export_pairs(
    items: Annotated[
        list[Path],
        typer.Argument(metavar="ITEMS...", help="Folders with items, checks and verdicts."),
    ],
    out: Annotated[Path, out_folder("Folder to write review.xlsx and review.html into.")],
    reviewer: Annotated[str, typer.Option(help="Name of the person whom it is for.")] = "",
    contrast: Annotated[
        list[str] | None, typer.Option(help="Contrast to review; without it, all of them.")
    ] = None,
    sample: Annotated[int | None, typer.Option(help="Pairs to draw at random.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    blind: Annotated[
        bool, typer.Option("--blind", help="Leave out everything that the machine found.")
    ] = False,
    content_note: Annotated[
        str, typer.Option(help="What to say before the texts, beside what their sets declare.")
    ] = "",
    guises: Annotated[Path, typer.Option(help="Folder of guise definitions.")] = GUISES,
    sets: SetsOption = SETS,
) -> None:
    """Write a spreadsheet and an offline page with pairs to review.

    What the machine found is folded away: the page shows it once a verdict is given, so that people
    are not led by it. With --blind it is not in the files at all.
    """
    from isogloss.review.batch import Batch, clean_name, describe_guises
    from isogloss.review.export import write_batch
    from isogloss.review.pairs import sample as draw

    _require_named(guises, GUISES)
    _require_named(sets, SETS)
    declared = load_sets(sets)
    pairs = draw(_chosen(_pairs(items, declared), contrast), sample, seed)
    named = clean_name(reviewer) if reviewer.strip() else ""
    described = describe_guises(pairs, guises)
    batch = Batch(pairs, described, named, blind, _notes(content_note, pairs, declared))
    for path in write_batch(batch, out):
        typer.echo(path)


@review_app.command("import")
def import_decisions(
    file: Annotated[Path, typer.Argument(help="Filled-in review.xlsx, or the page's download.")],
    reviewer: Annotated[str, typer.Option(help="Who decided.")],
    items: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of an item set; without it, data/items/ and the set's name."),
    ] = None,
    date: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"],
            help="When a spreadsheet was filled in (UTC); without it, now.",
        ),
    ] = None,
    decisions: DecisionsOption = None,
    sets: SetsOption = SETS,
) -> None:
    """Add the decisions of a filled-in file to the record, and say how far reviewers agree.

    The whole file is checked first; nothing of it is recorded when a row is at fault. Importing a
    file again adds nothing.
    """
    from isogloss.review.accept import accept, item_sets
    from isogloss.review.batch import clean_name
    from isogloss.review.filled import read_filled

    _require_named(sets, SETS)
    name = clean_name(reviewer)
    filled = read_filled(file)
    folders = items or [ITEMS_ROOT / item_set for item_set in item_sets(filled)]
    given = accept(filled, _pairs(folders, load_sets(sets)), name, datetime.now(UTC), date)
    records = by_record(given.decisions, decisions)
    done = [append_decisions(path, made) for path, made in records.items()]
    added, present = sum(one.added for one in done), sum(one.present for one in done)
    typer.echo(
        f"{name}: {_counted(added, 'decision')} added, {present} already there, "
        f"{_counted(given.undecided, 'pair')} without a verdict"
    )
    _say(records)


@review_app.command("show")
def show_agreement(decisions: DecisionsOption = None) -> None:
    """Say how far reviewers agree, and list where they do not.

    Without --decisions, over every record in data/reviews/.
    """
    records = [decisions] if decisions is not None else sorted(REVIEWS.glob("*/*.csv"))
    missing = [path for path in records if not path.is_file()] or ([] if records else [REVIEWS])
    if missing:
        raise ConfigurationError(f"{missing[0]}: no decisions; import them first")
    _say(records)


def _require_named(folder: Path, usual: Path) -> None:
    if folder != usual and not folder.is_dir():
        raise ConfigurationError(f"{folder}: no such folder; name one that exists")


def _pairs(folders: Sequence[Path], sets: Mapping[str, DeclaredSet]) -> tuple[ReviewPair, ...]:
    found: list[ReviewPair] = []
    for folder in map(_folder, folders):
        declared = sets.get(set_name(folder))
        found += read_pairs(folder, declared.content if declared is not None else None)
    keys = [pair.key for pair in found]
    if len(set(keys)) < len(keys):
        repeated = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise ItemError(f"{repeated}: two pairs of that name; give every item set once")
    return tuple(found)


def _notes(note: str, pairs: Sequence[ReviewPair], sets: Mapping[str, DeclaredSet]) -> str:
    """Return the content note given, and those that the sets of the pairs declare."""
    names = dict.fromkeys(pair.key.item_set for pair in pairs)
    declared = [sets[name].content.content_note for name in names if name in sets]
    return "\n".join(dict.fromkeys(filter(None, (one.strip() for one in (note, *declared)))))


def _folder(path: Path) -> Path:
    folder = path.parent if path.name == "items.csv" else path
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: no such folder of items; run validate first")
    return folder


def _chosen(pairs: Sequence[ReviewPair], contrasts: list[str] | None) -> list[ReviewPair]:
    known = dict.fromkeys(pair.key.contrast for pair in pairs)
    for name in contrasts or ():
        if name not in known:
            raise ConfigurationError(f"no contrast {name!r}; there are: {', '.join(known)}")
    return [pair for pair in pairs if not contrasts or pair.key.contrast in contrasts]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _say(records: Iterable[Path]) -> None:
    decisions = [decision for path in records for decision in read_decisions(path)]
    for compared in agreements(decisions):
        typer.echo(_agreement(compared))
    found = disagreements(decisions)
    for one in found[:MOST_LISTED]:
        typer.echo(_disagreement(one))
    if len(found) > MOST_LISTED:
        typer.echo(f"  and {len(found) - MOST_LISTED} more")


def _agreement(compared: Agreement) -> str:
    kappa = compared.kappa
    words = f"{compared.first} and {compared.second}, {compared.scale}: n {kappa.n}"
    if kappa.n:
        words += f", agreement {compared.observed:.3f} (by chance {compared.expected:.3f})"
    if kappa.estimate == kappa.estimate:
        words += f", kappa {kappa.estimate:.3f}"
    if kappa.status == "ok":
        return f"{words}, 95 % interval {kappa.low:.3f} to {kappa.high:.3f}"
    return f"{words} ({kappa.reason})"


def _disagreement(found: Disagreement) -> str:
    said = "; ".join(
        f"{decision.reviewer} {decision.verdict}"
        + (f" ({' '.join(decision.comment.split())[:100]})" if decision.comment else "")
        for decision in found.decisions
    )
    return f"  {found.key}: {said}"
