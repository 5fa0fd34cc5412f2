"""Remotes of each kind bring the same bytes; one that cannot be read is named."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.ports import free_port
from tests.restore.conftest import artifacts, configure

from isogloss.errors import RecordError
from isogloss.restore.run import restore

SSH_SERVER = """\
import asyncio, sys
import asyncssh

async def serve(port, key, folder):
    class Folder(asyncssh.SFTPServer):
        def __init__(self, channel):
            super().__init__(channel, chroot=folder)
    await asyncssh.listen(
        "127.0.0.1", int(port), server_host_keys=[key], authorized_client_keys=key + ".pub",
        sftp_factory=Folder,
    )
    await asyncio.Event().wait()

asyncio.run(serve(*sys.argv[1:]))
"""


@contextmanager
def _serving(command: list[str], port: int, environment: dict[str, str]) -> Iterator[None]:
    """Run a server until it is done with; wait until it answers."""
    server = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        for _ in range(600):
            assert server.poll() is None, server.stderr.read() if server.stderr else ""
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield
    finally:
        server.kill()
        server.communicate()


RESTORE = """\
import sys
from pathlib import Path
from isogloss.errors import IsoglossError
from isogloss.restore.run import restore
from isogloss.restore.words import render
try:
    restored = restore(Path())
except IsoglossError as error:
    sys.exit(f"error: {error}")
print(render(restored))
"""


def _restore(clone, **environment: str) -> subprocess.CompletedProcess[str]:
    """Restore in a process of its own, as the libraries of remotes keep connections open."""
    return subprocess.run(
        [sys.executable, "-c", RESTORE],
        cwd=clone.folder,
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_without_a_remote_nothing_can_be_done(make_clone, pushed: Path) -> None:
    clone = make_clone(pushed)
    with pytest.raises(RecordError, match=r"no default remote is configured.*dvc remote add"):
        restore(clone.folder)
    assert not artifacts(clone)


def test_remote_that_is_not_configured_is_named_with_those_that_are(clone) -> None:
    with pytest.raises(RecordError, match="no remote 'other' is configured; there are: store"):
        restore(clone.folder, remote="other")


def test_remote_may_be_named(clone) -> None:
    clone.path(".dvc/config.local").write_text(
        clone.path(".dvc/config.local").read_text().replace("remote = store", "remote = other")
    )
    clone.object("data/raw/toy/a.txt").unlink()
    assert not restore(clone.folder, remote="store").ok


@pytest.mark.parametrize("empty", [True, False])
def test_folder_without_objects(clone, empty: bool) -> None:
    shutil.rmtree(clone.store)
    if empty:
        clone.store.mkdir()
    with pytest.raises(RecordError, match="remote store does not exist or holds nothing"):
        restore(clone.folder)


def test_broken_configuration_is_no_traceback(clone) -> None:
    clone.path(".dvc/config").write_text("[core\n")
    with pytest.raises(RecordError, match="DVC cannot open"):
        restore(clone.folder)


def test_kind_of_remote_that_there_is_no_package_for(clone) -> None:
    configure(clone, "gs://bucket/store")
    with pytest.raises(RecordError, match=r"the remote cannot be opened.*dvc-gs"):
        restore(clone.folder)


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """Address of an S3 server."""
    pytest.importorskip("moto", reason="needs the extra dev: moto")
    pytest.importorskip("dvc_s3", reason="needs the extra s3: dvc-s3")
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with _serving(command, port, {}):
        yield f"http://127.0.0.1:{port}"


CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture
def bucket(clone, s3: str, pushed: Path) -> Callable[..., None]:
    """Copy the remote's objects into a bucket and make it the clone's remote."""
    import boto3

    keys = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing"}
    client = boto3.client("s3", endpoint_url=s3, region_name="us-east-1", **keys)
    client.create_bucket(Bucket="runs")

    def fill(damaged: str = "") -> None:
        for path in pushed.rglob("*"):
            if path.is_file():
                body = path.read_bytes()
                if damaged and path.name == clone.object(damaged).name:
                    body = body[::-1]
                key = f"toy/{path.relative_to(pushed).as_posix()}"
                client.put_object(Bucket="runs", Key=key, Body=body)
        client.close()

    configure(clone, "s3://runs/toy", endpointurl=s3)
    return fill


@pytest.mark.slow
def test_s3(recorded, clone, bucket) -> None:
    bucket()
    done = _restore(clone, **CREDENTIALS)
    assert done.stdout.startswith("restored: 10 files written"), done.stdout + done.stderr
    assert artifacts(clone) == artifacts(recorded)


@pytest.mark.slow
def test_object_with_other_bytes_in_s3(clone, bucket) -> None:
    bucket(damaged="data/responses/toy/b.1.two")
    done = _restore(clone, **CREDENTIALS)
    assert done.stdout.startswith("differs: data/responses/toy/b.1.two"), done.stdout + done.stderr
    assert not artifacts(clone)


@pytest.mark.slow
def test_s3_without_credentials_or_without_an_answer(clone, bucket) -> None:
    bucket()
    done = _restore(clone, AWS_EC2_METADATA_DISABLED="true")
    assert "remote store (s3) cannot be read: Unable to locate credentials" in done.stderr
    configure(clone, "s3://runs/toy", endpointurl=f"http://127.0.0.1:{free_port()}")
    done = _restore(clone, **CREDENTIALS)
    assert "remote store (s3) cannot be read: Could not connect" in done.stderr
    assert "Traceback" not in done.stderr
    assert not artifacts(clone)


@pytest.mark.slow
def test_ssh(recorded, clone, tmp_path: Path) -> None:
    """Against a server in Python, which is there wherever the client is."""
    pytest.importorskip("dvc_ssh", reason="needs the extra ssh: dvc-ssh")
    import asyncssh

    key, port = tmp_path / "key", free_port()
    pair = asyncssh.generate_private_key("ssh-ed25519")
    pair.write_private_key(str(key))
    pair.write_public_key(f"{key}.pub")
    configure(clone, f"ssh://auditor@127.0.0.1:{port}/store", keyfile=str(key))
    command = [sys.executable, "-c", SSH_SERVER, str(port), str(key), str(tmp_path)]
    with _serving(command, port, {}):
        done = _restore(clone)
    assert done.stdout.startswith("restored: 10 files written"), done.stdout + done.stderr
    assert artifacts(clone) == artifacts(recorded)
    shutil.rmtree(clone.path("data/raw"))
    shutil.rmtree(clone.path(".dvc/cache"))
    done = _restore(clone)
    assert "remote store (ssh) cannot be read" in done.stderr
    assert "Traceback" not in done.stderr
