from functools import partial

from isogloss.publish.checks.weight import Limits, check


def test_a_page_above_the_limit_is_named(made) -> None:
    made.page("<p>" + "x" * 2_000_000 + "</p>", name="second.html", title="Second")
    (found,) = made.found(partial(check, limits=Limits()))
    assert found.startswith("second.html: 2.00 MB, above 2.00 MB")


def test_a_site_above_the_limit_is_found(made) -> None:
    made.write("a.png", b"x" * 5000)
    assert made.found(partial(check, limits=Limits(page=4000, site=7000))) == []
    (found,) = made.found(partial(check, limits=Limits(page=4000, site=6000)))
    assert found.endswith(" kB in all, above 6.0 kB")


def test_every_page_is_stated(made) -> None:
    made.page("<p>" + "x" * 50_000 + "</p>")
    outcome = check(made.read(), Limits())
    assert "the largest page is index.html, 50.6 kB (limit 2.00 MB)" in outcome.summary
    assert outcome.notes == ("index.html: 50.6 kB", "second.html: 0.6 kB")
