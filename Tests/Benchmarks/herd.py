"""A million phones behind a kill, simulated with the intervals of the real libraries and compared with the formulas of deploy/CAPACITY.md.

Time is simulated, and every poll is a separate event: a phone asks its cache, and a cache asks the origin when what it has is older than
the two seconds of `s-maxage`, once for all who wait. The result must be within a tenth of the formula. Needs neither a server nor a
network.

    herd.py              the simulation, as a table
    herd.py --formula    only the formula's results, as JSON, which a test compares with the server's formula in GateModel/Client/Herd.swift
"""
import heapq
import json
import os
import random
import sys

PHONES = int(os.environ.get("HERD_PHONES", 1_000_000))
FRESH = 2.0
# Seconds from a poll to its answer, random between these.
TRIP = (0.05, 0.25)
# Each library, whose document has its own address, and its share of the phones.
MIX = (("bellerophon", 0.6), ("gatekit", 0.4))


def polls_a_second(phones, interval):
    """The formula: each phone asks again one interval after an answer. Neither library adds a random delay after an answer."""
    return phones / (interval + sum(TRIP) / 2)


def origin_a_second(caches, addresses, rate):
    """The formula: a cache asks for an address again when its copy is no longer fresh and the next phone comes."""
    waits = caches * addresses / rate
    return caches * addresses / (FRESH + waits)


class Cache:
    """A cache at the edge: when it last got each address."""

    def __init__(self):
        self.got = {}

    def ask(self, address, now):
        """Whether this poll makes it ask the origin."""
        if now - self.got.get(address, -FRESH) < FRESH:
            return False
        self.got[address] = now
        return True


def simulate(phones, interval, caches, seconds, seed=7):
    """Polls a second, and requests a second at the origin, over `seconds` after two intervals in which the herd settles."""
    chance = random.Random(seed)
    edges = [Cache() for _ in range(caches)]
    queue = []
    for name, share in MIX:
        for _ in range(int(phones * share)):
            # People pick up their phones at any time: the first poll is anywhere in the first interval.
            queue.append((chance.random() * interval, name, chance.randrange(caches)))
    heapq.heapify(queue)
    begin, end = 2 * interval, 2 * interval + seconds
    polls = origin = 0
    while queue[0][0] < end:
        now, name, edge = queue[0]
        asked = edges[edge].ask(name, now)
        if now >= begin:
            polls += 1
            origin += asked
        heapq.heapreplace(queue, (now + chance.uniform(*TRIP) + interval, name, edge))
    return polls / seconds, origin / seconds


def lifted(phones, interval, over, seed=7):
    """The most phones let in a second, over any ten seconds in a row, when a kill is lifted at once (`over` 0) or for a growing share in
    `over` seconds."""
    chance = random.Random(seed)
    let_in = {}
    for _ in range(phones):
        draw, now = chance.random(), chance.random() * interval
        while over and draw > now / over:
            now += chance.uniform(*TRIP) + interval
        let_in[int(now)] = let_in.get(int(now), 0) + 1
    last = max(let_in)
    return max(sum(let_in.get(second + more, 0) for more in range(10)) / 10 for second in range(last + 1))


def formula():
    """Results of the formula, to compare with another implementation."""
    return [
        {"phones": phones, "interval": interval, "trip": sum(TRIP) / 2, "pollsPerSecond": polls_a_second(phones, interval)}
        for interval in (5, 15, 60, 3600) for phones in (1_000, PHONES, 10_000_000)
    ]


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
    # The share grows evenly: as many come in within a second as it grows in it.
    row("let in a second at the busiest, over 10 minutes, every 30 s", lifted(PHONES, 30, 600), PHONES / 600)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
