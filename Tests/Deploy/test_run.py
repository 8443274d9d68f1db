"""deploy/run: the options that it starts the server with. Scripts stand in for the compiler and the programs."""
import subprocess

import pytest

from machine import BUILDING, ROOT, programs


@pytest.fixture
def run(tmp_path):
    """Runs deploy/run with options and variables, from a folder of its own."""
    (tmp_path / "here").mkdir()
    programs(tmp_path / "bin", BUILDING | {
        "gatehouse": f'[ "$1" = serve ] || exit 0; printf "%s\\n" "$@" >"{tmp_path}/words"; pwd >"{tmp_path}/folder"; env >"{tmp_path}/variables"\n'
        'echo \'{"admin":"http://127.0.0.1:1","feeds":"http://127.0.0.1:2"}\'',
        "gatectl": "echo 'error: no answer' >&2; exit 7",
    })

    def run(*options, **variables):
        return subprocess.run(
            [ROOT / "deploy/run", *options], capture_output=True, text=True, timeout=30, cwd=tmp_path / "here",
            env={"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path), **variables},
        )

    return run


@pytest.fixture
def started(run, tmp_path):
    """Runs deploy/run; returns the --data that the server was started with."""

    def start(*options, **variables):
        done = run(*options, **variables)
        assert done.returncode == 0, done.stderr
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


def test_who_says_where_it_is_is_heard(started, tmp_path):
    assert started("--data", "here") == "here"
    assert started("--config", "gatehouse.json", "--data", "here") == "here"
    assert started(GATEHOUSE_DATA="there") is None
    # From the folder in which it was typed, and not from the project's.
    assert (tmp_path / "folder").read_text().strip() == str(tmp_path / "here")


def test_the_projects_folders_are_used_where_nobody_names_others(started, tmp_path):
    def folders():
        lines = (tmp_path / "variables").read_text().splitlines()
        return [next(line.split("=", 1)[1] for line in lines if line.startswith(f"GATEHOUSE_{name}=")) for name in ("PUBLIC", "MIGRATIONS")]

    started()
    assert folders() == [f"{ROOT}/Public", f"{ROOT}/Migrations"]
    started(GATEHOUSE_PUBLIC="/other")
    assert folders() == ["/other", f"{ROOT}/Migrations"]
    # Nothing comes after an option and beats it.
    started("--public", "/own")
    assert (tmp_path / "words").read_text().split().count("--public") == 1


@pytest.mark.parametrize(
    ("options", "variables"),
    [(["--data", "here"], {}), (["--database=postgresql://db.example/gatehouse"], {}), ([], {"GATEHOUSE_DATABASE": "postgresql://db.example/gatehouse"})],
)
def test_a_demo_has_data_of_its_own(run, tmp_path, options, variables):
    done = run("--demo", *options, **variables)
    assert done.returncode == 64 and "leave out --demo" in done.stderr, done.stderr
    assert not (tmp_path / "words").exists()


def test_a_demo_without_its_app_says_why(run):
    done = run("--demo")
    assert done.returncode == 1 and "error: no answer" in done.stderr, done.stderr
