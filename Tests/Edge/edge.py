"""Gatehouse behind the shipped Varnish and nginx configurations: fresh, revalidated, stale only when the origin fails, and back again."""
import signal
import threading
import time

from house import FEED, WORK, Origin, check, failures, get, nginx, varnish, wait


POLLERS = [f"127.0.1.{number}" for number in range(1, 201)]


def let_in(port):
    """How many of 200 phones at addresses of their own are let in."""
    path = FEED + "?version=4.1&platform=ios"
    return sum(b"alert" not in get(port, path, source=address)[2] for address in POLLERS)


def opens_gradually(origin, port):
    """What differs from phone to phone is not kept, and neither is what was before it or comes after it."""
    origin.say("Shut")
    wait(lambda: let_in(port) == 0, 10)
    origin.open(over=40)
    wait(lambda: let_in(origin.feeds) >= 40, 30)
    before, behind, after = let_in(origin.feeds), let_in(port), let_in(origin.feeds)
    check("a gate that opens gradually lets in as many phones as the origin does", before - 10 <= behind <= after + 10, f"{behind}, between {before} and {after}")
    origin.say("Shut again")
    took = wait(lambda: let_in(port) == 0, 10)
    check("a kill during it is seen within 3 seconds", took is not None and took <= 3, f"{took}")
    origin.open(over=10)
    wait(lambda: let_in(origin.feeds) == len(POLLERS), 30)
    took = wait(lambda: let_in(port) == len(POLLERS), 10)
    check("its end is seen within 3 seconds", took is not None and took <= 3, f"{took}")


def slowest_of_many(port, path):
    """How long the slower polls take (nineteen of twenty are faster) when 40 phones poll one address, each ten times a second, for 4 seconds."""
    end, took = time.monotonic() + 4, []

    def polls():
        while (begun := time.monotonic()) < end:
            get(port, path)
            took.append(time.monotonic() - begun)
            time.sleep(max(0, 0.1 - took[-1]))

    phones = [threading.Thread(target=polls) for _ in range(40)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    return sorted(took)[len(took) * 19 // 20], len(took)


def nobody_queues(origin, port):
    """Where nothing may be kept, no poll waits for another one's answer."""
    slowest, polls = slowest_of_many(port, "/feeds/nothing/launchgate.json")
    check("polls of an address without a feed do not queue", slowest < 0.3, f"{polls / 4:.0f} a second, 95 % within {slowest:.3f} s")
    origin.say("Shut")
    wait(lambda: let_in(origin.feeds) == 0, 10)
    origin.open(over=60)
    # An address that the edge has not seen before.
    slowest, polls = slowest_of_many(port, FEED + "?version=9.1&platform=ios")
    check("nor do those of a gate that opens gradually", slowest < 0.3, f"{polls / 4:.0f} a second, 95 % within {slowest:.3f} s")
    slowest, polls = slowest_of_many(origin.feeds, FEED + "?version=9.2&platform=ios")
    print(f"     the origin itself: {polls / 4:.0f} a second, 95 % within {slowest:.3f} s")


def survives_large_bodies(origin, port):
    """Bodies that the server refuses are not taken for a failure of the server."""
    for path in ("/ofrep/v1/evaluate/flags", FEED):
        for _ in range(10):
            try:
                get(port, path, method="POST", body=b"a" * 200_000)
            except OSError:
                pass
    status = get(port, FEED + "?version=9.3&platform=ios")[0]
    check("somebody who sends large bodies does not keep others from the server", status == 200, f"{status}")


def rehearses(origin, port):
    made = origin.call("POST", "/rehearsals", {"app": "shop", "platform": "ios", "gate": {"killSwitch": {"message": "Rehearsed"}}, "for": "10m"})
    path = next(path for name, path in made["feeds"].items() if "launchgate" in name)
    path = "/" + path.split("://")[-1].split("/", 1)[1]
    check("a rehearsal is served", b"Rehearsed" in get(port, path)[2])
    origin.call("DELETE", f"/rehearsals/{made['id']}")
    check("and not kept after its end", get(port, path)[0] == 404)


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

    if name == "varnish":
        before = origin.unchanged()
        time.sleep(2.2)
        get(port)
        check("an expired feed is asked for with its ETag and answered 304", origin.unchanged() > before)

    opens_gradually(origin, port)
    nobody_queues(origin, port)
    survives_large_bodies(origin, port)
    rehearses(origin, port)
    origin.say("Turn 2")

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
    slowest, polls = slowest_of_many(port, FEED)
    check("and hardly any poll waits for it", slowest < 0.3, f"{polls / 4:.0f} a second, 95 % within {slowest:.3f} s")
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
