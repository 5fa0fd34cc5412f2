"""`isogloss verify`: the chain from the report back to its sources, checked link by link."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.options import (
    DEFAULT_CONFIG,
    ConfigOption,
    require_named,
    schema_option,
    workflow_options,
)


def verify(
    config: ConfigOption = DEFAULT_CONFIG,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    schema: Annotated[  # noqa: ARG001
        bool, schema_option("isogloss.record", "verify.schema.json")
    ] = False,
    commit: Annotated[
        bool | None,
        typer.Option(
            "--commit/--no-commit",
            help=(
                "Demand that every committed file stands here as committed, or compare nothing "
                "with git. By default dvc.yaml and dvc.lock have to be those of the commit or of "
                "a run in this folder."
            ),
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            help=(
                "File with the public keys of which one has to have signed dvc.lock. By default "
                "a signature that is there is checked with your own keys."
            ),
            show_default=False,
        ),
    ] = None,
    models: Annotated[
        bool, typer.Option(help="Hash the files of recorded models, where they are at hand.")
    ] = True,
    workflow: Annotated[
        bool, typer.Option(help="Ask Snakemake whether the rules are the recorded ones.")
    ] = True,
    report: Annotated[
        bool, typer.Option(help="Compare the pages number by number with what they were made from.")
    ] = True,
) -> None:
    """Check artifacts, commit, sources, models, versions, workflow and report against the record.

    Names whatever differs. Exit status: 0 verified, 1 something differs, 2 something could not be
    checked.
    """
    from isogloss.record.chain import default_checks, render, to_json, verify_chain
    from isogloss.record.checks.signature import SIGNATURE, SignatureCheck

    require_named(config)
    asked = {
        "commit": commit is not False,
        "models": models,
        "workflow": workflow,
        "report": report,
    }
    checks = default_checks(
        options=workflow_options(config), config=config, commit_demanded=commit is True
    )
    if key is not None or Path(SIGNATURE).exists():
        checks = (*checks, SignatureCheck(key))
    left_out = [name for name, wanted in asked.items() if not wanted]
    chain = verify_chain(Path.cwd(), checks, left_out)
    typer.echo(to_json(chain) if json else render(chain))
    raise typer.Exit(chain.exit_code)
