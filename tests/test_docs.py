"""The reference pages name every setting, source field, table and column, and nothing else.

The files that cite the project agree on its version.
"""

import dataclasses
import datetime
import re
import tomllib
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from isogloss.analysis.designs import tables_of
from isogloss.analysis.families import Adjusted
from isogloss.analysis.personas import records as personas
from isogloss.analysis.records import Cell, MissingCounts, columns_of
from isogloss.audit.grid import grid_of, read_attributes, read_backgrounds
from isogloss.audit.record.computations import COLUMNS as COMPUTATIONS
from isogloss.config.schema import (
    EncoderConfig,
    OpenAIModel,
    Prices,
    RecordedModel,
    Run,
    Sections,
    TransformersModel,
)
from isogloss.config.stimuli import Generated, StimuliSettings
from isogloss.config.thresholds import Thresholds
from isogloss.config.weat import (
    ArrayFileVectors,
    EncoderVectors,
    GuiseTexts,
    PackageVectors,
    TextFileVectors,
    WeatContrast,
    WeatSettings,
)
from isogloss.errors import ConfigurationError
from isogloss.fetch.sources import FileSource, PackageSource
from isogloss.guises.definition import Density, Device, GuiseDefinition
from isogloss.inventory.records import INVENTORY_TABLES
from isogloss.mixed.records import MIXED_TABLES
from isogloss.models.identity import ModelIdentity
from isogloss.models.served import ServedIdentity
from isogloss.reproduce.findings import (
    NumberDifference,
    Reproduction,
    Rescored,
    TableComparison,
    TextDifference,
    VerdictChange,
)
from isogloss.score.responses import SCHEMA
from isogloss.stimuli.sets import Compared, StimulusSet
from isogloss.studies.hedging.settings import (
    AnalysisSettings,
    HedgingSettings,
    InterviewSettings,
    ReasonedSettings,
    ScoringSettings,
)
from isogloss.studies.recruitment import settings as recruitment
from isogloss.validate.calibration import CHECK_MEASURES, ERROR_COLUMNS, VERDICT_MEASURES
from isogloss.validate.records import CHECK_NAMES
from isogloss.validate.table import CHECK_COLUMNS, VERDICT_COLUMNS
from isogloss.weat.records import WEAT_TABLES

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
GROUPS = {
    "cell": columns_of(Cell),
    "block": columns_of(personas.PersonaCell),
    "adjusted": columns_of(Adjusted),
    "missing": columns_of(MissingCounts),
    "standing": ["status", "reason", "method"],
}
"""Groups of columns that many result tables have, under the names of tables.md."""

DIFFERENCE = [
    c for c in columns_of(personas.Tested) if c not in {n for g in GROUPS.values() for n in g}
]
"""A further group, which has a table of its own."""

SETTINGS: dict[str, list[tuple[str, type[BaseModel]]]] = {
    "The run": [("", Sections)],
    "`encoder`": [("", EncoderConfig)],
    "`backend: transformers`: a model that runs here": [("", TransformersModel)],
    "`backend: openai`: a server with OpenAI's chat completions": [
        ("", OpenAIModel),
        ("prices.", Prices),
    ],
    "`backend: recorded`: responses that others collected": [("", RecordedModel)],
    "`studies.hedging`": [("", HedgingSettings), ("runs[].", Run)],
    "`scoring`": [
        ("", ScoringSettings),
        ("reasoned.", ReasonedSettings),
        ("interviews.", InterviewSettings),
    ],
    "`analysis`": [("", AnalysisSettings)],
    "`studies.recruitment`": [("", recruitment.RecruitmentSettings), ("runs[].", Run)],
    "`scoring` of recruitment": [
        ("", recruitment.ScoringSettings),
        ("ablations.", recruitment.AblationSettings),
        ("generated.", recruitment.GeneratedSettings),
    ],
    "`analysis` of recruitment": [("", recruitment.AnalysisSettings)],
    "`weat`": [("", WeatSettings)],
    "`weat.embeddings`: `kind: package`": [("", PackageVectors)],
    "`weat.embeddings`: `kind: text`": [("", TextFileVectors)],
    "`weat.embeddings`: `kind: npy`": [("", ArrayFileVectors)],
    "`weat.embeddings`: `kind: encoder`": [("", EncoderVectors)],
    "`weat.contrasts`": [("", WeatContrast), ("guise.", GuiseTexts), ("reference.", GuiseTexts)],
    "`data/sources.yaml`": [("", FileSource), ("", PackageSource)],
    "`stimuli`": [("", StimuliSettings)],
    "`stimuli.thresholds`": [("", Thresholds)],
    "`stimuli.generate`": [("", Generated)],
    "`data/stimuli/<study>/<set>.yaml`": [("", StimulusSet), ("compare[].", Compared)],
    "`data/guises/<guise>.yaml`": [
        ("", GuiseDefinition),
        ("devices[].", Device),
        ("density.", Density),
    ],
}
"""Headings of configuration.md and the records whose fields they list, each with its prefix."""

EVERY_STUDY = "Results of every study"

CHAPTERS: dict[str, dict[str, type[Any]]] = {
    "Results of a study without personas": dict(tables_of("paired")),
    "Results of a study with personas": dict(tables_of("personas")),
    EVERY_STUDY: MIXED_TABLES,
    "Stimuli: `data/results/stimuli/`": INVENTORY_TABLES,
    "Association tests: `data/results/weat/`": WEAT_TABLES,
}
"""Chapters of tables.md with their tables; those that chapters share stand in `EVERY_STUDY`."""

PARTS_OF_A_TABLE = {"numbers": NumberDifference, "texts": TextDifference, "verdicts": VerdictChange}

Row = dict[str, str]


def section(name: str, heading: str) -> str:
    """Return what stands below a heading of a page, up to the next heading."""
    text = (DOCS / name).read_text(encoding="utf-8")
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{name} has no heading {heading!r}"
    return found[1]


def tables(text: str) -> list[list[Row]]:
    """Return the pipe tables of a text, each as rows by column title."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        lines = [
            [cell.strip() for cell in line.strip("|").split(" | ")] for line in block.splitlines()
        ]
        found.append([dict(zip(lines[0], line, strict=False)) for line in lines[2:]])
    return found


def names(cell: str) -> list[str]:
    """Return what a cell sets as code."""
    return re.findall(r"`([^`]+)`", cell)


def settings_of(parts: list[tuple[str, type[BaseModel]]]) -> dict[str, FieldInfo]:
    """Return the fields of records by their keys in the configuration."""
    fields = {
        f"{prefix}{name}": field
        for prefix, record in parts
        for name, field in record.model_fields.items()
    }
    return {
        name: f for name, f in fields.items() if not any(n.startswith(f"{name}.") for n in fields)
    }


def default_of(field: FieldInfo) -> str | None:
    """Return a default as the page writes it, or None where the page uses words."""
    value = field.default
    if value is PydanticUndefined:
        return "required"
    if value is None or isinstance(value, bool):
        return {None: "`null`", True: "`true`", False: "`false`"}[value]
    if value == "":
        return None
    return f"`{value}`" if isinstance(value, str | int | float | datetime.date) else None


@pytest.mark.parametrize("heading", SETTINGS)
def test_every_setting_is_described(heading: str) -> None:
    (rows,) = tables(section("configuration.md", heading))
    fields = settings_of(SETTINGS[heading])
    assert sorted(names(row["key"])[0] for row in rows) == sorted(fields)


def test_the_files_of_an_audit_are_as_described(tmp_path: Path) -> None:
    text = section("configuration.md", "Personas and backgrounds of an audit")
    examples = re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)
    paths = tmp_path / "personas.yaml", tmp_path / "backgrounds.yaml"
    for path, example in zip(paths, examples, strict=True):
        path.write_text(example, encoding="utf-8")
    grid = grid_of(read_attributes(paths[0]), read_backgrounds(paths[1]))
    assert [len(grid.personas), len(grid.backgrounds)] == [4, 2]
    (attribute,) = yaml.safe_load(examples[0])["attributes"].values()
    described = [[names(row["key"])[0] for row in rows] for rows in tables(text)]
    assert described == [["attributes", *attribute], ["backgrounds"]]


@pytest.mark.parametrize("key", ["label", "values", "reference"])
def test_a_key_of_an_audit_s_personas_is_required(key: str, tmp_path: Path) -> None:
    attribute = {"label": "Age", "values": {"young": "24", "older": "58"}, "reference": "young"}
    del attribute[key]
    path = tmp_path / "personas.yaml"
    path.write_text(yaml.safe_dump({"attributes": {"age": attribute}}), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=key):
        read_attributes(path)


@pytest.mark.parametrize("heading", SETTINGS)
def test_every_default_is_the_real_one(heading: str) -> None:
    (rows,) = tables(section("configuration.md", heading))
    fields = settings_of(SETTINGS[heading])
    shown = {names(row["key"])[0]: row["default"] for row in rows}
    defaults = {name: default for name, f in fields.items() if (default := default_of(f))}
    differing = {
        name: (shown[name], default)
        for name, default in defaults.items()
        if not same(shown[name], default) and name != "kind"
    }
    assert differing == {}


def same(shown: str, default: str) -> bool:
    """Say whether two defaults are equal, numbers by value."""
    try:
        return float(shown.strip("`")) == float(default.strip("`"))
    except ValueError:
        return shown == default


def table_sections(heading: str) -> dict[str, str]:
    """Return what a chapter of tables.md says of each table."""
    text = (DOCS / "tables.md").read_text(encoding="utf-8")
    chapter = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert chapter is not None, f"tables.md has no chapter {heading!r}"
    found = re.findall(r"^### `(\w+)\.csv`[^\n]*\n(.*?)(?=^### |\Z)", chapter[1], re.M | re.S)
    assert len(dict(found)) == len(found), f"{heading}: a table is described twice"
    return dict(found)


def described_columns(body: str) -> list[str]:
    """Return the columns that the description of a table names, those of its groups included."""
    (rows,) = tables(body)
    shared = re.search(r"Columns:\s(.*?) and\n", body, flags=re.DOTALL)
    groups = {**GROUPS, "difference": DIFFERENCE}
    named = re.findall(rf"\b({'|'.join(groups)})\b", shared[1]) if shared else []
    return [
        *(column for group in named for column in groups[group]),
        *(column for row in rows for column in names(row["column"])),
    ]


@pytest.mark.parametrize(
    ("heading", "name"), [(heading, name) for heading, all_ in CHAPTERS.items() for name in all_]
)
def test_every_column_of_a_result_table_is_described(heading: str, name: str) -> None:
    own, shared = table_sections(heading), table_sections(EVERY_STUDY)
    columns = described_columns(own[name] if name in own else shared[name])
    assert sorted(columns) == sorted(columns_of(CHAPTERS[heading][name]))


@pytest.mark.parametrize("heading", CHAPTERS)
def test_no_table_is_described_that_is_not_there(heading: str) -> None:
    everywhere = set.intersection(*(set(tables_of(one)) for one in ("paired", "personas")))
    known = {*CHAPTERS[heading], *(everywhere if heading == EVERY_STUDY else ())}
    assert set(table_sections(heading)) - known == set()


def test_the_columns_of_a_difference_are_described() -> None:
    (rows,) = tables(section("tables.md", "Columns of a difference"))
    assert [column for row in rows for column in names(row["column"])] == DIFFERENCE


def test_the_groups_of_columns_are_described() -> None:
    (rows,) = tables(section("tables.md", "Results: `data/results/<study>/`"))
    assert {row["group"]: names(row["columns"]) for row in rows} == GROUPS


def test_every_column_of_the_responses_is_described() -> None:
    heading = "Responses: `data/responses/<study>/<item set>/<model>.parquet`"
    rows, of_recruitment = tables(section("tables.md", heading))
    described = [(names(row["column"])[0], row["null"] == "yes") for row in rows]
    assert described == [(field.name, field.nullable) for field in SCHEMA]
    assert {names(row["column"])[0] for row in of_recruitment} <= {name for name, _ in described}


def test_every_check_and_its_columns_are_described() -> None:
    *_, checks, verdicts, kinds = tables(
        section("tables.md", "Items: `data/items/<study>/<item set>/`")
    )
    assert [c for row in checks for c in names(row["column"])] == CHECK_COLUMNS
    assert [c for row in verdicts for c in names(row["column"])] == VERDICT_COLUMNS
    assert [name for row in kinds for name in names(row["check"])] == list(CHECK_NAMES)


def test_every_column_of_a_calibration_is_described() -> None:
    found = tables(section("tables.md", "Calibration: `data/results/calibration/`"))
    described = [[c for row in rows for c in names(row["column"])] for rows in found]
    expected = [CHECK_MEASURES, VERDICT_MEASURES, ERROR_COLUMNS]
    assert [sorted(columns) for columns in described] == [sorted(columns) for columns in expected]


def test_every_column_of_an_audit_s_computations_is_described() -> None:
    (rows,) = tables(section("tables.md", "An audit: `computations.csv`"))
    assert [c for row in rows for c in names(row["column"])] == list(COMPUTATIONS)


def test_every_field_of_a_reproduction_is_described() -> None:
    heading = "Reproduction: `isogloss reproduce --json`, `--out FILE.json`"
    whole, rescored, compared = tables(section("tables.md", heading))
    described = [
        sorted(name for row in rows for name in names(row["field"]))
        for rows in (whole, rescored, compared)
    ]
    kinds = (Reproduction, Rescored, TableComparison)
    fields = [{field.name for field in dataclasses.fields(kind)} for kind in kinds]
    assert described == [sorted(fields[0] | {"schema", "status"}), *map(sorted, fields[1:])]


@pytest.mark.parametrize(("field", "kind"), PARTS_OF_A_TABLE.items())
def test_what_a_reproduction_says_of_columns_is_described(field: str, kind: type[Any]) -> None:
    heading = "Reproduction: `isogloss reproduce --json`, `--out FILE.json`"
    (row,) = (r for r in tables(section("tables.md", heading))[2] if field in names(r["field"]))
    assert set(names(row["meaning"])) == {one.name for one in dataclasses.fields(kind)}


@pytest.mark.parametrize(
    ("heading", "identity"),
    [
        ("Fields of a model that runs here", ModelIdentity),
        ("Fields of a model behind a server", ServedIdentity),
    ],
)
def test_every_field_of_a_model_is_described(heading: str, identity: type[Any]) -> None:
    (rows,) = tables(section("tables.md", heading))
    described = [(name, row["null"] == "yes") for row in rows for name in names(row["field"])]
    optional = {name: type(None) in get_args(h) for name, h in get_type_hints(identity).items()}
    fields = {field.name: optional[field.name] for field in dataclasses.fields(identity)}
    assert dict(described) == {**fields, "digest": False}
    assert len(described) == len(fields) + 1


def test_the_map_leads_to_every_page_and_decision() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = {(DOCS / target).resolve() for target in re.findall(r"\]\(([^)#\s]+)\)", text)}
    made = {DOCS / "index.md", *(DOCS / "benchmarks").glob("*.md")}
    assert set(DOCS.glob("**/*.md")) - linked - made == set()
    assert (DOCS / "how-to/auditor.md") in linked


@pytest.mark.parametrize("path", sorted((DOCS / "decisions").glob("*.md")), ids=lambda p: p.stem)
def test_the_map_has_the_titles_of_decisions(path: Path) -> None:
    title = path.read_text(encoding="utf-8").splitlines()[0].split(". ", 1)[1]
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    assert f"(decisions/{path.name}) | {title} |" in text


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"authors", "message", "title"} <= set(citation)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == settings["version"]
    assert citation["license"] == settings["license"]
    assert f"## {settings['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
