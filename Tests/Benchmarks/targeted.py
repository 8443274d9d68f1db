"""Feeds for one phone, compared with the same feed for everybody: throughput with 1,000 versions, and the cost of junk in the query."""
from feeds import APPS, PATH
from harness import ROUNDS, SECONDS, WORK, Gatehouse, heading, median, report, wrk
from idle import resident

VERSIONS = 1_000
JUNK = 100_000


def script(name, query):
    """A wrk script whose requests differ in their query: `query` is a Lua expression with `at`, the request's number."""
    file = WORK / name
    file.write_text(f"local at = 0\nrequest = function() at = at + 1; return wrk.format('GET', '{PATH}?' .. {query}) end\n")
    return file


if __name__ == "__main__":
    heading(f"wrk -t1 -c64 -d{SECONDS}s of {PATH}, {APPS} apps x 2 platforms, {ROUNDS} interleaved rounds; requests a second, medians")
    server = Gatehouse(apps=APPS)
    server.wait_for_writes()
    server.api().require("app-0001", "ios", "4.500.0")
    asks = {
        "for everybody": script("plain.lua", "''"),
        f"{VERSIONS:,} versions": script("versions.lua", f"'version=4.' .. at % {VERSIONS} .. '.0&platform=ios'"),
        # Each run starts again with the first; there are more of them than the server keeps.
        f"{JUNK:,} junk queries": script("junk.lua", f"'version=' .. at % {JUNK} .. '.junk&x=' .. at % {JUNK}"),
    }
    wrk(server.feeds, PATH)
    before = resident(server.process)
    rates = {name: [] for name in asks}
    for _ in range(ROUNDS):
        for name, file in asks.items():
            rates[name].append(wrk(server.feeds, script=file)[0])
    after = resident(server.process)
    for name in asks:
        report(name, f"{median(rates[name]):,.0f}/s")
    plain, versions, junk = rates.values()
    ratio = median([one / other for one, other in zip(versions, plain)])
    report("versions / for everybody", f"{ratio:.2f}", ">= 0.85", ratio >= 0.85)
    report("junk / for everybody", f"{median([one / other for one, other in zip(junk, plain)]):.2f}")
    asked = sum(rate * SECONDS for rate in junk)
    report("resident before, and after", f"{before:.1f}, {after:.1f} MiB", "+ 16 MiB", after - before <= 16, f"{asked:,.0f} junk queries")
    server.stop()
