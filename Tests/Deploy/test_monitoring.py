"""Alerts and dashboard, checked against the metrics that the server really has."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import pytest

from machine import ROOT, chapters

sys.path.insert(0, str(ROOT / "Tests/Faults"))
from postgres import Cluster  # noqa: E402

FOLDER = ROOT / "deploy/monitoring"
RULES = (FOLDER / "gatehouse.rules.yml").read_text(encoding="utf-8")
CASES = (FOLDER / "gatehouse.tests.yml").read_text(encoding="utf-8")
README = (FOLDER / "README.md").read_text(encoding="utf-8")
ALERTS = re.findall(r"- alert: (\w+)", RULES)
# Metrics that Prometheus itself makes.
OWN = {"up"}


def metrics(expression):
    """The metrics in an expression; those of a histogram by the histogram's name."""
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\"[^\"]*\"|by \([^)]*\)", "", expression)
    names = set(re.findall(r"\b(?:gatehouse|process|up)(?:_\w+)?\b", bare))
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in names} - OWN


def told(machine):
    """The names of all metrics of /metrics and edge-lag, and the page that they are on, with labels."""
    feed = f"http://127.0.0.1:{machine.ports['8081']}/feeds/shop/ios/gate.json"
    edge = subprocess.run([sys.executable, FOLDER / "edge-lag", feed, feed], capture_output=True, text=True, check=True).stdout
    page = machine.ask("/metrics")[1] + edge
    return set(re.findall(r"^# TYPE (\w+)", page, re.M)), page


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool comes with Debian's package prometheus")
@pytest.mark.parametrize("words", (["check", "rules", "gatehouse.rules.yml"], ["test", "rules", "gatehouse.tests.yml"]))
def test_prometheus_takes_the_rules_and_every_case_holds(words):
    done = subprocess.run(["promtool", *words], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_has_a_case_a_meaning_and_something_to_do():
    assert len(ALERTS) == len(set(ALERTS)) > 10
    for alert in ALERTS:
        assert f'alertname="{alert}"' in CASES, alert
        assert f"**{alert}**." in README, alert
    assert set(re.findall(r"^\*\*(\w+)\*\*\.", README, re.M)) == set(ALERTS)
    assert RULES.count("summary:") == RULES.count("action:") == len(ALERTS)


def test_what_is_to_be_done_stands_in_the_runbook():
    titles = list(chapters((ROOT / "deploy/RUNBOOK.md").read_text(encoding="utf-8")))
    named = re.findall(r"RUNBOOK\.md, ([^.\"]+)\.", RULES) + re.findall(r"→\s+([A-Z][^.]+)\.$", README, re.M)
    assert len(named) > 10
    for title in named:
        assert title.replace("\n", " ") in titles, title


def test_every_metric_is_one_that_is_told(ended, machine, tmp_path):
    # With the options that some metrics depend on; nobody listens at the store's address.
    store = {"GATEHOUSE_PUBLISH": "s3://feeds/production", "GATEHOUSE_PUBLISH_ENDPOINT": "http://127.0.0.1:9", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
    here = machine(GATEHOUSE_BACKUP_DIR=tmp_path / "backups", **store).fill()
    here.run("gatectl backup create")
    here.ask("/feeds/shop/ios/gate.json", "8081")
    known, page = told(here)
    # And one of several servers.
    cluster = Cluster()
    ended(cluster.end)
    shared = machine(GATEHOUSE_DATABASE=cluster.url)
    shared.environment["GATEHOUSE_DATABASE"] = cluster.url
    shared.fill()
    until = time.monotonic() + 20
    while "gatehouse_server_sequence{" not in shared.ask("/metrics")[1]:
        assert time.monotonic() < until
        time.sleep(0.05)
    known |= told(shared)[0]
    expressions = re.findall(r"expr: (?:>-\n((?:\s{10,}.*\n)+)|(.*))", RULES)
    asked = set().union(*(metrics(one or other) for one, other in expressions))
    assert len(asked) > 12
    assert asked <= known, asked - known
    dashboard = json.loads((FOLDER / "grafana-dashboard.json").read_text(encoding="utf-8"))
    shown = set()
    for panel in dashboard["panels"]:
        assert panel["description"], panel["title"]
        for target in panel["targets"]:
            shown |= metrics(target["expr"])
    shown |= {name for one in dashboard["annotations"]["list"] for name in metrics(one["expr"])}
    assert shown <= known, shown - known
    # Every metric is in the dashboard or an alert, so that a new one is not forgotten.
    left = {name for name in known - shown - asked if name.startswith("gatehouse")}
    assert not left
    # Label values in the rules exist in the metrics.
    for label, value in re.findall(r'\{(state|listener)="(\w+)"', RULES):
        assert f'{label}="{value}"' in page


def test_ids_and_places_of_the_panels_are_each_ones_own():
    panels = json.loads((FOLDER / "grafana-dashboard.json").read_text(encoding="utf-8"))["panels"]
    assert len({panel["id"] for panel in panels}) == len({panel["title"] for panel in panels}) == len(panels)
    taken = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24 and not cells & taken, panel["title"]
        taken |= cells


def test_edge_lag_tells_an_edge_that_is_behind_or_away(machine, tmp_path):
    here = machine().fill()
    origin = f"http://127.0.0.1:{here.ports['8081']}/feeds/shop/ios/gate.json"

    def lag(edge):
        done = subprocess.run([sys.executable, FOLDER / "edge-lag", origin, edge, "1"], capture_output=True, text=True, check=True, timeout=30)
        return {name: float(value) for name, value in re.findall(r"^(gatehouse_\w+) (\S+)$", done.stdout, re.M)}

    fresh = lag(origin)
    assert fresh["gatehouse_edge_up"] == 1 and fresh["gatehouse_edge_lag_seconds"] < 1
    stale = tmp_path / "gate.json"
    stale.write_text('{"sequence":0}')
    behind = lag(stale.as_uri())
    assert behind == {"gatehouse_edge_up": 1, "gatehouse_edge_lag_seconds": 1}
    away = lag("http://127.0.0.1:1/gate.json")
    assert away == {"gatehouse_edge_up": 0, "gatehouse_edge_lag_seconds": 1}
    # An origin that is away says nothing about the edge.
    here.run("systemctl stop")
    assert lag(stale.as_uri()) == {"gatehouse_edge_up": 1, "gatehouse_edge_lag_seconds": 0}


@pytest.mark.skipif(os.geteuid() != 0, reason="cron runs it as another user")
def test_the_line_for_cron_writes_where_node_exporter_reads(machine):
    here = machine().fill()
    # Five fields of time, the user, and the command, which cron gives to sh with this PATH.
    user, command = re.search(r"^(?:\* ){5}(\S+) (.*edge-lag .*)$", README, re.M).groups()
    # Open to everybody, unlike pytest's own folder, and root's, as Debian's package has it.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="node-exporter-"))
    folder.chmod(0o755)
    try:
        shutil.copy(FOLDER / "edge-lag", folder / "edge-lag")
        feed = f"http://127.0.0.1:{here.ports['8081']}/feeds/shop/ios/gate.json"
        command = command.replace("/usr/lib/gatehouse/edge-lag", str(folder / "edge-lag")).replace("/var/lib/prometheus/node-exporter", str(folder))
        command = re.sub(r"https?://\S+", feed, command)
        done = subprocess.run(
            ["/sbin/runuser", "-u", user, "--", "/bin/sh", "-c", command], capture_output=True, text=True, timeout=30, cwd="/",
            env={"PATH": "/usr/bin:/bin"}, check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "gatehouse_edge_up 1\n" in (folder / "gatehouse.prom").read_text()
        assert (folder / "gatehouse.prom").stat().st_mode & 0o044 == 0o044
    finally:
        shutil.rmtree(folder)
