"""The form of the dashboard's modules: lines that fit beside each other in a review, and imports without a circle."""

import re
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
MODULES = sorted(PUBLIC.rglob("*.js"))

# What .swift-format says of the other half of the package.
LONGEST_LINE = 140

IMPORT = re.compile(r'^(?:import|export)\s[^;]*?"(\.[^"]+)";', re.MULTILINE)


def test_no_line_is_longer_than_the_limit():
    assert MODULES
    long = [
        f"{module.relative_to(PUBLIC)}:{number}: {len(line)} characters"
        for module in MODULES
        for number, line in enumerate(module.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > LONGEST_LINE
    ]
    assert long == []


def test_no_module_imports_itself_by_a_detour():
    imports = {
        module: [(module.parent / place).resolve() for place in IMPORT.findall(module.read_text(encoding="utf-8"))]
        for module in MODULES
    }
    # A module is done once all that it imports is; what is left when no more can be done is a circle, or imports one.
    left = dict(imports)
    while done := [module for module, needs in left.items() if not any(need in left for need in needs)]:
        for module in done:
            del left[module]
    assert sorted(str(module.relative_to(PUBLIC)) for module in left) == []
    missing = {str(need) for needs in imports.values() for need in needs} - {str(module) for module in MODULES}
    assert missing == set()


def test_the_screens_words_import_only_the_shared_ones():
    for module in (PUBLIC / "strings").glob("*.js"):
        assert set(IMPORT.findall(module.read_text(encoding="utf-8"))) <= {"./shared.js"}, module.name


def test_the_page_names_all_that_the_first_screen_needs():
    """A module that is found out from another costs a round trip: with a phone's 300 ms, seven of them on one another."""
    needed, left = set(), [PUBLIC / "app.js"]
    while left:
        module = left.pop()
        if module in needed:
            continue
        needed.add(module)
        left += [(module.parent / place).resolve() for place in IMPORT.findall(module.read_text(encoding="utf-8"))]
    page = (PUBLIC / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
    assert sorted(named) == sorted(str(module.relative_to(PUBLIC)) for module in needed if module.name != "app.js")
