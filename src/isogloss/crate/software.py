"""The software of a run as the constraints file pins it."""

import re
from collections.abc import Mapping

from isogloss.crate.citation import Citation
from isogloss.crate.contents import PackagedFile
from isogloss.crate.entities import Entity, ref, refs

CONSTRAINTS = "constraints.txt"
_PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9.!+_-]+)\s*(?:[;#].*)?$")

TOOL = "#isogloss"
"""Identifier of this software."""
ENGINE = "#snakemake"
"""Identifier of the workflow engine."""


def read_pins(text: str) -> dict[str, str]:
    """Versions of a constraints file by the name of the package, in its order."""
    matches = (_PIN.match(line.strip()) for line in text.splitlines())
    return {match[1]: match[2] for match in matches if match}


def pins_among(files: Mapping[str, PackagedFile]) -> dict[str, str]:
    """Pins of the run's constraints file; none where it has no such file."""
    file = files.get(CONSTRAINTS)
    if file is None:
        return {}
    content = file.content if isinstance(file.content, bytes) else file.content.read_bytes()
    return read_pins(content.decode("utf-8", errors="replace"))


def software_entities(citation: Citation, pins: Mapping[str, str]) -> list[Entity]:
    """This software, what it needs, and the engine that runs its stages."""
    packages = [_package(name, version) for name, version in pins.items()]
    tool: Entity = {
        "@id": TOOL,
        "@type": "SoftwareApplication",
        "name": "isogloss",
        "softwareVersion": citation.version,
        "softwareRequirements": refs(package["@id"] for package in packages),
    }
    if citation.code:
        tool["url"] = citation.code
    engine: Entity = {
        "@id": ENGINE,
        "@type": "SoftwareApplication",
        "name": "Snakemake",
        "url": "https://snakemake.github.io",
    }
    if "snakemake" in pins:
        engine["softwareVersion"] = pins["snakemake"]
    return [tool, engine, *packages]


def language_entity(pins: Mapping[str, str]) -> Entity:
    """The language of the main workflow, under the identifier of the Workflow RO-Crate profile."""
    return {
        "@id": "https://w3id.org/workflowhub/workflow-ro-crate#snakemake",
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "identifier": ref("https://doi.org/10.1093/bioinformatics/bts480"),
        "url": ref("https://snakemake.readthedocs.io"),
        **({"version": pins["snakemake"]} if "snakemake" in pins else {}),
    }


def _package(name: str, version: str) -> Entity:
    address = f"https://pypi.org/project/{name}/{version}/"
    return {
        "@id": address,
        "@type": "SoftwareApplication",
        "name": name,
        "softwareVersion": version,
        "url": address,
    }
