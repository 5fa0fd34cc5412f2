from isogloss.report.audit import NOT_STATED, SourceRecord, audit_part, model_record

MANIFEST = {
    "name": "small",
    "backend": "transformers",
    "origin": "a|b",
    "digest": "ab" * 32,
    "dtype": "float32",
    "n_parameters": 1234567,
    "transformers": "5.0",
    "torch": "2.0",
}


def test_manifest_becomes_a_row() -> None:
    text = audit_part([], [model_record(MANIFEST)])
    assert (
        r"| small | transformers | a\|b | float32 | 1,234,567 | transformers 5.0, torch 2.0 |"
        in text
    )
    assert f"`{'ab' * 32}`" in text


def test_what_a_manifest_lacks_is_said() -> None:
    record = model_record({"name": "published", "backend": "recorded"})
    assert (record.digest, record.dtype, record.parameters) == (NOT_STATED,) * 3
    assert "`not stated`" not in audit_part([], [record])


def test_a_served_model_says_where_it_is() -> None:
    manifest = {
        "name": "served",
        "backend": "openai",
        "base_url": "https://api.example.org/v1",
        "model": "large",
        "version": "may",
        "client": "3.1",
        "digest": "ef" * 32,
    }
    record = model_record(manifest)
    assert record.origin == "large (may) at https://api.example.org/v1"
    assert record.software == "openai 3.1"
    assert model_record({**manifest, "version": None}).origin.startswith("large at https:")
    assert "since its weights are not seen" in audit_part([], [record])


def test_sources_show_hash_and_licence() -> None:
    source = SourceRecord("items", "Title <b>", "cd" * 32, "CC-BY-4.0")
    text = audit_part([source], [])
    assert f"`{'cd' * 32}`" in text
    assert r"Title \<b\>" in text
    assert "*No model was asked.*" in text
    assert "{#tbl-audit-sources}" in text


def test_nothing_went_in() -> None:
    assert audit_part([], []) == "*No source was fetched.*\n\n*No model was asked.*\n"
