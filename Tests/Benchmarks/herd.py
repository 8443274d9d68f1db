"""A million phones behind a kill, simulated with the intervals and the chance of the real libraries, held against the formulas of deploy/CAPACITY.md.

Time is simulated, and every poll is an event of its own: a phone asks its cache, and a cache asks the origin when what it has is older than the
two seconds of `s-maxage`, once for all who wait. What comes out must lie within a tenth of the formula. Needs neither a server nor a network.

    herd.py              the simulation, as a table
    herd.py --formula    what the formula alone says, as JSON: the server's own, in GateModel/Client/Herd.swift, is held against it by a test
"""
import heapq
import json
import os
import random
import sys

PHONES = int(os.environ.get("HERD_PHONES", 1_000_000))
FRESH = 2.0
# Seconds from a poll to its answer, by chance between these.
TRIP = (0.05, 0.25)
# The library, its share of the phones, and what chance adds to its interval: Bellerophon nothing, GateKit up to a fifth.
MIX = (("bellerophon", 0.6, 0.0), ("gatekit", 0.4, 0.2))


def polls_a_second(phones, interval, mix=MIX):
    """The formula: each phone asks again an interval, and on average half of its chance, after an answer came."""
    trip = sum(TRIP) / 2
    return sum(phones * share / (interval * (1 + chance / 2) + trip) for _, share, chance in mix)


def origin_a_second(caches, addresses, rate):
    """The formula: a cache asks for an address when it has been fresh for its time, and then when the next phone comes."""
    waits = caches * addresses / rate
    return caches * addresses / (FRESH + waits)


class Cache:
    """An edge: what it has of each address, and when it got it."""

    def __init__(self):
        self.got = {}

    def ask(self, address, now):
        """Whether the origin is asked."""
        if now - self.got.get(address, -FRESH) < FRESH:
            return False
        self.got[address] = now
        return True


def simulate(phones, interval, caches, seconds, seed=7):
    """Polls, and requests at the origin, a second, over `seconds` after two intervals in which the herd settles."""
    chance = random.Random(seed)
    edges = [Cache() for _ in range(caches)]
    queue = []
    for name, share, more in MIX:
        for _ in range(int(phones * share)):
            # People take their phones up when they like: the first poll is anywhere in the first interval.
            queue.append((chance.random() * interval, name, more, chance.randrange(caches)))
    heapq.heapify(queue)
    begin, end = 2 * interval, 2 * interval + seconds
    polls = origin = 0
    while queue[0][0] < end:
        now, name, more, edge = queue[0]
        asked = edges[edge].ask(name, now)
        if now >= begin:
            polls += 1
            origin += asked
        again = now + chance.uniform(*TRIP) + interval * (1 + more * chance.random())
        heapq.heapreplace(queue, (again, name, more, edge))
    return polls / seconds, origin / seconds


def lifted(phones, interval, over, seed=7):
    """The most phones that are let in a second, over any ten that follow each other, when a kill is lifted at once (`over` 0) or for a growing share over `over` seconds."""
    chance = random.Random(seed)
    let_in = {}
    for name, share, more in MIX:
        for _ in range(int(phones * share)):
            draw, now = chance.random(), chance.random() * interval
            while over and draw > now / over:
                now += chance.uniform(*TRIP) + interval * (1 + more * chance.random())
            let_in[int(now)] = let_in.get(int(now), 0) + 1
    last = max(let_in)
    return max(sum(let_in.get(second + more, 0) for more in range(10)) / 10 for second in range(last + 1))


def formula():
    """Cases of the formula, for whoever has it too."""
    cases = []
    for mix in (MIX, (("bellerophon", 1.0, 0.0),), (("gatekit", 1.0, 0.2),)):
        for interval in (5, 15, 60, 3600):
            for phones in (1_000, PHONES):
                cases.append({
                    "phones": phones, "interval": interval, "trip": sum(TRIP) / 2, "shares": {name: share for name, share, _ in mix},
                    "pollsPerSecond": polls_a_second(phones, interval, mix),
                })
    return cases


def main():
    if sys.argv[1:] == ["--formula"]:
        return print(json.dumps(formula()))
    failures = 0

    def row(what, measured, formula):
        nonlocal failures
        off = measured / formula - 1
        failures += abs(off) > 0.1
        print(f"| {what} | {measured:,.1f} | {formula:,.1f} | {off:+.1%} | {'meets' if abs(off) <= 0.1 else 'misses'} |", flush=True)

    print(f"{PHONES:,} phones, 6 of 10 with Bellerophon, 4 with GateKit\n")
    print("| | Simulated | Formula | Apart | |\n|---|---|---|---|---|")
    for interval, caches in ((15, 1), (15, 20), (30, 20), (60, 20)):
        polls, origin = simulate(PHONES, interval, caches, seconds=max(30, interval))
        row(f"polls a second, every {interval} s", polls, polls_a_second(PHONES, interval))
        row(f"of those at the origin, {caches} cache{'s' * (caches > 1)}", origin, origin_a_second(caches, len(MIX), polls_a_second(PHONES, interval)))
    row("let in a second at the busiest, at once, every 30 s", lifted(PHONES, 30, 0), PHONES / 30)
    # A share grows evenly: what comes in within a second is what grows in it.
    row("let in a second at the busiest, over 10 minutes, every 30 s", lifted(PHONES, 30, 600), PHONES / 600)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
