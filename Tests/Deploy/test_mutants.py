"""The faults that Tests/Mutants/run plants have their places in the code; that they are found is shown by that run, which takes hours."""
import sys

from machine import ROOT

sys.path.insert(0, str(ROOT / "Tests/Mutants"))
import mutants  # noqa: E402


def test_every_fault_has_its_place():
    misplaced = []
    for fault in mutants.faults():
        try:
            fault.planted((ROOT / fault.file).read_text(encoding="utf-8"))
        except (mutants.Misplaced, FileNotFoundError) as error:
            misplaced.append(str(error))
    assert misplaced == []
