"""A machine for each test, removed after it."""
import pathlib
import tempfile

import pytest

from machine import GATEHOUSE, Machine


def pytest_collection_modifyitems(items):
    if not GATEHOUSE.exists():
        for item in items:
            item.add_marker(pytest.mark.skip(reason=f"{GATEHOUSE} is not there: build it, or set GATEHOUSE_BIN"))


@pytest.fixture
def machine():
    made = []

    def make(**options):
        made.append(Machine(pathlib.Path(tempfile.mkdtemp(prefix="gatehouse-machine-")) / "root", **options))
        return made[-1]

    yield make
    for each in made:
        each.close()
        each.path.parent.rmdir()


@pytest.fixture
def ended():
    """Takes functions to call when the test has ended and its machines are gone."""
    calls = []
    yield calls.append
    for call in calls:
        call()


@pytest.fixture
def stopped():
    """Takes processes to end with the test."""
    processes = []
    yield processes.append
    for process in processes:
        process.terminate()
        process.wait(20)
