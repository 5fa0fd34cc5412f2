"""A picture is the file's whatever way a renderer embedded it."""

import base64
from pathlib import Path
from urllib.parse import quote

import pypandoc
import pytest
from tests.report.check.conftest import SVG

from isogloss.report.check.pictures import is_file

OTHER = SVG.replace("{}", "second")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.svg"
    head = '<?xml version="1.0" encoding="utf-8" standalone="no"?>\n'
    path.write_text(head + SVG.format("first"), encoding="utf-8")
    return path


def test_bytes_in_an_address(path: Path) -> None:
    content = path.read_bytes()
    address = f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}"
    assert is_file(address, path)
    assert is_file(f"data:image/svg+xml,{quote(content.decode())}", path)
    assert not is_file(address.replace("data:", "http:"), path)
    assert not is_file(
        f"data:image/svg+xml;base64,{base64.b64encode(content + b' ').decode()}", path
    )
    assert not is_file("data:image/svg+xml;base64,%%%", path)
    assert not is_file("data:", path)
    assert not is_file(address, path.with_name("absent.svg"))


def test_a_drawing_within_the_page(path: Path) -> None:
    """As pandoc puts it there, with identifiers of its own."""
    page = pypandoc.convert_text(
        f"![x]({path}){{.inline-svg #fig-a}}",
        "html",
        format="markdown",
        extra_args=["--embed-resources", "--standalone", "--metadata=title:x"],
    )
    inline = page[page.index("<svg") : page.index("</svg>") + len("</svg>")]
    assert is_file(inline, path)
    assert is_file(inline.replace("p1", "svg_7_p1"), path)
    assert not is_file(inline.replace("first", "second"), path)
    assert not is_file(inline.replace('<rect width="8"', '<rect width="9"'), path)


def test_an_identifier_that_points_elsewhere_is_another_drawing(path: Path) -> None:
    inline = SVG.format("first")
    assert is_file(inline, path)
    assert not is_file(inline.replace("url(#p1)", "url(#p2)"), path)
    assert not is_file(inline.replace("<text>", "<text/><text>"), path)


def test_what_is_no_drawing(path: Path) -> None:
    assert not is_file("<svg", path)
    assert not is_file("", path)
    path.write_text("<svg", encoding="utf-8")
    assert not is_file(SVG.format("first"), path)
