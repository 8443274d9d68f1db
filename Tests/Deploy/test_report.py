"""deploy/test-report.py: the last lines of deploy/test."""
import subprocess
import sys

import pytest

from machine import ROOT

PASSED = '<testcase classname="One" name="holds()" time="0.1"/>'
FAILED = '<testcase classname="One" name="breaks(with:)"><failure message="2 is not 3"/></testcase>'
MENDED = '<testcase classname="One" name="breaks(with:)"/>'
# As pytest and as Swift Testing write it.
SKIPPED = '<testcase classname="a" name="b"><skipped message="varnish is not installed">test_edge.py:21: …</skipped></testcase>' \
    '<testcase classname="One" name="c()"><skipped>about SQLite\'s file</skipped></testcase>'


@pytest.mark.parametrize("reports, status, lines", [
    ({"swift-swift-testing": PASSED}, 0, ["1 passed, 0 failed"]),
    ({"swift-swift-testing": PASSED + FAILED}, 1, ["failed: swift: One.breaks(with:): 2 is not 3", "1 passed, 1 failed"]),
    (
        {"swift-swift-testing": PASSED + FAILED, "swift-again-swift-testing": MENDED}, 0,
        ["passed when tried once more: swift: One.breaks(with:): 2 is not 3", "2 passed, 0 failed"],
    ),
    (
        {"deploy": PASSED + SKIPPED}, 0,
        ["not run: deploy: 1, varnish is not installed", "not run: deploy: 1, about SQLite's file", "1 passed, 0 failed"],
    ),
    ({"deploy": SKIPPED}, 1, [
        "not run: deploy: 1, varnish is not installed", "not run: deploy: 1, about SQLite's file", "failed: no test ran", "0 passed, 1 failed",
    ]),
    ({"deploy": PASSED, "alone": "<testcase"}, 1, ["failed: alone.xml ends in the middle: its runner died", "1 passed, 1 failed"]),
])
def test_the_summary_tells_what_did_not_pass(tmp_path, reports, status, lines):
    for name, cases in reports.items():
        (tmp_path / f"{name}.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>", encoding="utf-8")
    assert said("summary", tmp_path, "0") == (status, lines)


def test_what_failed_is_a_pattern_for_the_runner(tmp_path):
    report = tmp_path / "swift.xml"
    report.write_text(f"<testsuites>{PASSED}{FAILED}{SKIPPED}</testsuites>", encoding="utf-8")
    assert said("failed", report) == (0, [r"One/breaks[(]"])


def test_a_part_that_died_without_a_report_is_a_failure(tmp_path):
    (tmp_path / "swift.xml").write_text(f"<testsuites>{PASSED}</testsuites>", encoding="utf-8")
    assert said("summary", tmp_path, "1") == (1, ["failed: a part ended with an error and named no test", "1 passed, 1 failed"])


def said(*words):
    done = subprocess.run([sys.executable, ROOT / "deploy/test-report.py", *map(str, words)], capture_output=True, text=True, timeout=30)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()
