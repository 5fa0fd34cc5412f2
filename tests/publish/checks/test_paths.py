import base64
from functools import partial
from pathlib import Path

import pytest

from isogloss.publish.checks.paths import check

nowhere = partial(check, own=())


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ("<p>in /home/ada/isogloss/x.csv.</p>", "/home/ada/isogloss/x.csv"),
        ("<p>(/Users/ada/x)</p>", "/Users/ada/x"),
        ("<p>written to /tmp</p>", "/tmp"),
        ("<p>/tmp/pytest-1/x</p>", "/tmp/pytest-1/x"),
        ("<p>/root/.cache/y</p>", "/root/.cache/y"),
        ("<p>/var/folders/zz/1</p>", "/var/folders/zz/1"),
        ("<p>C:\\Users\\ada</p>", "C:\\Users\\ada"),
        ("<p>D:/data/x</p>", "D:/data/x"),
        ("<p>\\\\server\\share</p>", "\\\\server\\share"),
        ("<p>~/isogloss/x</p>", "~/isogloss/x"),
        ("<p>~ada/x</p>", "~ada/x"),
        ("<a href='file:///etc/x'>a</a>", "file:///etc/x"),
        ("<!-- /home/ada/x -->", "/home/ada/x"),
        ("<p data-file='&#47;home/ada/x'>a</p>", "/home/ada/x"),
        ("<pre>/ho<span>me/ad</span>a/x</pre>", "/home/ada/x"),
    ],
)
def test_a_path_is_found(made, body: str, path: str) -> None:
    made.page(body)
    assert made.found(nowhere) == [f"index.html:16: a path of a machine: {path}"]


@pytest.mark.parametrize(
    "body",
    [
        "https://example.org/home/ada/x",
        "data/results/home/x and ../tmp/x",
        "a /path/to/quarto or src/root/x",
        "either/or, 1/2, ~ 5, A: b, 10:/20",
        "https://x.org/~ada/paper",
        "doi:10.1000/tmp/x",
        "[\\\\x00-\\\\x7F] and s:\\[ and file://",
    ],
)
def test_what_is_no_path_of_a_machine_is_not_found(made, body: str) -> None:
    made.page(f"<p>{body}</p>")
    assert made.found(nowhere) == []


def test_the_checkout_is_found_wherever_it_is(made, tmp_path: Path) -> None:
    made.page("<p>/srv/isogloss/data/x and /srv/isogloss-2/x</p>")
    assert made.found(partial(check, own=(Path("/srv/isogloss"),))) == [
        "index.html:16: a path of a machine: /srv/isogloss/data/x"
    ]


def test_the_root_of_all_files_is_not_looked_for(made) -> None:
    made.page("<p>a / b</p>")
    assert made.found(partial(check, own=(Path("/"),))) == []


def test_a_path_in_a_figure_and_in_a_file_is_found(made) -> None:
    svg = base64.b64encode(b"<svg>\n<!-- /home/ada/x -->\n</svg>").decode()
    made.page(f"<img src='data:image/svg+xml;base64,{svg}'>")
    made.write("a.txt", "one\n/home/ada/y\n")
    assert made.found(nowhere) == [
        "index.html:16: a path of a machine: /home/ada/x",
        "a.txt:2: a path of a machine: /home/ada/y",
    ]
