"""Plants the faults of faults.txt in a copy of the package, each behind a switch, builds it once, and checks for each whether the tests
find it."""
import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / ".build-mutants"
COPY = WORK / "package"
RESULTS = HERE / "figures.json"
# Limit for one fault; a fault that makes a test wait for ever is found by it.
PATIENCE = 600

# A file of its own in every target that has a fault: the switch is read once, from the environment, which the harnesses' programs do not all
# inherit, or else from a file that all of them can read.
SWITCH = """import Glibc

private let planted: Int = {
    if let number = getenv("GATEHOUSE_MUTANT") { return Int(String(cString: number)) ?? 0 }
    guard let file = fopen("%s", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 16)
    return fgets(&text, 16, file) == nil ? 0 : Int(atoi(text))
}()

/// Whether that fault is planted.
@inline(never)
func mutant(_ number: Int) -> Bool { planted == number }
"""


def pattern(code):
    """A pattern that finds that code however its lines are broken."""
    tokens = re.findall(r"\w+|\s+|[^\w\s]", code)
    found = ""
    for token, next in zip(tokens, [*tokens[1:], ""]):
        found += r"\s+" if token.isspace() else re.escape(token)
        if next and not token.isspace() and not next.isspace():
            found += r"\s*"
    return found


class Misplaced(Exception):
    """A fault whose place was rewritten, moved or is not unique: it would say nothing about the tests."""


class Fault:
    def __init__(self, number, lines, at):
        self.number, self.at = number, at
        if len(lines) != 5 or [line[:4] for line in lines[1:]] != ["in  ", "-   ", "+   ", "by  "]:
            raise SystemExit(f"faults.txt, line {at}: a fault has a sentence, then in, -, + and by")
        self.what, self.file, self.before, self.after, self.tests = lines[0], *(line[4:] for line in lines[1:])
        self.tests = [name.strip() for name in self.tests.split(",")]
        marked = re.fullmatch(r"(.*?)\{\{(.*)\}\}(.*)", self.before)
        self.head, self.expression, self.tail = marked.groups() if marked else ("", self.before, "")

    def planted(self, text):
        """The text with the fault behind its switch."""
        parts = [pattern(part) for part in (self.head, self.expression, self.tail)]
        places = list(re.finditer(r"\s*".join(f"({part})" for part in parts), text))
        if len(places) != 1:
            wanted = self.head + self.expression + self.tail
            raise Misplaced(f"faults.txt, line {self.at}: stands {len(places)} times in {self.file}, where it has to stand once: {wanted}")
        (begin, end), expression = places[0].span(2), places[0][2]
        return f"{text[:begin]}(mutant({self.number}) ? ({self.after}) : ({expression})){text[end:]}"


def faults():
    found, block, begins = [], [], 0
    for number, line in enumerate([*(HERE / "faults.txt").read_text().splitlines(), ""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            block, begins = block + [line], begins or number
        elif block:
            found.append(Fault(len(found) + 1, block, begins))
            block, begins = [], 0
    return found


def plant(all):
    """Makes the package with all faults in it, none switched on. Only files that differ are written, so that little is built a second
    time."""
    COPY.mkdir(parents=True, exist_ok=True)
    kept = {path for path in COPY.rglob("*") if path.is_file() and ".build" not in path.relative_to(COPY).parts}
    wanted = {}
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=True).stdout
    for name in listed.decode().split("\0"):
        if name and (ROOT / name).is_file():
            wanted[COPY / name] = (ROOT / name).read_bytes()
    # The exact versions of the dependencies, which the package does not fix.
    if (ROOT / "Package.resolved").exists():
        wanted[COPY / "Package.resolved"] = (ROOT / "Package.resolved").read_bytes()
    misplaced = []
    for fault in all:
        path = COPY / fault.file
        try:
            if path not in wanted:
                raise Misplaced(f"faults.txt, line {fault.at}: there is no {fault.file}")
            wanted[path] = fault.planted(wanted[path].decode()).encode()
        except Misplaced as error:
            misplaced.append(str(error))
            continue
        target = "/".join(fault.file.split("/")[:2])
        wanted[COPY / target / "Mutant.swift"] = (SWITCH % (WORK / "mutant")).encode()
    if misplaced:
        raise SystemExit("\n".join([*misplaced, "Nothing was run. Write these down as their places read now."]))
    for path, content in wanted.items():
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            if (ROOT / path.relative_to(COPY)).exists():
                shutil.copymode(ROOT / path.relative_to(COPY), path)
    for path in kept - wanted.keys():
        path.unlink()


def swift(*words, **more):
    return subprocess.run(["swift", *words, "--package-path", COPY, "--scratch-path", WORK / "build"], **more)


def tried(name):
    """One run of tests: (whether they passed, how many there were, its output)."""
    words = ["swift", "test", "--skip-build", "--filter", rf"^{re.escape(name)}[./]", "--package-path", COPY, "--scratch-path", WORK / "build"]
    # Ended with everything that it started: a process that waits for ever would go on and slow down the next fault's run.
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        said = run.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        return False, -1, f"not over after {PATIENCE} s"
    counts = re.findall(r"Test run with (\d+) tests?", said)
    return run.returncode == 0, int(counts[-1]) if counts else -1, said


def result(fault):
    (WORK / "mutant").write_text(f"{fault.number}\n")
    try:
        for name in fault.tests:
            passed, _, said = tried(name)
            if not passed:
                failed = re.findall(r'Test "?([^"\n]+?)"? (?:recorded an issue|failed)', said)
                return True, f"{name}{': ' + failed[0].split('(')[0].split(' with ')[0] if failed else ', which did not come to its end'}"
    finally:
        (WORK / "mutant").write_text("0\n")
    return False, ""


def sound(all):
    """Whether every test that will be run passes with no fault planted; otherwise a failure would mean nothing."""
    (WORK / "mutant").write_text("0\n")
    for name in sorted({name for fault in all for name in fault.tests}):
        # A whole target includes its suites, so those are not run again.
        passed, count, said = tried(name)
        print(f"     without a fault: {name}, {count} tests{'' if passed else ' FAILED'}", flush=True)
        if not passed or count < 1:
            print(said[-4000:])
            raise SystemExit(f"{name} does not pass without a fault, or has no test: nothing can be said")


def table(figures):
    caught = [row for row in figures["faults"] if row["found"]]
    lines = [
        "# Faults that the tests are to find", "",
        "`Tests/Mutants/run` plants the one-line faults of `faults.txt`, one after the other, and prints which of them the tests let through. All are",
        "built into one copy of the package (`.build-mutants/`), each behind a switch, so that there is one build and not one for each; then, for each,",
        "the tests are run that the list names. It ends with 1 when one is left.", "",
        "    Tests/Mutants/run                 all of them",
        "    Tests/Mutants/run 12 40-45        these, by their number",
        "    Tests/Mutants/run --list          what there is",
        "    Tests/Mutants/run --unchecked 12  without running the tests once before with no fault planted", "",
        "A fault more is five lines in `faults.txt`; one that stands in a place that was rewritten stops the run and says so. This file is made by the",
        "run.", "",
        f"## {len(caught)} of {len(figures['faults'])} found, {len(caught) / len(figures['faults']):.0%}", "",
        f"Of {figures['listed']} in the list, {figures['listed'] - len(figures['faults'])} have not been run yet. The last column says when `Tests/Mutants/run` last ran each.", "",
        "| | Fault | In | Found by | On |", "|---|---|---|---|---|",
    ]
    for row in figures["faults"]:
        by = f"`{row['by']}`" if row["found"] else "**nothing**"
        lines.append(f"| {row['number']} | {row['what']} | `{row['file'].removeprefix('Sources/')}` | {by} | {row['on']} |")
    return "\n".join([*lines, ""])


def keep(all, results):
    before = {(row["what"], row["after"]): row for row in json.loads(RESULTS.read_text())["faults"]} if RESULTS.exists() else {}
    rows = []
    for fault in all:
        known = results.get(fault.number)
        if known:
            rows.append({"what": fault.what, "file": fault.file, "before": fault.before, "after": fault.after, "found": known[0], "by": known[1], "on": datetime.date.today().isoformat()})
        elif (fault.what, fault.after) in before:
            rows.append(before[(fault.what, fault.after)])
        if rows and (rows[-1]["what"], rows[-1]["after"]) == (fault.what, fault.after):
            rows[-1]["number"] = fault.number
    figures = {"faults": rows, "listed": len(all)}
    RESULTS.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    (HERE / "README.md").write_text(table(figures))


def main():
    parser = argparse.ArgumentParser(prog="Tests/Mutants/run")
    parser.add_argument("numbers", nargs="*", help="such as 12 or 40-45")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--unchecked", action="store_true")
    parser.add_argument("--build", action="store_true", help="only that")
    given = parser.parse_args()
    all = faults()
    if given.list:
        return print("\n".join(f"{fault.number:4} {fault.what} ({fault.file})" for fault in all))
    chosen = all
    if given.numbers:
        spans = [(int(first), int(last or first)) for first, _, last in (text.partition("-") for text in given.numbers)]
        chosen = [fault for fault in all if any(first <= fault.number <= last for first, last in spans)]
    plant(all)
    built = swift("build", "--build-tests", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode:
        print("\n".join(line for line in built.stdout.splitlines() if "error:" in line) or built.stdout[-3000:])
        raise SystemExit("the faults cannot be built: both sides of each have to be expressions of one type")
    if given.build:
        return
    if not given.unchecked:
        sound(chosen)
    results = {}
    for fault in chosen:
        begun = time.monotonic()
        results[fault.number] = result(fault)
        found, by = results[fault.number]
        print(f"{'found   ' if found else 'SURVIVES'} {fault.number:4} {fault.what}  ({by + ', ' if by else ''}{time.monotonic() - begun:.0f} s)", flush=True)
        keep(all, results)
    found = sum(1 for good, _ in results.values() if good)
    print(f"{found} of {len(results)} found, {found / max(1, len(results)):.1%}")
    raise SystemExit(0 if found == len(results) else 1)


if __name__ == "__main__":
    main()
