"""deploy/package: where it puts the package, and what an interrupted run leaves. Scripts stand in for the compiler, the programs and
Debian's tools."""
import os
import shutil
import subprocess

import pytest

from machine import BUILDING, ROOT, programs


@pytest.fixture
def package(tmp_path):
    """Runs a copy of deploy/package with options, from a folder of its own; dpkg-deb is interrupted half-way if told so."""
    project = tmp_path / "a project"
    shutil.copytree(ROOT / "deploy", project / "deploy")
    for name in ("Public", "Migrations"):
        (project / name).mkdir()
    (tmp_path / "here").mkdir()
    programs(tmp_path / "bin", BUILDING | {
        **dict.fromkeys(("gatehouse", "gatectl"), 'case "$1" in --version) echo 1.2.3 ;; *) echo \'{"command": {"abstract": "It."}}\' ;; esac'),
        "dpkg": "echo amd64",
        "dpkg-shlibdeps": "echo shlibs:Depends=libc6",
        "strip": "",
        "dpkg-deb": 'echo half >"${!#}"; [ -z "${INTERRUPTED:-}" ] || kill -INT $PPID; [ -z "${INTERRUPTED:-}" ] || exit 130; echo whole >"${!#}"',
    })

    def package(*options, **variables):
        return subprocess.run(
            [project / "deploy/package", *options], capture_output=True, text=True, timeout=60, cwd=tmp_path / "here",
            env={"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "HOME": str(tmp_path), **variables},
        )

    return package


def test_an_interrupted_run_leaves_no_package_that_the_next_one_takes_for_whole(package, tmp_path):
    assert package("--out", "made", INTERRUPTED="yes").returncode != 0
    # The folder is meant from where it was typed.
    folder = tmp_path / "here/made"
    assert not [file.name for file in folder.iterdir() if "gatehouse" in file.name]
    done = package("--out", "made")
    assert done.returncode == 0, done.stderr
    made = folder / "gatehouse_1.2.3_amd64.deb"
    assert made.read_text() == "whole\n"
    assert done.stdout == f"{made}\n"
    assert (folder / "gatectl_1.2.3_linux_amd64.tar.gz").exists()
