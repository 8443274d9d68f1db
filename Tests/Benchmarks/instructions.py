"""Instructions a request under callgrind, for the bare C program and for Gatehouse with everything counted. Noise cannot hide this figure."""
import pathlib
import re
import subprocess
import time

from feeds import PATH, bare, mirror
from harness import WORK, Connection, Gatehouse, heading, report, stop

FEW, MANY = 1_000, 3_000
PHONE = {"Accept": "*/*", "Accept-Language": "en-GB,en;q=0.9", "Accept-Encoding": "gzip, deflate",
         "User-Agent": "Shop/412 CFNetwork/1485 Darwin/23.1.0", "Connection": "keep-alive"}


def callgrind(name):
    return ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={WORK}/{name}.out"]


def control(process, *words):
    subprocess.run(["callgrind_control", *words, str(process.pid)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cost(process, name, port, headers, turn):
    """Instructions a request: the difference of many and few leaves out the connection."""
    totals = []
    for requests in (FEW, MANY):
        connection = Connection(port, timeout=120)
        control(process, "--instr=on")
        control(process, "--zero")
        for _ in range(requests):
            status, _, _ = connection.get(PATH, headers)
            assert status in (200, 304)
        control(process, f"--dump=turn{turn}")
        control(process, "--instr=off")
        connection.close()
        newest = max(WORK.glob(f"{name}.out.*"), key=lambda file: file.stat().st_mtime_ns)
        totals.append(int(re.search(r"^(?:totals|summary): (\d+)", newest.read_text(), re.MULTILINE)[1]))
    return (totals[1] - totals[0]) / (MANY - FEW)


if __name__ == "__main__":
    heading(f"Instructions a request: callgrind, the difference of {MANY} and {FEW} requests on one connection")
    server = Gatehouse(apps=1_000)
    mirror(server)
    server.stop()
    c, c_port = bare(callgrind("c"))
    server.start(callgrind("gatehouse"))
    server.wait_for_writes()
    # What is done once after the start, the publication and the look at the history, is over.
    while not (server.data / "publication").is_dir() or len(list((server.data / "publication").iterdir())) < 1_000:
        time.sleep(0.5)
    time.sleep(3)
    tag = Connection(c_port, timeout=120).get(PATH)[1]["ETag"]
    for turn, (name, headers) in enumerate({"200, few headers": {}, "200, a phone's headers": PHONE, "304": PHONE | {"If-None-Match": tag}}.items()):
        theirs = cost(c, "c", c_port, headers, turn)
        ours = cost(server.process, "gatehouse", server.feeds, headers, turn)
        report(f"{name}: C", f"{theirs:,.0f}")
        report(f"{name}: Gatehouse", f"{ours:,.0f}")
        report(f"{name}: Gatehouse / C", f"{ours / theirs:.3f}", "<= 1.15", ours / theirs <= 1.15)
    stop(c)
    server.stop()
