"""The time of gatectl, as it is shipped, from start to answer, compared with curl doing the same requests."""
import os
import subprocess
import time

from harness import ROUNDS, Gatehouse, heading, median, report

GATECTL = os.environ["GATECTL_SHIPPED"]
TURNS = 10 * ROUNDS
# How many times as long as curl it may take.
BAR = 1.5


def timed(words, environment):
    begun = time.perf_counter()
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    took = time.perf_counter() - begun
    if done.returncode != 0 or not done.stdout:
        raise SystemExit(f"{words[0]}: {done.returncode}\n{done.stderr.decode()}")
    return took


if __name__ == "__main__":
    heading(f"gatectl beside curl doing the same requests: process start to end, {TURNS} turns of each in turn, medians")
    server = Gatehouse(apps=20, name="gatectl")
    server.wait_for_writes()
    base = f"http://127.0.0.1:{server.admin}"
    environment = {"PATH": os.environ["PATH"], "HOME": str(server.data), "LANG": "C.UTF-8", "GATECTL_SERVER": base, "GATECTL_TOKEN": server.token}
    # The token is read from a file: on the command line it would be in the process list.
    token = server.data / "header"
    token.write_text(f"Authorization: Bearer {server.token}\n")
    rows = [
        ("gatectl status: 3 requests", ["status"], ["/api/v1/status", "/api/v1/windows?state=pending,running&limit=500", "/api/v1/targets"]),
        ("gatectl apps list --json: 1 request", ["apps", "list", "--json"], ["/api/v1/apps"]),
        ("gatectl export: 1 request", ["export"], ["/api/v1/export"]),
        ("gatectl feed: 1 request", ["feed", "app-0001", "ios"], ["/feeds/app-0001/ios/combined.json"]),
    ]
    for name, words, paths in rows:
        curl = ["curl", "-s", "-f", "-H", f"@{token}", *(base + path for path in paths)]
        tool = [GATECTL, *words]
        own, bare = [], []
        # Each turn measures both, so that other work on the machine affects both alike.
        for turn in range(TURNS + 3):
            one, other = timed(tool, environment), timed(curl, environment)
            if turn >= 3:
                own.append(one)
                bare.append(other)
        own, bare = median(own), median(bare)
        report(name, f"{own * 1000:.1f} ms, curl {bare * 1000:.1f} ms: {own / bare:.2f}", f"<= {BAR}", own <= BAR * bare)
    server.stop()
