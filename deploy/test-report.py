"""Reads the reports of deploy/test's parts.

    test-report.py failed REPORT            prints a pattern that matches the Swift tests that failed; status 1 if the report names none
    test-report.py summary FOLDER STATUS    prints how many tests did not run and why, every test that failed, and "N passed, N failed";
                                            status 1 if one failed

Tests are counted from the reports, so that a runner that died half-way is not taken for one that passed. A report NAME-again.xml has the
tests of NAME.xml that failed and were tried once more: their second result counts, and they are named.
"""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as xml


def read(report):
    """The cases of a report by class and name: what was wrong, or "" for one that passed; and why how many did not run."""
    found, skipped = {}, collections.Counter()
    for case in xml.parse(report).getroot().iter("testcase"):
        wrong = [one for one in case if one.tag in ("failure", "error")]
        key = (case.get("classname") or "", case.get("name") or "")
        if wrong:
            found[key] = " ".join((wrong[0].get("message") or wrong[0].text or "failed").split())[:300]
        elif (skip := case.find("skipped")) is not None:
            skipped[skip.get("message") or skip.text or "for no reason given"] += 1
        else:
            # A case is listed twice if only its teardown failed.
            found.setdefault(key, "")
    return found, skipped


def failed(report):
    try:
        names = {(key[0], key[1].split("(")[0]) for key, wrong in read(report)[0].items() if wrong}
    except (OSError, xml.ParseError):
        return 1
    # The runner writes Target.Suite/function(label:); the report has Target.Suite and the function.
    print("|".join(sorted(f"{re.escape(suite)}/{re.escape(name)}[(]" for suite, name in names)))
    return 0 if names else 1


def summary(folder, status):
    reports = {path.stem.removesuffix("-swift-testing"): path for path in sorted(folder.glob("*.xml"), key=lambda path: len(path.stem))}
    passed, troubles = 0, []
    for stem, path in reports.items():
        if stem.endswith("-again"):
            continue
        try:
            cases, skipped = read(path)
            again = read(reports[f"{stem}-again"])[0] if f"{stem}-again" in reports else {}
        except xml.ParseError:
            troubles.append(f"{path.name} ends in the middle: its runner died")
            continue
        for reason, count in skipped.items():
            print(f"not run: {stem}: {count}, {reason}")
        for key, wrong in cases.items():
            if wrong and again.get(key) == "":
                print(f"passed when tried once more: {stem}: {'.'.join(key)}: {wrong}")
                wrong = ""
            if wrong:
                troubles.append(f"{stem}: {'.'.join(key)}: {wrong}")
            else:
                passed += 1
    if status and not troubles:
        troubles.append("a part ended with an error and named no test")
    if not passed:
        troubles.append("no test ran")
    for trouble in troubles:
        print(f"failed: {trouble}")
    print(f"{passed} passed, {len(troubles)} failed")
    return 1 if troubles else 0


if __name__ == "__main__":
    if sys.argv[1] == "failed":
        sys.exit(failed(sys.argv[2]))
    sys.exit(summary(pathlib.Path(sys.argv[2]), int(sys.argv[3])))
