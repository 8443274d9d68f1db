"""The dashboard's types, checked strictly, and held to what the server says of its answers."""

import json
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A component of /openapi.json, and the type that a module of the dashboard has for it.
PAIRS = {
    "documents.js": {
        "Session": "Session", "Health": "Health", "Status": "Status", "SharedServer": "SharedServer", "Settings": "Settings", "Reach": "Reach", "Target": "Target", "Alias": "Alias",
        "App": "App", "ListedOwnFeed": "ListedOwnFeed", "AppDifference": "AppDifference", "ChangedTarget": "ChangedTarget", "Actor": "Actor", "Change": "Change", "Difference": "Difference", "Warning": "Warning",
        "Effect": "Effect", "Plan": "Plan", "Refused": "Refused", "Problem": "Problem", "Events": "Events", "Gate": "Gate",
    },
    "api-people.js": {"Person": "Person", "Invitation": "Invitation", "InvitedPerson": "InvitedPerson", "Token": "Token", "Account": "Account", "AccountSession": "AccountSession"},
    "api-schedule.js": {"ZonedTime": "ZonedTime", "Window": "Window", "WindowEvent": "WindowEvent", "WindowResult": "WindowOutcome"},
    "api-own-feeds.js": {"OwnFeed": "OwnFeed"},
    "api-apps.js": {"Takeover": "Takeover", "TakeoverDifference": "TakeoverDifference"},
    "api-versions.js": {"PolledVersions": "PolledVersions"},
    "api-rehearsals.js": {"Rehearsal": "Rehearsal", "RehearsalPoll": "RehearsalPoll"},
    "api-simulate.js": {"Simulation": "Simulation", "SimulationMatrix": "Matrix", "SimulatedCell": "Cell", "SimulatedView": "View"},
}


def typescript(schema):
    """A JSON Schema, as far as the description uses it, as a type of TypeScript."""
    if "$ref" in schema:
        return "Described." + schema["$ref"].rsplit("/", 1)[1]
    if "anyOf" in schema:
        return "(" + " | ".join(typescript(one) for one in schema["anyOf"]) + ")"
    if "enum" in schema:
        return "(" + " | ".join(json.dumps(word) for word in schema["enum"]) + ")"
    kind = schema.get("type")
    if kind == "array":
        return typescript(schema["items"]) + "[]"
    if kind == "object":
        if isinstance(schema.get("additionalProperties"), dict):
            return f"Record<string, {typescript(schema['additionalProperties'])}>"
        if "properties" not in schema:
            return "Record<string, any>"
        needed = schema.get("required", [])
        return "{ " + " ".join(
            f"{json.dumps(name)}{'' if name in needed else '?'}: {typescript(one)};" for name, one in schema["properties"].items()
        ) + " }"
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null", None: "unknown"}[kind]


def check(folder):
    return subprocess.run(["tsc", "-p", str(folder)], capture_output=True, text=True, cwd=ROOT)


@pytest.fixture(scope="module", autouse=True)
def needs_typescript():
    if not shutil.which("tsc"):
        pytest.fail("tsc is not there: install Debian's node-typescript")


def test_every_module_passes_the_strict_type_check():
    result = check(ROOT / "Tests/Dashboard")
    assert result.returncode == 0, result.stdout


def test_what_the_server_answers_fits_the_types_that_the_modules_have_for_it(server, tmp_path):
    with urllib.request.urlopen(server.admin + "/openapi.json") as answer:
        schemas = json.load(answer)["components"]["schemas"]
    described = "\n".join(f"    export type {name} = {typescript(schema)};" for name, schema in schemas.items())
    lines = ["declare namespace Described {", described, "}"]
    for module, pairs in PAIRS.items():
        for component, name in pairs.items():
            found = f'import("{ROOT}/Public/{module}").{name}'
            lines.append(f"const {module.replace('-', '_').split('.')[0]}_{component}: (sent: Described.{component}) => {found} = (sent) => sent;")
    (tmp_path / "held.ts").write_text("\n".join(lines) + "\n")
    settings = json.loads((ROOT / "Tests/Dashboard/tsconfig.json").read_text())
    settings["include"] = [str(tmp_path / "held.ts"), str(ROOT / "Public/**/*.js"), str(ROOT / "Tests/Dashboard/types/*.d.ts")]
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    result = check(tmp_path)
    assert result.returncode == 0, result.stdout
