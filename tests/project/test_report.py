"""What the report is made from."""

from pathlib import Path

from isogloss.project import Project


def test_the_report_reads_every_table_and_every_model(opened: Project) -> None:
    inputs = opened.report_inputs()
    assert len(inputs) == len(set(inputs))
    assert set(opened.result_paths("hedging")) <= set(inputs)
    assert set(opened.mixed_paths("hedging")) <= set(inputs)
    assert f"{opened.results_folder('hedging')}/effects.csv" in inputs
    assert {opened.model_input(job.model) for job in opened.jobs()} <= set(inputs)


def test_pages_are_those_in_the_folder(opened: Project, project: Path) -> None:
    pages = opened.pages()
    assert "reports/index.qmd" in pages
    assert pages == sorted(pages)
    assert all((project / page).is_file() for page in pages)
