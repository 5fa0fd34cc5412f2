"""The commands that put a recorded run into a package, check one, and sign a record."""

import logging
from pathlib import Path
from typing import Annotated

import typer

from isogloss.errors import IsoglossError
from isogloss.options import QuietOption, schema_option

logger = logging.getLogger("isogloss")

KeyOption = Annotated[
    str | None, typer.Option("--sign", metavar="gpg:KEY", help="Sign with this GnuPG key.")
]


def package(
    out: Annotated[
        Path | None,
        typer.Option(help="Package to write: a file when the name ends in .zip, else a folder."),
    ] = None,
    key: KeyOption = None,
    verify: Annotated[
        Path | None, typer.Option(help="Check this package instead of writing one.")
    ] = None,
    signature: Annotated[
        Path | None, typer.Option(help="With --verify: detached signature of the package.")
    ] = None,
    keys: Annotated[
        Path | None,
        typer.Option("--key", help="With --verify: file of public keys; else those of GnuPG."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="With --verify: print the outcome as JSON.")
    ] = False,
    schema: Annotated[  # noqa: ARG001
        bool, schema_option("isogloss.crate", "package-check.schema.json")
    ] = False,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Put the recorded run into a Workflow Run RO-Crate, or check one.

    A run that does not verify is not packaged. Files from sources that may not be handed on are
    described by their hashes and left out.

    Exit status: 0 done or verified, 1 something differs, 2 it could not be checked or written.
    """
    if (out is None) == (verify is None):
        raise typer.BadParameter("give either --out with the package to write, or --verify")
    if verify is None and (signature or keys or json):
        raise typer.BadParameter("--signature, --key and --json go with --verify")
    if verify is not None and key is not None:
        raise typer.BadParameter("--sign goes with --out")
    if keys is not None and signature is None:
        raise typer.BadParameter("--key goes with --signature")
    if out is not None:
        _write(out, key)
    elif verify is not None:
        _check(verify, signature, keys, json)


def _write(out: Path, scheme: str | None) -> None:
    from isogloss.crate.package import package as write_package
    from isogloss.crate.signing import key_of
    from isogloss.crate.terms import terms_of
    from isogloss.fetch.sources import load_sources
    from isogloss.record.findings import render
    from isogloss.record.verify import verify as verify_artifacts

    project = Path.cwd()
    key = None if scheme is None else key_of(scheme)
    found = verify_artifacts(project)
    if not found.ok:
        typer.echo(render(found))
        logger.error("error: a run that does not verify is not packaged")
        raise typer.Exit(1)
    terms = terms_of(load_sources(project / "data" / "sources.yaml"))
    done = write_package(project, out, terms, key=key)
    for file in done.withheld:
        logger.info("withheld: %s: %s", file.path, file.handling.reason)
    if not done.named_in_report:
        logger.warning("warning: the report does not name %s", done.identifier)
    inside = len(done.files) - len(done.withheld)
    signed = "" if done.signature is None else f", signed in {done.signature}"
    typer.echo(
        f"{done.out}: {inside} files, {len(done.withheld)} withheld, {done.identifier}{signed}"
    )


def _check(place: Path, signature: Path | None, keys: Path | None, as_json: bool) -> None:
    from isogloss.crate.checking import check_package
    from isogloss.crate.findings import not_checked_to_json, render, to_json

    try:
        check = check_package(place, signature=signature, keys=keys)
    except (IsoglossError, OSError) as error:
        if as_json:
            typer.echo(not_checked_to_json(str(error)))
        raise
    typer.echo(to_json(check) if as_json else render(check))
    raise typer.Exit(check.exit_code)


def sign(
    key: Annotated[str, typer.Option("--key", metavar="gpg:KEY", help="GnuPG key to sign with.")],
    file: Annotated[Path, typer.Argument(help="File to sign.")] = Path("dvc.lock"),
) -> None:
    """Write a detached signature of the record (dvc.lock.asc), or of another file.

    dvc.lock holds the hash of every artifact, so its signature covers them all.
    """
    from isogloss.crate.archive import require_free
    from isogloss.crate.signing import SUFFIX, key_of, require_key
    from isogloss.crate.signing import sign as sign_file
    from isogloss.errors import RecordError

    if not file.is_file():
        raise RecordError(f"{file} is no file that could be signed; make a run, or name a file")
    signature = file.with_name(file.name + SUFFIX)
    require_free(signature)
    named = key_of(key)
    require_key(named)
    sign_file(file, signature, named)
    typer.echo(f"{signature}: signature of {file}")
