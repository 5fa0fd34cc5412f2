"""A small project with every link of the chain: sources, a model, tables, figures, a page."""

import hashlib
import json
import shutil
from importlib import metadata
from pathlib import Path

import yaml
from tests.record.conftest import (
    GITIGNORE,
    LIST_CODE,
    PROFILE,
    ROOT,
    Project,
)
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

SNAKEFILE = """\
import sys

RECORD = "from pathlib import Path; from isogloss.record.recording import record; record(Path())"
MODEL = [f"models/toy/{name}" for name in ("config.json", "model.safetensors", "tokenizer.json")]


rule all:
    input:
        "reports/_site",
        "data/code.sha256",
        "dvc.lock",


rule fetch:
    input:
        "upstream/ratings.csv",
    output:
        "data/raw/ratings/ratings.csv",
    shell:
        "cp {input} {output}"


rule identify:
    input:
        MODEL,
    output:
        "data/models/toy.json",
    shell:
        "{sys.executable} make.py identify {output}"


rule score:
    input:
        "data/raw/ratings/ratings.csv",
        "data/models/toy.json",
    output:
        "data/responses/toy/own/toy.parquet",
    shell:
        "{sys.executable} make.py score {input[0]} {output}"


rule analysis:
    input:
        "data/responses/toy/own/toy.parquet",
    output:
        "data/results/toy/effects.csv",
        "data/results/toy/plan.json",
    shell:
        "{sys.executable} make.py analysis {input} {output}"


rule parts:
    input:
        "data/results/toy/effects.csv",
    output:
        directory("reports/_generated"),
    shell:
        "{sys.executable} make.py parts {input} {output}"


rule report:
    input:
        "reports/_generated",
        "data/sources.yaml",
    output:
        directory("reports/_site"),
    shell:
        "{sys.executable} make.py report {input[0]} {output}"


rule record:
    input:
        "reports/_site",
        "data/code.sha256",
        "data/results/toy/plan.json",
    output:
        "dvc.yaml",
        "dvc.lock",
    shell:
        "{sys.executable} -c '{RECORD}'"
"""
SNAKEFILE += LIST_CODE

MAKE = """\
import hashlib
import json
import sys
from pathlib import Path

import pandas as pd

command, *paths = sys.argv[1:]
out = Path(paths[-1])
if command == "identify":
    out.write_text(Path("models/manifest.json").read_text())
elif command == "score":
    pd.read_csv(paths[0]).to_parquet(out)
elif command == "analysis":
    effect = pd.read_parquet(paths[0])["rating"].diff().iloc[1:]
    effect.to_frame("estimate").to_csv(paths[1], index=False, lineterminator="\\n")
    out.write_text(json.dumps({"alpha": 0.05}) + "\\n")
elif command == "parts":
    out.mkdir()
    [estimate] = pd.read_csv(paths[0])["estimate"]
    for name, width in (("one", 4), ("two", 7)):
        (out / f"{name}.svg").write_text(f'<svg width="{width}"><title>é</title></svg>\\n')
    (out / "effect.md").write_text(f"{estimate:.2f}\\n")
elif command == "report":
    out.mkdir()
    text = (Path(paths[0]) / "effect.md").read_text().strip()
    (out / "index.html").write_text(f"<h1>Effect</h1>\\n<p>It is <b>{text}</b>.</p>\\n")
    for name in ("one", "two"):
        (out / f"{name}.svg").write_bytes((Path(paths[0]) / f"{name}.svg").read_bytes())
"""

TEMPLATE = "{{ messages[0].content }}"


def write_chain_project(folder: Path) -> Project:
    """Write everything that git keeps; nothing has run."""
    project = Project(folder)
    for name in ("upstream", "data", "models/toy", "profiles/default", ".dvc"):
        project.path(name).mkdir(parents=True)
    for name in (".dvc/config", ".dvc/.gitignore", ".dvcignore"):
        shutil.copy(ROOT / name, project.path(name))
    for name, text in {
        "Snakefile": SNAKEFILE,
        "make.py": MAKE,
        "profiles/default/config.yaml": PROFILE,
        ".gitignore": f"{GITIGNORE}/data/models/\n/reports/_generated/\n",
        "upstream/ratings.csv": "item,rating\nfirst,3.25\nsecond,3.75\n",
        "constraints.txt": _installed(),
    }.items():
        project.path(name).write_text(text, encoding="utf-8")
    ratings = project.path("upstream/ratings.csv").read_bytes()
    project.path("data/sources.yaml").write_text(yaml.safe_dump({"ratings": _pin(ratings)}))
    _write_model(project.path("models/toy"))
    return project


def _installed() -> str:
    """The versions of this environment, whatever they are, as a constraints file."""
    found = {one.metadata["Name"]: one.version for one in metadata.distributions()}
    return "# Made for a test.\n" + "".join(f"{name}=={v}\n" for name, v in sorted(found.items()))


def _pin(content: bytes) -> dict[str, object]:
    return {
        "kind": "file",
        "title": "Ratings",
        "url": None,
        "mirror": "published/ratings.csv",
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "licence": "CC0-1.0",
        "citation": "nobody2026",
    }


def _write_model(folder: Path) -> None:
    tokenizer = Tokenizer(WordLevel({"<unk>": 0, "yes": 1, "no": 2}, unk_token="<unk>"))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text('{"model_type": "llama"}\n')
    (folder / "model.safetensors").write_bytes(bytes(range(256)))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "<unk>"})
    )
    manifest = {
        "name": "toy",
        "backend": "transformers",
        "origin": "models/toy",
        "weights_sha256": _sha256(bytes(range(256))),
        "tokenizer_sha256": _sha256(tokenizer.to_str().encode()),
        "chat_template_sha256": _sha256(TEMPLATE.encode()),
        "default_system_message": None,
        "architecture": "LlamaForCausalLM",
        "n_parameters": 1,
        "dtype": "float32",
        "transformers": metadata.version("transformers"),
        "torch": metadata.version("torch"),
        "settings_sha256": _sha256(
            f"config.json {_sha256((folder / 'config.json').read_bytes())}\n".encode()
        ),
        "adapter_sha256": None,
        "date": None,
        "device": "cpu",
    }
    decisive = ("weights", "tokenizer", "chat_template")
    lines = [*(str(manifest[f"{part}_sha256"]) for part in decisive), "float32"]
    manifest["digest"] = _sha256("\n".join([*lines, str(manifest["settings_sha256"])]).encode())
    (folder.parent / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
