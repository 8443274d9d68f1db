"""A server for each file of tests, started as in the dashboard's tests."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Dashboard"))

from gatehouse_server import Server  # noqa: E402


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path)
    yield server
    server.stop()
