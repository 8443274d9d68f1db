"""How late a window that is due in two seconds takes effect, quiet and under load, as seen by a phone that polls every two milliseconds."""
import datetime
import subprocess
import threading
import time

from harness import ROUNDS, Connection, Gatehouse, heading, median, report

APPS = 1_000
AHEAD = 2.0


def text(moment):
    return datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Load:
    """Sends polls as fast as the server answers, and twenty changes a second, until the end of the block."""

    def __init__(self, server):
        self.server, self.end = server, threading.Event()

    def __enter__(self):
        self.wrk = subprocess.Popen(["wrk", "-t1", "-c64", "-d600s", f"http://127.0.0.1:{self.server.feeds}/feeds/app-0001/launchgate.json"], stdout=subprocess.DEVNULL)
        self.thread = threading.Thread(target=self.change)
        self.thread.start()

    def change(self):
        api, number = self.server.api(), 0
        while not self.end.wait(0.05):
            number += 1
            api.toggle(f"app-{number % APPS:04d}", "android")

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()
        self.wrk.terminate()
        self.wrk.wait()


def lateness(server, app):
    """Milliseconds from the time that the window is due to the first poll that shows it."""
    api, phone, path = server.api(), Connection(server.feeds), f"/feeds/{app}/ios/bellerophon.json"
    _, target = api.call("GET", f"/targets/{app}/ios")
    _, _, before = phone.get(path)
    due = time.time() + AHEAD
    body = {"targets": [{"app": app, "platform": "ios", "revision": target["revision"]}], "start": {"at": text(due)},
            "set": {"killSwitch": {"message": f"Until nine. {due}", "retryInterval": 30}}}
    status, answer = api.call("POST", "/windows", body)
    if status != 201:
        raise SystemExit(f"the window was refused: {status} {answer}")
    # To the millisecond, as the server keeps it.
    due = int(due * 1_000) / 1_000
    while True:
        _, _, now = phone.get(path)
        if now != before:
            return (time.time() - due) * 1_000
        if time.time() > due + 10:
            raise SystemExit("the window did not take effect")
        time.sleep(0.002)


if __name__ == "__main__":
    heading(f"A window due in {AHEAD:.0f} s, {APPS} apps x 2 platforms: from its moment to the first poll that shows it, {2 * ROUNDS} of each")
    server = Gatehouse(apps=APPS)
    server.wait_for_writes()
    quiet = [lateness(server, f"app-{number:04d}") for number in range(10, 10 + 2 * ROUNDS)]
    with Load(server):
        busy = [lateness(server, f"app-{number:04d}") for number in range(100, 100 + 2 * ROUNDS)]
    report("quiet: median, latest", f"{median(quiet):.0f} ms, {max(quiet):.0f} ms", "0 to 200 ms", 0 <= min(quiet) and max(quiet) <= 200)
    report("under load: median, latest", f"{median(busy):.0f} ms, {max(busy):.0f} ms", "0 to 200 ms", 0 <= min(busy) and max(busy) <= 200)
    server.stop()
