"""`isogloss publish-check`: whether a rendered site can go on the web as it is."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.options import DEFAULT_CONFIG, ConfigOption, schema_option
from isogloss.project import open_project

MEGABYTE = 1_000_000


def publish_check(
    site: Annotated[Path, typer.Argument(help="Folder of the rendered site.")] = Path(
        "reports/_site"
    ),
    config: ConfigOption = DEFAULT_CONFIG,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    schema: Annotated[  # noqa: ARG001
        bool, schema_option("isogloss.publish", "publish-check.schema.json")
    ] = False,
    browser: Annotated[
        bool, typer.Option(help="Open every page in Chromium and let axe-core judge it.")
    ] = True,
    page_limit: Annotated[float, typer.Option(min=0, help="Most megabytes of a page.")] = 2.0,
    site_limit: Annotated[float, typer.Option(min=0, help="Most megabytes of all files.")] = 20.0,
) -> None:
    """Check a rendered site before it is published; nothing is changed or sent.

    Links, requests to other hosts, weight, scripts, markup, accessibility, local paths, keys,
    e-mail addresses, hateful texts. Exit status: 0 nothing found, 1 something found, 2 something
    could not be checked.
    """
    from isogloss.publish.checks.emails import cited_addresses
    from isogloss.publish.checks.weight import Limits
    from isogloss.publish.findings import render, to_json
    from isogloss.publish.run import Surroundings, check_site
    from isogloss.publish.sensitive import read_sensitive
    from isogloss.publish.site import read_site
    from isogloss.publish.tools import find_tools

    project = open_project(config)
    publication = check_site(
        read_site(site),
        Surroundings(
            tools=find_tools(project.root),
            limits=Limits(int(page_limit * MEGABYTE), int(site_limit * MEGABYTE)),
            own_folders=(project.root, Path.home()),
            emails=cited_addresses(project.root / "CITATION.cff"),
            sensitive=read_sensitive(project),
            browse=browser,
        ),
    )
    typer.echo(to_json(publication) if json else render(publication))
    raise typer.Exit(publication.exit_code)
