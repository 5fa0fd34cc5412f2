"""`isogloss stimuli`, `validate`, `calibrate` and `inventory` on a small project, one by one."""

import csv
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from tests.command_line import Call, Said, command_line
from tests.score.api.servers import Handler, Loopback, completion
from tests.validate.conftest import encode_letters

from isogloss.inventory.records import INVENTORY_TABLES
from isogloss.project import open_project

KEPT = 3
"""Items of each set in the small project."""
HEDGING, DIALECT = "hedging/own", "dialect/own"
HEDGED = "hedged - confident"
OUT_OF_REACH = "recruitment/published-gender"
VARIABLE = "TEST_SERVER_KEY"
Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def call(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Call]:
    """Call the command line in the small project."""
    with command_line(monkeypatch, capsys) as called:
        yield called


@pytest.fixture
def root(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's declarations, the first items of two authored sets, and an empty mirror."""
    folder = tmp_path / "project"
    for name in ("config", "data/stimuli", "data/guises", "data/lexicons", "data/calibration"):
        shutil.copytree(project / name, folder / name)
    shutil.copy(project / "data/sources.yaml", folder / "data")
    for name in ("hedging", "dialect"):
        path = folder / f"data/stimuli/{name}/items.csv"
        write_rows(path, read_rows(path)[:KEPT])
    (tmp_path / "mirror").mkdir()
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(tmp_path / "mirror"))
    monkeypatch.chdir(folder)
    configure(folder, small)
    return folder


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encode texts by their letters, which takes no model."""
    monkeypatch.setattr("isogloss.models.encoder.load_encoder", lambda *_: encode_letters)


def small(config: dict[str, Any]) -> None:
    """Cut the shipped configuration down to one run, one set beside it, and nothing generated."""
    config["studies"] = {"hedging": config["studies"]["hedging"]}
    config["studies"]["hedging"]["runs"] = [{"items": "own", "models": ["phi-4"]}]
    del config["weat"]
    config["stimuli"] = {"sets": [DIALECT]}


def configure(root: Path, change: Change) -> None:
    """Change the small project's configuration."""
    path = root / "config/config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(config)
    path.write_text(yaml.safe_dump(config), encoding="utf-8")


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def edit(root: Path, study: str, number: int, column: str, text: str) -> str:
    """Put another text into a row of an authored file; return the item's id."""
    path = root / f"data/stimuli/{study}/items.csv"
    rows = read_rows(path)
    assert rows[number][column] != text
    rows[number][column] = text
    write_rows(path, rows)
    return rows[number]["item_id"]


def folder_of(name: str) -> str:
    return f"data/items/{name}"


def make(call: Call, *names: str) -> None:
    """Bring sets into form."""
    for name in names:
        said = call("stimuli", *name.split("/"), "--out", folder_of(name))
        assert (said.status, said.err) == (0, "")


def validated(call: Call, name: str) -> Said:
    """Validate a set; fail the test where that is refused."""
    said = call("validate", *name.split("/"), "--folder", folder_of(name))
    assert said.status == 0, said.err
    return said


def table(root: Path, name: str, what: str) -> pd.DataFrame:
    return pd.read_csv(root / folder_of(name) / f"{what}.csv", keep_default_na=False)


def mistake(said: Said, status: int) -> str:
    """Check that a call ended in one sentence and return it."""
    assert said.status == status
    assert "Traceback" not in said.err
    [line] = said.err.splitlines()
    assert line.startswith("error: ")
    return line


@pytest.mark.usefixtures("letters")
def test_a_number_that_changed_is_found_and_told(root: Path, call: Call) -> None:
    plain = read_rows(root / "data/stimuli/hedging/items.csv")[1]
    assert "2021" in plain["hedged"]
    item = edit(root, "hedging", 1, "hedged", plain["hedged"].replace("2021", "2012"))
    make(call, HEDGING, DIALECT)
    said = validated(call, HEDGING)
    verdicts = table(root, HEDGING, "verdicts").set_index(["contrast", "item_id"])
    assert not verdicts.loc[(HEDGED, item), "valid"]
    assert "number lost: 2021" in verdicts.loc[(HEDGED, item), "reason"]
    others = verdicts.drop(index=(HEDGED, item))
    assert others["valid"].all()
    assert set(others["reason"]) == {""}
    assert said.err.splitlines() == [
        f"own, {HEDGED}: {KEPT - 1} of {KEPT} valid",
        f"own, accent - confident: {KEPT} of {KEPT} valid",
    ]


@pytest.mark.usefixtures("letters")
def test_every_pair_is_checked_for_everything_that_a_verdict_rests_on(
    root: Path, call: Call
) -> None:
    make(call, HEDGING, DIALECT)
    validated(call, HEDGING)
    checks = table(root, HEDGING, "checks")
    ids = {row["item_id"] for row in read_rows(root / "data/stimuli/hedging/items.csv")}
    kinds = set(checks["check"])
    assert {"numbers", "names", "similarity", "guise_markers", "duplicate_across"} <= kinds
    for _, found in checks.groupby("contrast"):
        assert set(found["item_id"]) == ids
        assert not found.duplicated(["item_id", "check"]).any()


@pytest.mark.usefixtures("letters")
def test_a_text_of_another_set_is_no_new_text(root: Path, call: Call) -> None:
    copied = read_rows(root / "data/stimuli/hedging/items.csv")[0]["confident"]
    item = edit(root, "dialect", 0, "sae", copied)
    make(call, HEDGING, DIALECT)
    validated(call, DIALECT)
    verdicts = table(root, DIALECT, "verdicts").set_index("item_id")
    assert f"text close to one of set {HEDGING}: 1.000" in verdicts.loc[item, "reason"]
    checks = table(root, DIALECT, "checks")
    across = checks[checks["check"] == "duplicate_across"].set_index("item_id")["passed"]
    assert across.to_dict() == {i: i != item for i in across.index}


@pytest.mark.usefixtures("letters")
def test_a_set_that_shares_texts_on_purpose_is_not_held_against_it(root: Path, call: Call) -> None:
    copied = read_rows(root / "data/stimuli/hedging/items.csv")[0]["confident"]
    item = edit(root, "dialect", 0, "sae", copied)
    path = root / "data/stimuli/dialect/own.yaml"
    path.write_text(path.read_text(encoding="utf-8") + f"related: [{HEDGING}]\n", encoding="utf-8")
    make(call, HEDGING, DIALECT)
    validated(call, DIALECT)
    checks = table(root, DIALECT, "checks").set_index(["item_id", "check"])
    assert checks.loc[(item, "duplicate_across"), "passed"]


@pytest.mark.usefixtures("letters")
def test_a_set_that_is_declared_and_not_configured_can_be_validated(call: Call) -> None:
    name = "identity/questions"
    make(call, HEDGING, DIALECT, name)
    assert "questions, text: " in validated(call, name).err


@pytest.mark.usefixtures("letters")
def test_thresholds_are_those_of_the_configuration_unless_the_set_has_its_own(
    root: Path, call: Call
) -> None:
    limits = {"max_length_ratio": 1.01, "min_similarity": 0.11}
    configure(root, lambda config: config["stimuli"].update(thresholds=limits))
    path = root / "data/stimuli/dialect/own.yaml"
    own = f"{path.read_text(encoding='utf-8')}    thresholds: {{min_similarity: 0.22}}\n"
    path.write_text(own, encoding="utf-8")
    make(call, HEDGING, DIALECT)
    validated(call, DIALECT)
    checks = table(root, DIALECT, "checks")
    held = {name: set(found["threshold"]) for name, found in checks.groupby("check")}
    assert held["similarity"] == {">= 0.22"}
    assert held["length_ratio"] == {"0.67 to 1.01"}
    verdicts = table(root, DIALECT, "verdicts").set_index("item_id")
    assert not verdicts.loc["work-01", "valid"]  # 13 words beside 12


@pytest.mark.usefixtures("letters")
def test_items_come_before_checks(call: Call) -> None:
    make(call, HEDGING)
    said = call("validate", *DIALECT.split("/"), "--folder", "nowhere")
    assert "nowhere/items.csv" in mistake(said, status=1)


@pytest.mark.usefixtures("letters")
def test_the_items_of_other_sets_come_before_checks(call: Call) -> None:
    make(call, DIALECT)
    said = call("validate", *DIALECT.split("/"), "--folder", folder_of(DIALECT))
    assert f"{folder_of(HEDGING)}/items.csv" in mistake(said, status=1)


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("name", ["hedges", "politeness", "vocabulary"])
def test_a_lexicon_that_is_missing_is_named(root: Path, call: Call, name: str) -> None:
    make(call, HEDGING, DIALECT)
    (root / f"data/lexicons/{name}.yaml").unlink()
    said = call("validate", *HEDGING.split("/"), "--folder", folder_of(HEDGING))
    assert f"data/lexicons/{name}.yaml" in mistake(said, status=1)
    assert not (root / folder_of(HEDGING) / "verdicts.csv").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sets": ["hedging/lent"]}, "stimuli.sets: no item set 'hedging/lent'"),
        ({"sets": ["own"]}, "stimuli.sets.0: "),
        ({"set": [DIALECT]}, "stimuli.set: unknown key; did you mean 'sets'?"),
        ({"thresholds": {"min_similarty": 0.5}}, "did you mean 'min_similarity'?"),
        ({"thresholds": {"min_similarity": "high"}}, "stimuli.thresholds.min_similarity: "),
        ({"judge": "phi-4"}, "model phi-4 is recorded; it cannot be asked"),
    ],
)
@pytest.mark.parametrize("command", ["inventory", "calibrate"])
def test_a_mistake_in_the_section_stimuli_is_one_of_usage(
    root: Path, call: Call, command: str, change: dict[str, Any], said: str
) -> None:
    configure(root, lambda config: config.update(stimuli=change))
    found = call(command)
    assert found.status in (1, 2)
    assert "Traceback" not in found.err
    assert said in found.err
    assert not (root / "data/results").exists()


@pytest.mark.parametrize("command", ["stimuli", "validate"])
@pytest.mark.parametrize("name", ["hedging/lent", "lent/own"])
def test_a_set_that_is_not_declared(call: Call, command: str, name: str) -> None:
    option = "--out" if command == "stimuli" else "--folder"
    said = mistake(call(command, *name.split("/"), option, "x"), status=2)
    assert f"no item set {name} in data/stimuli; there are " in said
    assert HEDGING in said


@pytest.mark.usefixtures("letters")
def test_the_inventory_counts_what_validation_found(root: Path, call: Call) -> None:
    configure(root, lambda config: config["stimuli"]["sets"].append(OUT_OF_REACH))
    plain = read_rows(root / "data/stimuli/hedging/items.csv")[1]
    edit(root, "hedging", 1, "hedged", plain["hedged"].replace("2021", "2012"))
    make(call, HEDGING, DIALECT)
    for name in (HEDGING, DIALECT):
        validated(call, name)
    said = call("inventory")
    assert said.status == 0
    assert said.err.splitlines()[:1] == [f"{HEDGING}: {2 * KEPT - 1} of {2 * KEPT} valid"]
    assert f"{OUT_OF_REACH} was not validated: " in said.err.splitlines()[-1]
    assert "has no public address" in said.err.splitlines()[-1]
    folder = root / "data/results/stimuli"
    assert {path.stem for path in folder.iterdir()} == set(INVENTORY_TABLES)
    sets = pd.read_csv(folder / "sets.csv", keep_default_na=False).set_index("item_set")
    assert list(sets.index) == [HEDGING, DIALECT, OUT_OF_REACH]
    assert list(sets["items"]) == [KEPT, KEPT, 0]
    assert list(sets["status"]) == ["validated", "validated", "out_of_reach"]
    for name in (HEDGING, DIALECT):
        verdicts = table(root, name, "verdicts")
        assert sets.loc[name, "pairs"] == len(verdicts)
        assert sets.loc[name, "valid"] == verdicts["valid"].sum()
    excluded = pd.read_csv(folder / "exclusions.csv")
    assert HEDGING in set(excluded["item_set"])


@pytest.mark.usefixtures("letters")
def test_checks_come_before_the_inventory(root: Path, call: Call) -> None:
    make(call, HEDGING, DIALECT)
    said = mistake(call("inventory"), status=1)
    assert f"{folder_of(HEDGING)}/checks.csv" in said


@pytest.mark.usefixtures("letters")
def test_generated_texts_of_the_configuration_are_made_and_summed_up(
    root: Path, call: Call
) -> None:
    made = {"set": HEDGING, "reference": "confident", "guise": "accent", "items": 2}
    configure(root, lambda config: config["stimuli"].update(generate={"bare": made}))
    opened = open_project(Path("config/config.yaml"), root)
    make(call, HEDGING, DIALECT)
    options = shlex.split(opened.generate_options("bare"))
    done = call("generate", *options, "--out", opened.generated_folder("bare"))
    assert done.status == 0, done.err
    assert all((root / path).is_file() for path in opened.generated_paths())
    for name in (HEDGING, DIALECT):
        validated(call, name)
    assert call("inventory").status == 0
    [row] = read_rows(root / "data/results/stimuli/generated.csv")
    assert (row["name"], row["item_set"], row["items"]) == ("bare", HEDGING, "2")
    assert row["by"].startswith("rule:articles@")


@pytest.mark.usefixtures("letters")
def test_calibration_writes_its_tables_and_says_how_well_the_checks_did(
    root: Path, call: Call
) -> None:
    path = root / "data/calibration/pairs.csv"
    rows = read_rows(path)
    some = [row for row in rows if row["fault"] in ("", "number_lost", "identical")]
    wanted = [*some[:4], *[row for row in some if row["fault"]][:4]]
    kept = list({row["pair_id"]: row for row in wanted}.values())
    write_rows(path, kept)
    said = call("calibrate")
    assert said.status == 0, said.err
    bad = sum(row["label"] == "bad" for row in kept)
    assert bad > 0
    assert f"of {bad} bad pairs failed" in said.err.splitlines()[0]
    opened = open_project(Path("config/config.yaml"), root)
    assert all((root / path).is_file() for path in opened.calibration_paths())
    checks = pd.read_csv(root / opened.calibration_paths()[0])
    assert set(checks["item_id"]) == {row["pair_id"] for row in kept}


class Denying(Loopback):
    """Says that no two texts state the same facts."""

    def answer(self, handler: Handler) -> None:
        handler.reply(200, completion("Answer: No"))


@pytest.mark.usefixtures("letters")
def test_a_judge_is_asked_about_what_passed_and_can_exclude_it(
    root: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "sk-secret-0123456789")
    plain = read_rows(root / "data/stimuli/hedging/items.csv")[1]
    failed = edit(root, "hedging", 1, "hedged", plain["hedged"].replace("2021", "2012"))
    make(call, HEDGING, DIALECT)
    with Denying() as server:
        served = {"backend": "openai", "base_url": server.url, "model": "tiny"}
        served["api_key_env"] = VARIABLE

        def judged(config: dict[str, Any]) -> None:
            config["models"]["served"] = served
            config["stimuli"]["judge"] = "served"

        configure(root, judged)
        validated(call, HEDGING)
        asked = len(server.heard)
        validated(call, HEDGING)
        assert len(server.heard) == asked == 2 * (2 * KEPT - 1)
    verdicts = table(root, HEDGING, "verdicts")
    assert not verdicts["valid"].any()
    reasons = verdicts.set_index(["contrast", "item_id"])["reason"]
    assert "number lost" in reasons.pop((HEDGED, failed))
    assert all("the judge takes the texts for different" in reason for reason in reasons)


@pytest.mark.slow
def test_the_real_encoder_lets_authored_pairs_pass(root: Path, call: Call) -> None:
    make(call, HEDGING, DIALECT)
    for name in (HEDGING, DIALECT):
        validated(call, name)
        verdicts = table(root, name, "verdicts")
        assert verdicts["valid"].all(), list(verdicts["reason"])


@pytest.mark.slow
@pytest.mark.mirror
def test_a_published_set_is_fetched_and_validated_where_a_mirror_has_it(
    root: Path, call: Call, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(mirror))
    configure(root, lambda config: config["stimuli"]["sets"].append(OUT_OF_REACH))
    opened = open_project(Path("config/config.yaml"), root)
    assert OUT_OF_REACH in opened.sets()
    [raw] = opened.item_inputs(*OUT_OF_REACH.split("/"))
    assert call("fetch", Path(raw).parts[2], "--out", raw).status == 0
    make(call, OUT_OF_REACH, HEDGING, DIALECT)
    said = validated(call, OUT_OF_REACH)
    assert "published-gender, agentic: " in said.err
    assert "published-gender, communal: " in said.err
    items = table(root, OUT_OF_REACH, "items")
    verdicts = table(root, OUT_OF_REACH, "verdicts")
    assert sorted(verdicts["item_id"]) == sorted(items["item_id"])
