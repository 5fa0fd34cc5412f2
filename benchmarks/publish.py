"""What was measured as Markdown and as CSV."""

import csv
import io
from collections.abc import Sequence

from benchmarks.goals import GOALS, verdict
from benchmarks.machine import Machine
from benchmarks.measure import TOLERANCE, Measurement, Timing
from benchmarks.scoring import CONVERSATIONS
from benchmarks.stream import Streaming

OURS = "isogloss"
REFERENCE = "lm-eval, batch 1"
"""The peer that ratios refer to."""

MARK = "<!-- Made by `python -m benchmarks.scoring`; do not edit. -->"

COLUMNS = (
    "workload",
    "peer",
    "prompts",
    "rounds",
    "cpu_ms",
    "cpu_ms_lowest",
    "cpu_ms_highest",
    "times_faster_than_reference",
    "largest_difference",
    "largest_difference_of_shares",
)


def markdown(measurements: Sequence[Measurement], machine: Machine, model: str, day: str) -> str:
    """Return the page with all tables."""
    parts = [
        MARK,
        f"Measured on {day}: {describe(machine)}. Model: {model}. One process, one thread; "
        "CPU seconds of the process, median over rounds, lowest and highest in brackets.",
        speed_table(measurements),
        goal_table(measurements),
        workload_table(measurements),
        *_notes(measurements),
    ]
    return "\n\n".join(parts) + "\n"


def describe(machine: Machine) -> str:
    """Return the machine and versions in one line."""
    return (
        f"{machine.processor}, {machine.instructions}, {machine.system}, "
        f"Python {machine.python}, torch {machine.torch}, transformers {machine.transformers}, "
        f"lm-eval {machine.lm_eval}, threads: {machine.threads}"
    )


def speed_table(measurements: Sequence[Measurement]) -> str:
    """CPU ms for each prompt, peer by peer."""
    head = (
        "workload",
        "way",
        "prompts a round",
        "CPU ms a prompt",
        f"times faster than {REFERENCE}",
        "largest difference in a probability",
    )
    rows = [
        (
            m.workload,
            t.peer,
            str(t.prompts),
            _milliseconds(t),
            f"{m.ratio(t.peer, REFERENCE):.2f}",
            "" if t is m.timings[0] else _difference(t),
        )
        for m in measurements
        for t in m.timings
    ]
    return _table(head, rows)


def goal_table(measurements: Sequence[Measurement]) -> str:
    """What was to be reached, and whether it was."""
    head = ("workload", f"times faster than {REFERENCE}", "limit", "aim", "", "llama.cpp, quoted")
    rows = []
    for m in measurements:
        goal, ratio = GOALS[m.workload], m.ratio(OURS, REFERENCE)
        quoted = f"{goal.llama_ms:g} ms ({goal.llama_format})"
        reached = verdict(ratio, goal)
        rows.append(
            (m.workload, f"{ratio:.2f}", f"{goal.limit:g}", f"{goal.aim:g}", reached, quoted)
        )
    return _table(head, rows)


def workload_table(measurements: Sequence[Measurement]) -> str:
    """What the workloads consist of, and how well the processor is used."""
    head = (
        "workload",
        "prompts",
        "tokens a prompt",
        "shared by all",
        "tokens left when equal beginnings count once",
        "needed GFLOP a prompt",
        "peak GFLOP/s",
        "share of the peak",
    )
    rows = [
        (
            f"{m.workload}: {GOALS[m.workload].title}",
            str(m.work.prompts),
            f"{m.work.tokens / m.work.prompts:.1f}",
            str(m.work.shared),
            f"{m.work.unique_tokens / m.work.prompts:.1f}",
            f"{m.operations / 1e9:.2f}",
            f"{m.peak / 1e9:.1f}",
            f"{100 * m.utilisation(OURS):.0f} %",
        )
        for m in measurements
    ]
    return _table(head, rows)


def _notes(measurements: Sequence[Measurement]) -> list[str]:
    worst = max(m.timing(OURS).difference for m in measurements)
    checked = sum(m.checked for m in measurements)
    harness = max(t.difference for m in measurements for t in m.timings if _is_harness(t))
    return [
        f"Agreement: over {checked} prompts {OURS} differs from one prompt at a time by at most "
        f"{worst:.1e} in a probability (allowed: {TOLERANCE:.0e}). lm-eval counts the space before "
        "a rating as part of the answer, which makes its values smaller by the probability of the "
        f"space and moves them by up to {harness:.1e}; the table compares its values after "
        "division by their sum.",
        "Clock: loading the model, rendering the chat template and tokenising the prompts come "
        "before it, for lm-eval too; finding the tokens of the answers is within it for isogloss "
        "and before it for the others. All ways read the same tokens.",
        "llama.cpp was not run here. Its figures are quoted: CPU ms for each prompt of workloads "
        "of this shape, on one thread of another machine (AVX-512 build, best of f32, f16, q8_0 "
        "and Q4_1, prefix cached). They cannot be divided by the figures above.",
    ]


def csv_text(measurements: Sequence[Measurement]) -> str:
    """Return one line for each workload and peer."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for m in measurements:
        for t in m.timings:
            times = (t.typical, min(t.seconds), max(t.seconds))
            numbers = [f"{1e3 * seconds:.3f}" for seconds in times]
            apart = (f"{t.difference:.3e}", f"{t.share_difference:.3e}")
            ratio = f"{m.ratio(t.peer, REFERENCE):.4f}"
            writer.writerow(
                (t.workload, t.peer, t.prompts, len(t.seconds), *numbers, ratio, *apart)
            )
    return out.getvalue()


def memory_markdown(found: Streaming, machine: Machine, model: str, day: str) -> str:
    """Return what streaming conversations took, in words."""
    each = 1e3 * found.seconds / found.prompts
    return (
        f"{MARK}\n\nMeasured on {day}: {describe(machine)}. Model: {model}.\n\n"
        f"{found.conversations} of {CONVERSATIONS} conversations, "
        f"{found.prompts // found.conversations} questions about each, {found.prompts} prompts, "
        f"{each:.1f} CPU ms a prompt. Most memory that the process held: {found.loaded_mb:.0f} MB "
        f"with the model loaded, {found.first_mb:.0f} MB after the first conversation, "
        f"{found.last_mb:.0f} MB after the last. The last conversation differs from one prompt at "
        f"a time by at most {found.difference:.1e} in a probability.\n"
    )


def _difference(timing: Timing) -> str:
    """As shares where the values hold the probability of a space as well."""
    if _is_harness(timing):
        return f"{timing.share_difference:.1e} (shares)"
    return f"{timing.difference:.1e}"


def _is_harness(timing: Timing) -> bool:
    return timing.peer.startswith("lm-eval")


def _milliseconds(timing: Timing) -> str:
    low, high = 1e3 * min(timing.seconds), 1e3 * max(timing.seconds)
    return f"{1e3 * timing.typical:.1f} ({low:.1f} to {high:.1f})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
