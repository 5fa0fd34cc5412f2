import base64
import hashlib

import pytest

from isogloss.publish.checks.scripts import check

SCRIPT = "document.title = 'ö';"
DIGEST = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
STRICT = "default-src 'none'; base-uri 'none'; form-action 'none'"


def test_a_page_without_script_passes_and_says_so(made) -> None:
    assert made.found(check) == []
    assert check(made.read()).summary == "no page has a script"


def test_a_script_that_the_policy_names_passes(made) -> None:
    made.page(f"<script>{SCRIPT}</script>", policy=f"{STRICT}; script-src 'sha256-{DIGEST}'")
    assert made.found(check) == []


def test_a_changed_script_is_found(made) -> None:
    made.page(f"<script>{SCRIPT} </script>", policy=f"{STRICT}; script-src 'sha256-{DIGEST}'")
    (found,) = made.found(check)
    assert found.startswith("index.html:16: a script that the policy does not name: sha256-")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<script>1</script>", "a script that the policy does not name"),
        ("<script type=module>1</script>", "a script that the policy does not name"),
        ("<script type=importmap>{}</script>", "a script that the policy does not name"),
        ("<script src='a.js'></script>", "a script from a.js"),
        ("<p onclick='x()'>a</p>", "the event handler onclick of <p>"),
        ("<a href='java\nscript:x()'>a</a>", "href of <a> is a script or page"),
        ("<a href='data:text/html,x'>a</a>", "href of <a> is a script or page"),
        ("<iframe srcdoc='x'></iframe>", "<iframe> brings in another document"),
        ("<object data='a.pdf'></object>", "<object> brings in another document"),
        ("<img src='data:image/svg+xml,%3Cscript%3E'>", "a figure with a script in it"),
    ],
)
def test_what_runs_is_found(made, body: str, text: str) -> None:
    made.page(body)
    assert made.found(check)[0].startswith(f"index.html:16: {text}")


def test_data_is_no_script(made) -> None:
    made.page("<script type='application/json'>{}</script>")
    assert made.found(check) == []


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("base-uri 'none'; form-action 'none'", "lacks default-src 'none'"),
        ("default-src 'none'; form-action 'none'", "lacks base-uri 'none'"),
        ("default-src 'none'; base-uri 'none'", "lacks form-action 'none'"),
        (f"{STRICT}; script-src 'unsafe-inline'", "admits 'unsafe-inline' in script-src"),
        (f"{STRICT}; script-src https://x.org", "admits https://x.org in script-src"),
        (f"{STRICT}; script-src data:", "admits data: in script-src"),
        (f"{STRICT}; img-src *", "admits * in img-src"),
        (f"{STRICT}; style-src 'self'", "admits 'self' in style-src"),
        (f"default-src *; {STRICT}", "lacks default-src 'none'"),
    ],
)
def test_a_lax_policy_is_found(made, policy: str, text: str) -> None:
    made.page(policy=policy)
    found = made.found(check)
    assert f"index.html: the Content-Security-Policy {text}" in found


def test_a_page_without_a_policy_is_found(made) -> None:
    made.alter("Content-Security-Policy", "X", "second.html")
    assert made.found(check) == ["second.html: states no Content-Security-Policy"]


def test_a_policy_that_comes_too_late_is_found(made) -> None:
    made.alter('<meta charset="utf-8">', "<style>p {}</style>")
    assert "stands after what it should govern" in made.found(check)[0]


def test_scripts_of_quarto_are_noted_but_not_those_from_elsewhere(made) -> None:
    for name in ("index.html", "second.html"):
        made.alter(
            "<meta charset", "<meta name='generator' content='quarto-1.10'><meta charset", name
        )
    made.alter("</main>", f"<script>{SCRIPT}</script><script src='//x.org'></script></main>")
    assert made.found(check) == ["index.html:17: a script from //x.org"]
    assert f"index.html: a script of Quarto, sha256-{DIGEST}" in check(made.read()).notes
