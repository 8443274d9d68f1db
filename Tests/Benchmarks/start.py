"""How long the start takes with 10,000 targets and a long history, and the newest page of that history."""
import os
import socket
import time

from harness import ROUNDS, Gatehouse, free_port, heading, median, report, start, stop, GATEHOUSE, ROOT

CHANGES = int(os.environ.get("BENCH_CHANGES", "1000000"))
APPS = 5_000
PATH = b"GET /feeds/app-0001/launchgate.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def first_feed(server):
    """Seconds from the start of the process to the first feed, and to when writes are first accepted."""
    feeds, admin = free_port(), free_port()
    begun = time.perf_counter()
    process = start([GATEHOUSE, "serve", "--data", server.data, "--listen", f"127.0.0.1:{admin}", "--feeds", f"127.0.0.1:{feeds}",
                     "--public", ROOT / "Public", "--migrations", ROOT / "Migrations"], stdout=-3, stderr=-3)
    while True:
        try:
            with socket.create_connection(("127.0.0.1", feeds)) as phone:
                phone.sendall(PATH)
                answer = phone.recv(65536)
                if answer.startswith(b"HTTP/1.1 200"):
                    break
        except OSError:
            pass
        time.sleep(0.002)
    fed = time.perf_counter() - begun
    server.admin = admin
    server.wait_for_writes()
    writes = time.perf_counter() - begun
    return process, fed, writes


def page(api):
    begun = time.perf_counter()
    status, answer = api.call("GET", "/changes?limit=50")
    took = time.perf_counter() - begun
    assert status == 200 and len(answer["items"]) == 50
    return took


if __name__ == "__main__":
    heading(f"Start with 10,000 targets and {CHANGES:,} changes: process start to first answer, {ROUNDS} starts, medians")
    begun = time.perf_counter()
    long = Gatehouse(apps=APPS, changes=CHANGES, name="long", wrapper=None)
    size = (long.data / "gatehouse.sqlite").stat().st_size
    report("generated in", f"{time.perf_counter() - begun:.0f} s, {size / 1e6:,.0f} MB")
    fed, writes = [], []
    for turn in range(ROUNDS + 1):
        process, one, other = first_feed(long)
        stop(process)
        # The first start has no anchor yet, and checks the whole history before it takes a write.
        if turn == 0:
            report("first start ever: first feed; writes taken", f"{one:.2f} s; {other:.2f} s")
        else:
            fed.append(one)
            writes.append(other)
    report("first feed", f"{median(fed):.2f} s", "<= 1 s", median(fed) <= 1)
    report("writes taken, with an anchor", f"{median(writes):.2f} s")

    heading(f"Newest page of the history (GET /api/v1/changes?limit=50) over {CHANGES:,} and over 1,000 changes; medians of 200")
    short = Gatehouse(apps=5, changes=1_000, name="short")
    long.start()
    long.wait_for_writes()
    time.sleep(2)
    few, many = short.api(), long.api()
    at_few, at_many = [], []
    for _ in range(220):
        at_few.append(page(few))
        at_many.append(page(many))
    at_few, at_many = median(at_few[20:]) * 1000, median(at_many[20:]) * 1000
    report("1,000 changes", f"{at_few:.2f} ms")
    report(f"{CHANGES:,} changes", f"{at_many:.2f} ms")
    report("ratio", f"{at_many / at_few:.2f}", "<= 1.5", at_many / at_few <= 1.5)
    short.stop()
    long.stop()
