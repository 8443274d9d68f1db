"""Compares a server's history with what it answered."""
import subprocess

from server import GATEHOUSE, ROOT


def changes(server):
    """All of it, the newest first."""
    items, cursor = [], ""
    while True:
        status, page = server.call("GET", "/changes?limit=500" + cursor)
        assert status == 200, page
        items += page["items"]
        if not page["next"]:
            return items
        cursor = "&cursor=" + page["next"]


def alerts(items):
    """The sequences of each alert's text, without a restore's own row, which repeats what is there."""
    written = {}
    for change in items:
        for target in change["targets"] if change["kind"] != "restore" else []:
            if "alert" in target["after"]:
                written.setdefault(target["after"]["alert"]["message"], []).append(change["sequence"])
    return written


def judged(server, heard, asked):
    """`heard` has the sequence of each text that was answered, `asked` every text."""
    items = changes(server)
    written = alerts(items)
    lost = [text for text, sequence in heard.items() if written.get(text) != [sequence]]
    twice = [text for text, sequences in written.items() if len(sequences) > 1]
    sequences = [change["sequence"] for change in items]
    # If nothing was answered, nothing was tested.
    yield "every answered change is there once", bool(heard) and not lost, f"{len(heard):,} answered, {len(asked) - len(heard)} not, lost {lost[:3]}"
    yield "no change is there twice, and none that nobody asked for", not twice and set(written) <= set(asked), str(twice[:3])
    yield "no gap in the history", sequences == list(range(len(sequences), 0, -1)), f"{len(sequences):,} changes"


def verify(data, *words):
    """Whether `gatehouse verify` finds it sound, with its anchor if there is one; and its output."""
    words = [GATEHOUSE, "verify", "--data", data, "--migrations", ROOT / "Migrations", *words]
    if (data / "anchor.json").exists():
        words += ["--anchor", data / "anchor.json"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).strip()
