import pytest

from isogloss.report.render.images import data_address, image_fault

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"{HEAD}><script>1</script></svg>", "contains a script element"),
        (f"{HEAD}><foreignObject/></svg>", "contains a foreignObject element"),
        (f'{HEAD} onload="x()"/>', "contains the event handler onload"),
        (f'{HEAD}><image xlink:href="https://x.org/a.png"/></svg>', "refers to https://x.org"),
        (f'{HEAD}><a href="javascript:x"/></svg>', "refers to javascript:x"),
        (f"{HEAD}><style>@import 'x'</style></svg>", "fetches a style"),
        (f'{HEAD}><rect style="fill:url(https://x.org/#a)"/></svg>', "fetches a style"),
        (f"<!DOCTYPE svg [<!ENTITY a 'b'>]>{HEAD}/>", "declares an entity"),
        ("<html/>", "is not an SVG file"),
        ("<svg", "is not an SVG file"),
    ],
)
def test_an_svg_that_could_act_or_fetch_is_refused(site, content: str, message: str) -> None:
    site.write("a.svg", content)
    assert message in image_fault(site.folder, "a.svg")


def test_references_inside_an_svg_are_its_own(site) -> None:
    site.write("a.svg", f'{HEAD}><use xlink:href="#b"/><path style="clip-path:url(#c)"/></svg>')
    assert image_fault(site.folder, "a.svg") == ""


def test_a_png_must_be_one(site) -> None:
    site.write("a.png", "text")
    assert "is not a PNG file" in image_fault(site.folder, "a.png")
    (site.folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nrest")
    assert image_fault(site.folder, "a.png") == ""
    assert data_address(site.folder, "a.png") == "data:image/png;base64,iVBORw0KGgpyZXN0"
