"""deploy/run: the options that it starts the server with. Scripts stand in for the compiler and the server."""
import subprocess

import pytest

from machine import ROOT


@pytest.fixture
def started(tmp_path):
    """Runs deploy/run with options and variables; returns the --data that the server was started with."""
    (tmp_path / "bin").mkdir()
    for name, script in {
        "swift": f'case "$*" in *--version) echo "Swift version 6.3.1" ;; *--show-bin-path) echo "{tmp_path}/bin" ;; esac',
        "gatehouse": f'printf "%s\\n" "$@" >"{tmp_path}/words"; echo \'{{"admin":"http://127.0.0.1:1","feeds":"http://127.0.0.1:2"}}\'',
        # Says that every package is installed.
        "dpkg-query": 'echo "ii "',
    }.items():
        file = tmp_path / "bin" / name
        file.write_text("#!/bin/bash\n" + script + "\n")
        file.chmod(0o755)

    def start(*options, **variables):
        subprocess.run(
            [ROOT / "deploy/run", *options], check=True, capture_output=True, timeout=30,
            env={"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path), **variables},
        )
        words = (tmp_path / "words").read_text().splitlines()
        return words[words.index("--data") + 1] if "--data" in words else None

    return start


def test_the_data_is_at_home_where_nobody_says_another_place(started, tmp_path):
    own = f"{tmp_path}/.local/share/gatehouse"
    assert started() == own
    assert started("--listen", "127.0.0.1:9090") == own
    assert started("--database", "postgresql://db.example/gatehouse") == own


def test_a_configuration_file_may_say_where_it_is(started):
    assert started("--config", "gatehouse.json") is None
    assert started("--config=gatehouse.json") is None
    assert started(GATEHOUSE_CONFIG="gatehouse.json") is None


def test_who_says_where_it_is_is_heard(started):
    assert started("--data", "here") == "here"
    assert started("--config", "gatehouse.json", "--data", "here") == "here"
    assert started(GATEHOUSE_DATA="there") is None
