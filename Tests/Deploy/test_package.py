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


@pytest.fixture
def purged(tmp_path):
    """Purges the package on a machine in a folder, and returns what that said."""
    (tmp_path / "var/lib").mkdir(parents=True)

    def purged():
        script = (ROOT / "deploy/debian/postrm").read_text(encoding="utf-8")
        script = script.replace("/var/", f"{tmp_path}/var/").replace("/usr/bin/deb-systemd-helper", f"{tmp_path}/none")
        done = subprocess.run(["sh", "-c", script, "postrm", "purge"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stderr

    return purged


def data_of_a_server(folder):
    (folder / "keys").mkdir(parents=True)
    (folder / "keys/rows.key").touch()
    (folder / "gatehouse.sqlite").touch()


def test_purge_removes_the_data_and_says_that_backups_are_left(purged, tmp_path):
    data_of_a_server(tmp_path / "var/lib/gatehouse")
    (tmp_path / "var/backups/gatehouse/daily").mkdir(parents=True)
    assert purged() == f"Backups of Gatehouse are left in {tmp_path}/var/backups/gatehouse\n"
    assert not (tmp_path / "var/lib/gatehouse").exists()


def test_purge_says_where_data_is_left_that_a_link_led_to(purged, tmp_path):
    data_of_a_server(tmp_path / "disk/gatehouse")
    (tmp_path / "var/lib/gatehouse").symlink_to(tmp_path / "disk/gatehouse")
    assert purged() == f"The database and the keys of Gatehouse are left in {tmp_path}/disk/gatehouse\n"
    assert not (tmp_path / "var/lib/gatehouse").is_symlink() and (tmp_path / "disk/gatehouse/keys/rows.key").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to mount")
def test_purge_empties_a_disk_of_its_own_and_goes_on(purged, tmp_path):
    folder = tmp_path / "var/lib/gatehouse"
    folder.mkdir()
    (tmp_path / "var/backups/gatehouse/daily").mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    try:
        data_of_a_server(folder)
        said = purged()
        assert not list(folder.iterdir())
    finally:
        subprocess.run(["umount", folder], check=True)
    assert said.splitlines() == [
        f"The empty folder {folder} is left", f"Backups of Gatehouse are left in {tmp_path}/var/backups/gatehouse",
    ]
