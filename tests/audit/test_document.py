import hashlib
import os
import re
import shutil
import textwrap
import unicodedata
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from tests.audit.files.postings import (
    SENTENCES,
    TEXT,
    TITLE,
    docx_of,
    html_of,
    pdf_of,
    with_part,
    word,
    zip_of,
)

from isogloss.audit.document import MOST_BYTES, Document, document_of, read_posting
from isogloss.errors import PostingError

BODY = " ".join(SENTENCES)
GERMAN = (
    "Wir suchen zum nächstmöglichen Zeitpunkt eine engagierte Pflegefachkraft für unser Haus. Sie "
    "betreuen unsere Bewohner, führen die Akten und arbeiten eng mit den Angehörigen zusammen. Wir "
    "bieten einen unbefristeten Vertrag."
)
JAPANESE = (
    "当社では、東京本社で働くソフトウェアエンジニアを募集しています。経験三年以上の方を歓迎します。"
)


def of_text(text: str, name: str = "posting.txt", **options: bool) -> Document:
    return document_of(name, text.encode(), **options)


def fault(name: str, content: bytes) -> str:
    with pytest.raises(PostingError) as error:
        document_of(name, content)
    said = str(error.value)
    assert "\n" not in said
    return said


def test_every_format_gives_the_same_posting() -> None:
    files = {
        "a.txt": TEXT.encode(),
        "a.md": f"# {TITLE}\n\n{BODY}".encode(),
        "a.html": html_of(f"<h1>{TITLE}</h1>"),
        "a.pdf": pdf_of([[TITLE, *textwrap.wrap(BODY, 70)]]),
        "a.docx": docx_of(word(("Title", TITLE))),
    }
    read = {name: document_of(name, content) for name, content in files.items()}
    assert {found.title for found in read.values()} == {TITLE}
    assert {" ".join(found.text.split()) for found in read.values()} == {" ".join(TEXT.split())}
    assert {found.words for found in read.values()} == {2 + 12 + 15 + 12}
    assert {found.warnings for found in read.values()} == {()}
    assert [found.format for found in read.values()] == ["text", "markdown", "html", "pdf", "docx"]


def test_a_file_is_known_by_the_digest_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "Posting One.TXT"
    content = b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()
    path.write_bytes(content)
    found = read_posting(path)
    assert found.sha256 == hashlib.sha256(content).hexdigest()
    assert (found.name, found.bytes, found.text) == ("Posting One.TXT", len(content), TEXT)


@pytest.mark.parametrize(
    ("name", "content", "title", "source"),
    [
        ("a.txt", TEXT, TITLE, "first line"),
        ("a.txt", BODY, None, None),
        ("a.txt", f"- one\n- two\n\n{BODY}", None, None),
        ("a.txt", f"We look for you!\n\n{BODY}", None, None),
        ("a.txt", f"{'word ' * 13}\n\n{BODY}", None, None),
        ("a.md", f"Acme\n\n## Who\n\n# {TITLE}\n\n{BODY}", TITLE, "heading"),
        ("a.md", f"Acme\n\n## Who we are\n\n{BODY}", "Who we are", "heading"),
        ("a.md", f"{TITLE}\n===\n\n{BODY}", TITLE, "heading"),
        ("a.md", f"---\ntitle: '{TITLE}'\ntags: [a]\n---\n\n{BODY}", TITLE, "front matter"),
        ("a.html", f"<html><title>{TITLE} &amp; Co</title><p>{BODY}", f"{TITLE} & Co",
         "title element"),
        ("a.html", f"<html><title>x</title><h1> Lead<br>\n<b>Chef</b></h1>{BODY}", "Lead Chef",
         "heading"),
    ],
)  # fmt: skip
def test_a_title_says_where_it_was_found(
    name: str, content: str, title: str | None, source: str | None
) -> None:
    found = of_text(content, name)
    assert (found.title, found.title_source) == (title, source)
    if found.title_span is None:
        assert title is None
    else:
        start, end = found.title_span
        assert found.text[start:end] == title
        assert title not in found.description
    assert found.description.replace("\n", " ").endswith(BODY)


@pytest.mark.parametrize(
    ("styles", "title", "source"),
    [
        ([("Heading 1", "Who"), ("Title", TITLE)], TITLE, "title style"),
        ([("Normal", "Acme"), ("Heading 1", TITLE)], TITLE, "heading"),
        ([("Normal", TITLE)], TITLE, "first line"),
        ([], None, None),
    ],
)
def test_a_word_document_has_its_title_by_style(
    styles: list[tuple[str, str]], title: str | None, source: str | None
) -> None:
    found = document_of("a.docx", docx_of(word(*styles)))
    assert (found.title, found.title_source) == (title, source)


def test_a_page_counts_only_what_is_shown() -> None:
    page = html_of(
        "<nav>Jobs native speaker</nav><!-- elite --><h1>Cook &amp; Baker</h1>"
        "<script>alert('aggressive')</script><noscript>young</noscript>"
        "<p style='color:red; display : none'>ninja</p><p hidden>rockstar</p>"
        "<p>caf&eacute; in<b>depen</b>dent com&shy;pet&#105;tive<br>two<br><br>three</p>"
        "<svg><title>arrow</title></svg><img alt='polished' src='http://nowhere.invalid/x.png'>"
        "<iframe src='file:///etc/passwd'></iframe><template>gravitas</template>",
        head="<style>p { color: red }</style><title>Acme</title>",
    )
    found = document_of("a.html", page)
    assert found.text == (f"Cook & Baker\n\ncafé independent competitive\ntwo\n\nthree\n\n{BODY}")
    assert found.warnings == (
        "Words that are hidden, or of navigation and forms, were left out: 5.",
    )


def test_a_list_has_a_line_for_each_item_and_a_table_for_each_cell() -> None:
    found = document_of(
        "a.html", html_of("<ul><li>one<li>two</ul><table><tr><td>Pay<td>£14</table>")
    )
    assert found.text.startswith("one\ntwo\n\nPay\n£14\n\n")
    assert found.warnings == ("The cells of tables were read one after another.",)


def test_html_inside_markdown_is_read_as_in_a_page() -> None:
    text = f"# {TITLE}\n\n<script>young()</script>\n\nA <span hidden>ninja</span>job\n\n{BODY}"
    assert of_text(text, "a.md").description == f"A job\n\n{BODY}"


def test_no_entity_of_a_document_is_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("password")
    entity = f'[<!ENTITY x SYSTEM "{secret.as_uri()}">]'
    page = f"<!DOCTYPE html {entity}><html><body><p>&x;{BODY}</p></body></html>"
    assert "password" not in of_text(page, "a.html").text
    body = (
        f"<!DOCTYPE w {entity}><w:document {nsdecls('w')}><w:body><w:p><w:r><w:t>&x;{BODY}</w:t>"
        "</w:r></w:p></w:body></w:document>"
    )
    content = with_part(docx_of(word()), "word/document.xml", body.encode())
    assert "declares entities" in fault("a.docx", content)


def test_a_word_document_is_read_in_order_with_tables_boxes_and_fields() -> None:
    document = word()
    paragraph = document.paragraphs[0]
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "In a table"
    run = f"<w:r {nsdecls('w')}><w:t>%s</w:t></w:r>"
    control = f"<w:sdt {nsdecls('w')}><w:sdtContent>{run % ' In a field.'}</w:sdtContent></w:sdt>"
    paragraph._p.append(parse_xml(control))
    box = (
        f'<w:r {nsdecls("w")} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        "<mc:AlternateContent><mc:Choice Requires='wps'><w:txbxContent><w:p><w:r><w:t>In a box"
        "</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>"
        "In a box</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>"
    )
    paragraph._p.append(parse_xml(box))
    text = document_of("a.docx", docx_of(document)).text
    first = f"{SENTENCES[0]} In a field."
    assert text.split("\n\n") == [first, "In a box", *SENTENCES[1:], "In a table"]


def test_a_word_document_leaves_out_what_is_hidden_or_deleted_and_says_so() -> None:
    document = word()
    paragraph = document.paragraphs[0]
    paragraph.add_run(" Hidden.").font.hidden = True
    change = "<w:%s {} w:id='1' w:author='a'><w:r><w:%s>%s</w:%s></w:r></w:%s>".format(nsdecls("w"))
    paragraph._p.append(parse_xml(change % ("del", "delText", " Gone.", "delText", "del")))
    paragraph._p.append(parse_xml(change % ("ins", "t", " New.", "t", "ins")))
    document.sections[0].header.paragraphs[0].text = "Acme, page 1"
    found = document_of("a.docx", docx_of(document))
    assert found.text.split("\n\n")[0] == f"{SENTENCES[0]} New."
    assert found.warnings == (
        "Hidden text was left out.",
        "Changes that are being tracked were read as accepted.",
        "Headers and footers were left out.",
    )


def test_pages_of_a_pdf_run_on() -> None:
    first, rest = textwrap.wrap(SENTENCES[1], 65)
    found = document_of("a.pdf", pdf_of([[TITLE, SENTENCES[0], first], [rest], [], [SENTENCES[2]]]))
    assert found.pages == 4
    assert SENTENCES[1] in found.text
    assert found.warnings == ("Pages without text, perhaps pictures of text, were passed over: 3.",)


def test_a_pdf_that_opens_without_a_password_is_read() -> None:
    found = document_of("a.pdf", pdf_of([[TITLE, *SENTENCES]], password="", owner="owner"))
    assert found.title == TITLE
    assert found.warnings == ("The PDF is encrypted but opens without a password.",)


@pytest.mark.parametrize(
    ("written", "read", "warning"),
    [
        ("cul\u200bture\u2060 fit", "culture fit", "Invisible characters were taken out: 2."),
        ("a\u202etxt\u202c b", "atxt b", "Invisible characters were taken out: 2."),
        ("wo\u200dman", "woman", "Invisible characters were taken out: 1."),
        ("👩\u200d💻 here", "👩\u200d💻 here", None),
        ("לקוחות \u05d5עוד", "לקוחות ועוד", None),
        ("cul\u00adture", "culture", None),
        ("of\ufb01ce\u00a0 \t hours", "office hours", None),
        ("cafe\u0301", "café", None),
        ("\uf0b7 one", "• one", None),
        ("of\uf001ce", "office", None),
        ("of\ue123ce", "of\ufffdce", "Some characters cannot be read and show as \ufffd: 1."),
        ("“quoted” – ‘so’", "“quoted” – ‘so’", None),
        ("cult\u0443re", "cult\u0443re", "Words mix letters of two alphabets, so no word list "
         "finds them: 'cultуre'."),
        ("a \ufffd b", "a \ufffd b", "Some characters cannot be read and show as \ufffd: 1."),
    ],
)  # fmt: skip
def test_characters_are_put_into_one_form(written: str, read: str, warning: str | None) -> None:
    found = of_text(f"{TEXT} {written}")
    assert found.text == f"{TEXT} {read}"
    assert unicodedata.is_normalized("NFC", found.text)
    said = [one for one in found.warnings if not one.endswith("'לקוחות ועוד').")]
    assert said == ([warning] if warning else [])


def test_utf_16_is_read_by_its_mark() -> None:
    assert document_of("a.txt", TEXT.encode("utf-16")).text == TEXT
    assert "byte 1 is a control character" in fault("a.txt", TEXT.encode("utf-16-le"))


def test_a_page_may_declare_an_older_encoding() -> None:
    page = f"<html><meta charset='iso-8859-1'><h1>Chef – Café</h1><p>{BODY}</p>".encode("cp1252")
    found = document_of("a.html", page)
    assert found.title == "Chef – Café"
    assert found.warnings == (
        "The page is not in UTF-8; it was read as iso-8859-1, which it declares.",
    )
    assert "not UTF-8 at byte" in fault("a.html", page.replace(b"charset", b"content"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "the file is empty; put the text"),
        ("a.txt", b" \r\n\t ", "the file is empty"),
        ("a.txt", "\ufeff".encode(), "the file has no text"),
        ("a.txt", "1 2 3 🙂 — …".encode(), "the file has no text"),
        ("a.html", b"<html><script>let a = 1</script>", "the file has no text"),
        ("a.html", b"<!-- nothing -->", "the file has no text"),
        ("a.docx", docx_of(docx.Document()), "the file has no text"),
        ("a.txt", b"A few words", r"too few words \(3; 20 are the least .*\); give its whole"),
        ("a.txt", b"word " * 5001, r"5,001 words .* 5,000 and 50,000 are the most"),
        ("a.txt", b"x" * 50_001, r"50,001 characters"),
        ("a.md", b"word " * 100_001, r"500,005 bytes, and 500,000 are the most of a text; give"),
        ("a.txt", TEXT.encode() + b"\xff", rf"not UTF-8 at byte {len(TEXT.encode())} \(0xff\)"),
        ("a.txt", TEXT.encode("cp1252"), r"not UTF-8 at byte \d+ \(0xa3\); save it as UTF-8"),
        ("a.txt", TEXT.encode() + b"\x00", rf"byte {len(TEXT.encode())} is a control character"),
        ("a.txt", b"\xff\xfe\x00", "not UTF-16 at byte 2"),
        ("a.txt", TEXT.encode("utf-32"), "NUL characters"),
        ("a.txt", pdf_of([SENTENCES]), r"ends in \.txt, but the content is pdf; .* end in \.pdf"),
        ("a.pdf", docx_of(word()), r"ends in \.pdf, but the content is docx"),
        ("a.txt", html_of(""), r"the content is html"),
        ("a.pdf", TEXT.encode(), r"ends in \.pdf, but the content is text"),
        ("a.docx", TEXT.encode(), r"ends in \.docx, but the content is text"),
        ("a.txt", zip_of({"a.txt": b"x"}), r"a ZIP archive; text \(\.txt\), Markdown .* are read"),
        ("a.docx", zip_of({"xl/workbook.xml": b"x"}), "an Excel workbook"),
        ("a.odt", zip_of({"content.xml": b"x"}), "an OpenDocument file; text"),
        ("a.doc", b"\xd0\xcf\x11\xe0" + b"\0" * 600, r"an old Office document .* as \.docx"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + b"\0" * 600, r"an old Office document .* as \.docx"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"),
         "protected by a password; save it without one"),
        ("a.json", b"{}", r"the kind \.json are not read; text"),
        ("a.txt", rb"{\rtf1 hello}", "a rich text document"),
        ("a.png", b"\x89PNG\r\n", r"an image \(PNG\)"),
        ("posting", b"\xff\xd8\xff\xe0", r"an image \(JPEG\)"),
        ("a.html", b"<html>" + b"<div>" * 5000 + BODY.encode(), "nested too deeply"),
        ("a.docx", docx_of(word())[:3000], "a damaged archive, perhaps a Word document"),
        ("a.docx", zip_of({"word/document.xml": b"<w/>"}), "Word document cannot be read"),
        ("a.docx", with_part(docx_of(word()), "word/document.xml", b"<w:a"), "cannot be read"),
        ("a.docx", with_part(docx_of(word()), "[Content_Types].xml", b"macroEnabled"), "macros"),
        ("a.pdf", pdf_of([[]]), r"no text layer, as when paper is scanned; run text recognition"),
        ("a.pdf", pdf_of([SENTENCES], password="secret"), "protected by a password; save it"),
        ("a.pdf", pdf_of([SENTENCES])[:300], "the PDF cannot be read; it is damaged; save"),
        ("a.pdf", b"%PDF-1.7\n" + b"\x00\x01garbage" * 50, "the PDF cannot be read"),
        ("a.pdf", pdf_of([SENTENCES] * 200), "has 200 pages, and a posting may have 30; save"),
        ("a.txt", GERMAN.encode(), r"not in English \(it reads as 'de': '.+'\), and the word"),
        ("a.txt", JAPANESE.encode(), "not in English .*'ja'"),
    ],
)  # fmt: skip
def test_what_cannot_be_audited_says_why_and_what_to_do(
    name: str, content: bytes, message: str
) -> None:
    assert re.search(message, fault(name, content))


@pytest.mark.parametrize(("files", "size"), [(1, 50_000_001), (2_000, 0)])
def test_a_word_document_that_unpacks_to_too_much_is_not_unpacked(files: int, size: int) -> None:
    parts = {f"word/media/{i}.bin": bytes(size) for i in range(files)}
    content = zip_of({"[Content_Types].xml": b"", "word/document.xml": b"", **parts})
    assert len(content) < 400_000
    assert "unpacks to more than 50,000,000 bytes or 2,000 files" in fault("a.docx", content)


def test_another_language_is_read_when_that_is_allowed() -> None:
    for text, code in ((GERMAN, "de"), (JAPANESE, "ja")):
        found = of_text(text, allow_other_language=True)
        assert found.text == text
        assert f"reads as '{code}'" in found.warnings[0]
        assert found.warnings[0].startswith("About 100 % of the text is not in English")


def test_a_sentence_in_another_language_is_a_warning() -> None:
    found = of_text(f"{TEXT} {BODY}\n\nWir freuen uns auf deine Bewerbung und viele Grüße.")
    assert found.warnings[0].startswith("About ")
    assert "'de'" in found.warnings[0]


def test_english_with_names_terms_and_fragments_is_english() -> None:
    text = (
        "Senior Data Engineer (m/f/d)\nAcme GmbH, Berlin\n\nWhat you do\n• Build ETL pipelines "
        "with Spark, Kafka and dbt on AWS\n• Own CI/CD (GitHub Actions, ArgoCD)\n• Mentor junior "
        "engineers\n\nWhat we offer\n• 30 days PTO, Urban Sports Club, BVG ticket\n• €80k–€95k"
    )
    assert of_text(text).warnings == ()


@pytest.mark.parametrize("kind", ["missing", "folder", "large"])
def test_a_path_that_is_no_posting_is_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "posting.txt"
    messages = {
        "missing": "there is no such file; check the path",
        "folder": "this is a folder; name the file of one posting",
        "large": "the file is larger than 10,000,000 bytes; save the text of the posting alone",
    }
    if kind == "folder":
        path.mkdir()
    if kind == "large":
        path.write_bytes(b"a " * (MOST_BYTES // 2) + b"a")
    with pytest.raises(PostingError) as error:
        read_posting(path)
    assert str(error.value) == f"{path}: {messages[kind]}"


@pytest.mark.browser
def test_a_pdf_that_a_browser_prints_reads_as_the_page(tmp_path: Path) -> None:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium: set CHROMIUM to its path")
    from playwright.sync_api import sync_playwright

    body = (
        "<p style='text-align: justify'>We hire for culture fit in our first-class of&#64257;ces "
        "in Zürich, and “self-confident” people who take responsibility for interdepartmental "
        "reports fit in well. Part-time work is not possible, whatever anyone’s wishes may be.</p>"
    )
    page = tmp_path / "a.html"
    page.write_bytes(html_of(f"<h1>{TITLE}</h1>{body}", head="<meta charset=utf-8>"))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium)
        view = browser.new_page()
        view.goto(page.as_uri())
        view.pdf(path=tmp_path / "a.pdf", format="A5")
        browser.close()
    shown, printed = read_posting(page), read_posting(tmp_path / "a.pdf")
    assert printed.text.split() == shown.text.split()
    assert printed.title == shown.title == TITLE
