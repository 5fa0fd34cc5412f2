import base64

from isogloss.publish.payloads import payloads, without_payloads


def encoded(content: str | bytes) -> str:
    raw = content.encode() if isinstance(content, str) else content
    return base64.b64encode(raw).decode()


def test_figures_and_styles_are_decoded_with_their_line() -> None:
    page = (
        f'<p>\n<img src="data:image/svg+xml;base64,{encoded("<svg>ö</svg>")}">\n'
        "<link href='data:text/css,p%20{}'>"
    )
    found = [(one.line, one.media, one.text) for one in payloads(page)]
    assert found == [(2, "image/svg+xml", "<svg>ö</svg>"), (3, "text/css", "p {}")]


def test_an_address_inside_an_address_is_decoded_too() -> None:
    inner = f"<svg><image href='data:text/plain;base64,{encoded('/home/me')}'/></svg>"
    found = payloads(f"\n<img src='data:image/svg+xml;base64,{encoded(inner)}'>")
    assert [(one.line, one.text) for one in found] == [(2, inner), (2, "/home/me")]


def test_of_a_png_only_its_texts_are_read() -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\x10tEXtComment\0/home/me/x\0\xff\xfe"
    (one,) = payloads(f"<img src='data:image/png;base64,{encoded(png)}'>")
    assert one.text.startswith("Comment /home/me/x")


def test_what_is_no_base64_is_empty() -> None:
    assert payloads("<img src='data:text/css;base64,&&&'>")[0].text == ""


def test_lines_stay_when_contents_are_taken_out() -> None:
    text = f"a\n<img src='data:image/png;base64,{encoded('x' * 99)}' alt='b'>\nc"
    assert without_payloads(text) == "a\n<img src='data:' alt='b'>\nc"
