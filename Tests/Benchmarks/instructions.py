"""Instructions a request under callgrind, for the bare C program and for Gatehouse with everything counted. Noise cannot hide this figure."""
import re
import subprocess
import time

from feeds import PATH, bare, mirror
from harness import WORK, Connection, Gatehouse, heading, report, stop

FEW, MANY = 500, 1_500
PHONE = {"Accept": "*/*", "Accept-Language": "en-GB,en;q=0.9", "Accept-Encoding": "gzip, deflate",
         "User-Agent": "Shop/412 CFNetwork/1485 Darwin/23.1.0", "Connection": "keep-alive"}


def callgrind(name):
    return ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes", f"--callgrind-out-file={WORK}/{name}.out"]


def control(process, *words):
    subprocess.run(["callgrind_control", *words, str(process.pid)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def spent(process, name, work):
    """Instructions of each thread of the process while `work` runs, and the seconds."""
    control(process, "--instr=on")
    control(process, "--zero")
    before = set(WORK.glob(f"{name}.out.*"))
    begun = time.monotonic()
    work()
    took = time.monotonic() - begun
    control(process, "--dump")
    control(process, "--instr=off")
    totals = [re.search(r"^(?:totals|summary): (\d+)", file.read_text(), re.MULTILINE) for file in set(WORK.glob(f"{name}.out.*")) - before]
    return [int(total[1]) for total in totals if total], took


def cost(process, name, port, headers, path=lambda number: PATH):
    """Instructions a request of the thread that answers, including all counting. Taking the difference of many and few leaves out the
    connection. The work of other threads every second is reported separately: under valgrind a request takes fifty times as long, and would
    bear fifty times its share of that."""
    totals = []
    for requests in (FEW, MANY):
        connection = Connection(port, timeout=120)

        def poll():
            for number in range(requests):
                status, _, _ = connection.get(path(number), headers)
                assert status in (200, 304)

        totals.append(max(spent(process, name, poll)[0]))
        connection.close()
    return (totals[1] - totals[0]) / (MANY - FEW)


if __name__ == "__main__":
    heading(f"Instructions a request: callgrind, the difference of {MANY} and {FEW} requests on one connection")
    server = Gatehouse(apps=1_000)
    mirror(server)
    server.stop()
    c, c_port = bare(callgrind("c"))
    server.start(callgrind("gatehouse"))
    server.wait_for_writes()
    # What is done once after the start, writing the publication and checking the history, is over.
    while not (server.data / "publication").is_dir() or len(list((server.data / "publication").iterdir())) < 1_000:
        time.sleep(0.5)
    time.sleep(3)
    tag = Connection(c_port, timeout=120).get(PATH)[1]["ETag"]
    for _ in range(50):  # the counters of polled feeds are read every second
        Connection(server.feeds, timeout=120).get(PATH)
    idle = {}
    for name, process in (("c", c), ("gatehouse", server.process)):
        threads, took = spent(process, name, lambda: time.sleep(5))
        idle[name] = sum(threads) / took
    report("a second without requests: Gatehouse", f"{idle['gatehouse']:,.0f}", how=f"C {idle['c']:,.0f}")
    report("that on each of 10,000 requests a second", f"{idle['gatehouse'] / 10_000:,.0f}")
    for name, headers in {"200, few headers": {}, "200, a phone's headers": PHONE, "304": PHONE | {"If-None-Match": tag}}.items():
        theirs = cost(c, "c", c_port, headers)
        ours = cost(server.process, "gatehouse", server.feeds, headers)
        report(f"{name}: C", f"{theirs:,.0f}")
        report(f"{name}: Gatehouse", f"{ours:,.0f}")
        report(f"{name}: Gatehouse / C", f"{ours / theirs:.3f}", "<= 1.15", ours / theirs <= 1.15)
        if name == "200, few headers":
            plain = ours
    # Feeds for one phone: a minimum version is set, and a thousand different versions ask, each with its language.
    server.api().require("app-0001", "ios", "4.10.0")
    for name, path in {
        "Bellerophon": lambda number: f"/feeds/app-0001/ios/bellerophon.json?version=4.{number % 1_000}.0&locale=de-AT",
        "LaunchGate": lambda number: f"{PATH}?version=4.{number % 1_000}.0&platform=ios&os=17.2",
    }.items():
        targeted = cost(server.process, "gatehouse", server.feeds, {}, path)
        report(f"1,000 versions, {name}: Gatehouse", f"{targeted:,.0f}")
        report(f"1,000 versions, {name}: beside the feed for everybody", f"{targeted / plain:.3f}", "<= 1.5", targeted / plain <= 1.5)
    stop(c)
    server.stop()
