"""Writes dvc.yaml and dvc.lock from the workflow and the files it made."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path, PurePosixPath

from isogloss.errors import RecordError
from isogloss.record.dvcfile import render_dvcfile
from isogloss.record.expected import Expected, expected_artifacts
from isogloss.record.findings import Verification, render
from isogloss.record.lock import Lock, read_lock
from isogloss.record.outputs import changed_outputs
from isogloss.record.receipts import keep_receipt
from isogloss.record.repository import ignored_paths, require_repository, tracked_files
from isogloss.record.scratch import commit, link_content, scratch_repository
from isogloss.record.stages import RECORD_FILES, Stage
from isogloss.record.staleness import stale_stages
from isogloss.record.summary import OutputState, output_states
from isogloss.record.verify import verify_content
from isogloss.record.workflow import workflow_stages


def record(project: Path, *, options: Sequence[str] = ()) -> Verification:
    """Record every output of the workflow in `project` as dvc.yaml and dvc.lock.

    The stages come from the rules (`workflow_stages`). DVC hashes and stores the files in a
    scratch repository of hard links: nothing is hashed from memory, and the files keep their
    inodes and times. Then every file is hashed once more here, and only if that agrees the two
    files appear in the project, dvc.lock last. A call that is interrupted or fails leaves the old
    pair or no dvc.lock.

    Snakemake is asked first whether any output would be made again. What is recorded is the bytes
    that stand there now, and only if they are those that the rules' commands wrote last
    (`changed_outputs`).

    Args:
        project: folder of the Snakefile.
        options: Snakemake options that decide which jobs there are (see `workflow_jobs`).

    Returns:
        The counts of what was recorded; there are no findings.

    Raises:
        RecordError: an output is missing, would be made again or is not as its rule left it, a
            path lies outside the project, an input is neither written by a rule nor meant for
            git, a file changed while it was being recorded, or Snakemake or DVC failed.
    """
    project = project.resolve()
    require_repository(project)
    stages = workflow_stages(project, options)
    _require_sources(stages, project)
    states = output_states(project, options)
    _require_current(stages, states)
    uncached = _outputs_in_git(stages, tracked_files(project))
    with scratch_repository(project) as scratch:
        text = render_dvcfile(stages, uncached=uncached, options=options)
        (scratch / "dvc.yaml").write_text(text, encoding="utf-8", newline="\n")
        link_content((p for s in stages for p in (*s.deps, *s.outs)), project, scratch)
        commit(scratch)
        lock = read_lock(scratch / "dvc.lock")
        artifacts = expected_artifacts(lock, project)
        verification = _require_unchanged(stages, lock, artifacts, project)
        _require_results(stages, states, artifacts, project)
        keep_receipt(scratch, project)
        _publish(scratch, project)
    return verification


def _require_current(stages: Iterable[Stage], states: Sequence[OutputState]) -> None:
    """Check that the jobs are those of the last run and that none would be run again."""
    states = [state for state in states if state.path not in RECORD_FILES]
    pending = [
        f"  {state.path} (rule {state.rule}): {state.status}, {state.plan}"
        for state in states
        if not state.is_current
    ]
    if pending:
        raise RecordError(
            "the workflow is not finished, or something changed while it ran: "
            "run `snakemake --cores all` again\n" + "\n".join(pending)
        )
    written = {out for stage in stages for out in stage.outs}
    odd = sorted(written ^ {str(PurePosixPath(state.path)) for state in states})
    if odd:
        raise RecordError(
            "which jobs there are depends on what ran before (a checkpoint?), which cannot be "
            f"recorded: {', '.join(odd)}"
        )


def _require_sources(stages: Sequence[Stage], project: Path) -> None:
    """Check that git can have every input that no stage writes.

    Snakemake drops the job of an output that exists and whose own input is gone, and takes the
    output as a source.
    """
    sources = {dep for stage in stages for dep in stage.deps}
    sources -= {out for stage in stages for out in stage.outs}
    lost = sorted(ignored_paths(project, sources))
    if lost:
        raise RecordError(
            "inputs that no rule writes and git ignores, so that nobody else could have them "
            f"(is an input of the rule that wrote them gone?): {', '.join(lost)}"
        )


def _outputs_in_git(stages: Iterable[Stage], tracked: Collection[str]) -> frozenset[str]:
    """Outputs that git keeps, or keeps a file of."""
    kept = {str(part) for path in tracked for part in (path, *PurePosixPath(path).parents)}
    return frozenset(out for stage in stages for out in stage.outs if out in kept)


def _require_unchanged(
    stages: Iterable[Stage], lock: Lock, artifacts: Sequence[Expected], project: Path
) -> Verification:
    """Check that the new dvc.lock has all stages and the bytes that stand in the project."""
    verification = verify_content(lock, artifacts, project)
    if not verification.ok:
        raise RecordError(
            "files changed while they were being recorded: run `snakemake --cores all` again\n"
            + render(verification)
        )
    notes = [finding.note for finding in stale_stages(stages, lock, source="the workflow")]
    if notes:
        raise RecordError(f"DVC recorded other stages than the workflow has: {'; '.join(notes)}")
    return verification


def _require_results(
    stages: Iterable[Stage],
    states: Iterable[OutputState],
    artifacts: Sequence[Expected],
    project: Path,
) -> None:
    """Check that the bytes of the new dvc.lock are those that the rules' commands wrote.

    They are compared after DVC has hashed them, so that no file is read for this alone.
    """
    rules = {str(PurePosixPath(state.path)): state.rule for state in states}
    changed = changed_outputs(stages, artifacts, project)
    if changed:
        raise RecordError(
            "files are not as the rules that write them left them: delete these and run "
            "`snakemake --cores all` again\n"
            + "\n".join(f"  {one.output} (rule {rules[one.output]}): {one.note}" for one in changed)
        )


def _publish(scratch: Path, project: Path) -> None:
    """Move the pair into the project so that a mixture of old and new is never there."""
    (project / "dvc.lock").unlink(missing_ok=True)
    for name in RECORD_FILES:
        (scratch / name).replace(project / name)
