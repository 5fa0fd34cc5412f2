"""The chain: fetch, stimuli, validate, score, analysis, weat, glmm, report, record."""

import os
from pathlib import Path

from snakemake.exceptions import WorkflowError

from isogloss.errors import IsoglossError
from isogloss.project import open_project
from isogloss.record.code import code_list
from isogloss.record.hashing import hash_bytes
from isogloss.record.run_lock import run_lock
from isogloss.stage_code import code_digest
from isogloss.stage_outputs import JOB

if set(config) - {"file"}:
    raise WorkflowError(
        f"unknown key {min(set(config) - {'file'})!r}: settings stand in config/config.yaml; "
        "name another file with --config file=PATH"
    )
CONFIG = config.get("file", "config/config.yaml")
try:
    project = open_project(Path(CONFIG))
except IsoglossError as error:
    raise WorkflowError(str(error))


wildcard_constraints:
    study=project.pattern(project.folders()),
    made=project.pattern(project.config.stimuli.generate),
    model=project.pattern(project.config.models),
    source=project.pattern(project.sources),


os.environ[JOB] = "yes"


onstart:
    run_lock(Path.cwd())


rule all:
    input:
        project.artifacts(),
        "reports/_generated",
        "reports/_variables.yml",
        "reports/_site",
        "data/code.sha256",
        "dvc.yaml",
        "dvc.lock",
    message:
        "Every artifact is here and recorded."


include: "workflow/rules/fetch.smk"
include: "workflow/rules/stimuli.smk"
include: "workflow/rules/validate.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/analysis.smk"
include: "workflow/rules/weat.smk"
include: "workflow/rules/glmm.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/record.smk"
