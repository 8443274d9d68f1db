"""Gatehouse behind the shipped Varnish and nginx configurations: fresh, revalidated, stale only when the origin fails, and back again."""
import signal
import time

from house import WORK, Origin, check, failures, get, nginx, varnish, wait


def run(name, edge):
    print(f"== {name}", flush=True)
    origin = Origin(name)
    port = edge(origin)
    serves = wait(lambda: get(port)[0] == 200, 30) is not None
    check("it serves", serves)
    if not serves:
        print("".join(log.read_text() for log in WORK.glob("*.log")))
        return
    status, headers, body = get(port)
    _, own, fresh = get(origin.feeds)
    check("the origin's bytes, ETag, Cache-Control and CORS", body == fresh and all(headers.get(field) == own[field] for field in (
        "ETag", "Cache-Control", "Access-Control-Allow-Origin", "Content-Type")), str(headers))
    check("a client's own ETag is answered 304", get(port, headers={"If-None-Match": own["ETag"]})[0] == 304)
    check("HEAD", get(port, method="HEAD")[0] == 200)

    slowest = 0
    for turn in range(3):
        text = f"Turn {turn}"
        get(port)
        origin.say(text)
        took = wait(lambda: text.encode() in get(port)[2], 10)
        slowest = max(slowest, 99 if took is None else took)
    check("a change is seen within 2 seconds", slowest <= 2.3, f"{slowest:.2f} s")

    before = origin.unchanged()
    time.sleep(2.2)
    get(port)
    check("an expired feed is asked for with its ETag and answered 304", origin.unchanged() > before)

    status, headers, body = get(port, "/feeds/late/launchgate.json")
    check("a feed that is not there is 404, in plain text", status == 404 and headers["Content-Type"].startswith("text/plain"), str(status))
    origin.call("POST", "/apps", {"key": "late", "name": "Late"})
    origin.call("PUT", "/apps/late/platforms/ios", {})
    took = wait(lambda: get(port, "/feeds/late/launchgate.json")[0] == 200, 5)
    check("and 200 as soon as it is", took is not None and took < 0.5, f"{took}")

    def steady(seconds, text):
        """The share of polls that were not 200 with that text, and the slowest."""
        end, wrong, count, slowest, seen = time.monotonic() + seconds, 0, 0, 0, {}
        while time.monotonic() < end:
            begun = time.monotonic()
            try:
                status, _, body = get(port)
            except OSError:
                status, body = 0, b""
            slowest = max(slowest, time.monotonic() - begun)
            count += 1
            if status != 200 or text.encode() not in body:
                wrong += 1
                seen[status, body[:60]] = round(time.monotonic() - end + seconds, 2)
            time.sleep(0.01)
        return wrong, f"{wrong} of {count} polls, the slowest {slowest:.2f} s{seen or ''}"

    get(port)
    origin.kill()
    wrong, detail = steady(6, "Turn 2")
    check("the origin killed: the last feed, from the first poll on", wrong == 0, detail)
    status, headers, _ = get(port, "/feeds/none/launchgate.json")
    check("nothing to serve: 503 in plain text, not to be kept", status == 503 and headers["Content-Type"].startswith("text/plain")
          and headers.get("Cache-Control") == "no-store", f"{status} {headers}")

    origin.start()
    origin.say("Back again")
    took = wait(lambda: b"Back again" in get(port)[2], 10)
    check("the origin back: a kill is seen within 3 seconds", took is not None and took <= 3, f"{took:.2f} s" if took else "never")

    origin.process.send_signal(signal.SIGSTOP)
    wrong, detail = steady(8, "Back again")
    check("the origin hangs: the last feed", wrong == 0, detail)
    origin.process.send_signal(signal.SIGCONT)
    origin.say(None)
    took = wait(lambda: b"Back again" not in get(port)[2], 10)
    check("it goes on: the kill is lifted within 3 seconds", took is not None and took <= 3, f"{took:.2f} s" if took else "never")
    origin.process.terminate()
    origin.process.wait()


for name, edge in (("varnish", varnish), ("nginx", nginx)):
    run(name, edge)
print(f"{len(failures)} failed" if failures else "All shown.")
raise SystemExit(1 if failures else 0)
