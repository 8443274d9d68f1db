"""Tests every limit on requests in /openapi.json: a value at the limit is accepted, one beyond it is refused and its field named.

Each operation has an acceptable body; one value of it at a time is set to a limit, then beyond it. Limits that no body here reaches are
listed at the end, and there must be none."""
import copy
import itertools
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Faults"))
from server import Server, ask  # noqa: E402

PASSWORD = "violet-harbour-41-lantern"
MESSAGE = {"default": "Back at nine.", "de": "Um neun."}
RULES = {
    "killSwitch": {"message": MESSAGE, "retryInterval": 30},
    "forceUpdate": {"message": MESSAGE},
    "requiredUpdate": {"minimumVersion": "0.1", "blockedVersions": ["2.0"], "message": MESSAGE},
    "optionalUpdate": {"optionalVersion": "3.0", "message": MESSAGE},
    "alert": {"message": MESSAGE, "blocking": False},
}
SETTINGS = {"storeURL": "https://store.example/app", "releases": ["1.0"], "defaultRetryInterval": 30, "clients": ["launchgate"]}
TARGET = {"app": "limits", "platform": "ios", "revision": 1}
TIME = {"wallTime": "2099-01-01T00:00:00", "zone": "Europe/Berlin", "offset": "+01:00"}
NUMBERS = itertools.count()
# Stands for an invitation that is made again for each request, since an accepted one is used up.
INVITATION = "an invitation"
# Fields that are refused for another reason, whatever their length: a zone must be in a list, an app or platform must exist, and a revision
# must have existed.
LISTED = ("/zone", "/revertTo")
REFERENCES = ("/app", "/platform", "/apps/0", "/scope/0", "/revision", "/sequence", "/revisions/*")


def bodies():
    """The bodies of each operation that together have all its fields."""
    # Without a scope a document may be about any app, and a dry run needs no sequence: the second body of apply adds both.
    document = {"schema": "gatehouse/export/v1", "sequence": 0, "scope": ["limits"], "apps": [
        {"key": "limits", "name": "Limits", "aliases": [{"path": "/limits.json", "feed": "bellerophon.json", "platform": "ios"}],
         "ownFeeds": [{"name": "limits", "platform": "ios", "template": "{}"}],
         "platforms": {"ios": {"settings": SETTINGS, "gate": RULES, "revision": 1, "sequence": 1}}}]}
    accept = ["text_order", "component_count", "above_newest_release", "masked_alert", "masked_optional", "masked_required"]
    kept = {"targets": [TARGET], "set": RULES, "start": TIME, "end": {**TIME, "wallTime": "2099-01-02T00:00:00"}, "accept": accept}
    window = {**kept, "dryRun": True}
    document["windows"] = [copy.deepcopy(kept)]
    return {
        "POST /api/v1/account/password": [{"password": PASSWORD, "newPassword": PASSWORD + "2"}],
        "POST /api/v1/apps": [{"key": "limits-two", "name": "Limits", "dryRun": True}],
        "PATCH /api/v1/apps/limits": [{"name": "Limits", "aliases": [{"path": "/limits.json", "feed": "bellerophon.json", "platform": "ios"}], "dryRun": True}],
        "PUT /api/v1/apps/limits/own-feeds/limits": [{"platform": "ios", "template": "{}", "dryRun": True}],
        "PUT /api/v1/apps/limits/platforms/ios": [{**SETTINGS, "dryRun": True}],
        "POST /api/v1/changes": [
            {"targets": [{**TARGET, "set": RULES}], "dryRun": True, "accept": accept}, {"targets": [TARGET], "set": RULES, "dryRun": True, "accept": accept},
            {"targets": [TARGET], "revertTo": 1, "dryRun": True},
            # A target with a kill switch in force.
            {"targets": [{**TARGET, "platform": "android", "revision": 2}], "set": {"killSwitch": None}, "over": 60, "dryRun": True}],
        "POST /api/v1/import": [
            {"app": "limits", "document": '{"ios":{}}', "platform": "ios", "revisions": {"ios": 1}, "dryRun": True},
            {"app": "limits", "document": json.dumps([1] * 300), "platform": "ios", "map": ["$[0]=kill"], "name": "limits-own", "dryRun": True}],
        "POST /api/v1/rehearsals": [{"app": "limits", "platform": "ios", "gate": RULES, "for": "1m"}],
        "PUT /api/v1/rehearsals/{rehearsal}": [{"gate": RULES, "for": "1m"}],
        "POST /api/v1/simulate": [
            {"app": "limits", "platform": "ios", "version": "1.0", "set": RULES, "locale": "de"},
            {"app": "limits", "platform": "ios", "versions": ["1.0"], "revision": 1}],
        "POST /api/v1/apply": [
            {"document": {name: one for name, one in document.items() if name not in ("scope", "sequence")}, "dryRun": True, "accept": accept}, {"document": document, "sequence": 0, "dryRun": True, "accept": accept}],
        "POST /api/v1/windows": [window],
        "PUT /api/v1/windows/1": [{**window, "revision": 1}],
        "POST /api/v1/windows/1/run": [{"revision": 1, "dryRun": True}],
        "DELETE /api/v1/windows/1": [{"revision": 1, "dryRun": True}],
        "POST /api/v1/users": [{"username": "limits", "role": "viewer", "apps": ["limits"], "password": PASSWORD}],
        "POST /api/v1/invitations": [{"invitation": INVITATION, "password": PASSWORD}],
        "PATCH /api/v1/users/spare": [{"apps": ["limits"], "password": PASSWORD}],
        "POST /api/v1/tokens": [{"name": "limits", "apps": ["limits"]}],
    }


def limits(schema, schemas, path=""):
    """The limits in a schema, each with a pointer to its value; `*` stands for any member."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].split("/")[-1]]
    for name in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(name, []):
            yield from limits(one, schemas, path)
    for low, high in (("minLength", "maxLength"), ("minimum", "maximum"), ("minItems", "maxItems"), ("minProperties", "maxProperties")):
        if low in schema or high in schema:
            yield path, low, schema.get(low), schema.get(high)
    for name, one in schema.get("properties", {}).items():
        yield from limits(one, schemas, f"{path}/{name}")
    if "items" in schema:
        yield from limits(schema["items"], schemas, path + "/0")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from limits(schema["additionalProperties"], schemas, path + "/*")


def text(path, length):
    """A text of that length that is valid apart from its length."""
    name = path.rsplit("/", 1)[-1]
    if length <= 0:
        return ""
    if path.endswith("/path"):
        return "/" + "p" * (length - 1)
    if name == "storeURL":
        return ("https://s" + "t" * length)[:length]
    if name == "wallTime":
        return ("2099-01-03T00:00:00.000" if "/end/" in path else "2099-01-01T00:00:00.000")[:length]
    if name == "offset":
        return ("+01:00" + "0" * length)[:length]
    if name == "for":
        return ("99999999s" if length > 6 else "86400s" if length == 6 else "2h")[-length:]
    if name == "locale":
        return ("de-" + "-".join(["abcdefgh"] * 5))[:length].rstrip("-") if length > 2 else "d" * length
    if name in ("minimumVersion", "optionalVersion", "version") or "ersions/" in path or "releases/" in path:
        return "1" * length
    if name in ("password", "newPassword"):
        return (PASSWORD + "".join(f"{n:03d}" for n in range(100)))[:length]
    return (f"n{next(NUMBERS)}" + "a" * length)[:length]


def item(path, number):
    if path.endswith("/apps"):
        return {"key": f"limits-{number}", "name": "Limits", "platforms": {}}
    if path.endswith("/aliases"):
        return {"path": f"/limits-{number}.json", "feed": "launchgate.json"}
    if path.endswith("/ownFeeds"):
        return {"name": f"limits-{number}", "template": "{}"}
    if path.endswith("/windows"):
        return {"targets": [TARGET], "set": {"killSwitch": {"message": "Later."}}, "start": TIME}
    if path.endswith("/targets"):
        return {"app": f"limits-{number}", "platform": "ios", "revision": 1}
    if path.endswith("/map"):
        return f"$[{number}]=kill"
    if path.endswith("/clients"):
        return ["bellerophon", "launchgate", "gandalf", "prince-of-versions", "gatekit", "openfeature", "gatekit"][number % 7]
    return f"1.{number}"


def value(path, low, count):
    if low == "minLength":
        return text(path, count)
    if low == "minimum":
        return count
    if low == "minItems":
        return [item(path, number) for number in range(count)]
    return {"default": "x", **{f"x{chr(97 + n // 26)}{chr(97 + n % 26)}": "x" for n in range(count - 1)}} if count else {}


def put(body, path, new):
    """The body with another value at the path, or None if it has no such place."""
    # Not copy.deepcopy: a value that is shared by two places must become two values.
    body = json.loads(json.dumps(body))
    place, names = body, path.split("/")[1:]
    for index, name in enumerate(names):
        if isinstance(place, list):
            name = int(name)
            if name >= len(place):
                return None, None
        elif name == "*":
            name = names[index] = next(iter(place), None)
            if name is None:
                return None, None
        elif not isinstance(place, dict) or name not in place:
            return None, None
        if index == len(names) - 1:
            place[name] = new
            return body, "/" + "/".join(str(one) for one in names)
        place = place[name]
    return None, None


def main():
    bad, asked, unreached = [], 0, []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(pathlib.Path(folder) / "data")
        try:
            server.call("POST", "/apps", {"key": "limits", "name": "Limits"})
            server.call("PUT", "/apps/limits/platforms/ios", {"releases": ["1.0"]})
            server.call("PUT", "/apps/limits/platforms/android", {})
            killed, answer = server.call("POST", "/changes", {"targets": [{**TARGET, "platform": "android"}], "set": {"killSwitch": {"message": "Later."}}})[:2]
            assert killed == 200, answer
            server.call("POST", "/users", {"username": "spare", "role": "viewer", "password": PASSWORD})
            made, answer = server.call("POST", "/windows", {"targets": [TARGET], "set": {"killSwitch": {"message": "Later."}}, "start": TIME})[:2]
            assert made == 201, answer
            rehearsal = server.call("POST", "/rehearsals", {"app": "limits", "platform": "ios"})[1]["id"]
            description = json.loads(ask(server.admin, "GET", "/openapi.json")[2])
            made = bodies()
            for path, operations in description["paths"].items():
                for method, operation in operations.items():
                    if "requestBody" not in operation:
                        continue
                    path = path.replace("/rehearsals/{id}", "/rehearsals/{rehearsal}")
                    called = f"{method.upper()} {path.replace('{app}', 'limits').replace('{platform}', 'ios').replace('{user}', 'spare').replace('{id}', '1').replace('{name}', 'limits')}"
                    schema = operation["requestBody"]["content"]["application/json"]["schema"]
                    for pointer, low, least, most in limits(schema, description["components"]["schemas"]):
                        # Accounts are only for browsers; the same limit of a password's length is tested with people.
                        if called.endswith("/account/password"):
                            continue
                        reached = False
                        for body in made.get(called, []):
                            # Each further body is only for the fields that no earlier one has.
                            if reached or ("revertTo" in body and pointer != "/revertTo"):
                                continue
                            for count, is_beyond in ((least, False), (most, False), (None if least is None else least - 1, True), (None if most is None else most + 1, True)):
                                if count is None or (count < 0 and low != "minimum"):
                                    continue
                                asked_body, field = put(body, pointer, value(pointer, low, count))
                                if asked_body is None:
                                    continue
                                reached = True
                                asked += 1
                                verb, address = called.replace("{rehearsal}", rehearsal).split(" ")
                                if asked_body.get("invitation") == INVITATION:
                                    asked_body["invitation"] = server.call("POST", "/users/spare/invitation", {})[1]["invitation"]["token"]
                                status, answer = server.call(verb, address.removeprefix("/api/v1"), asked_body)[:2]
                                told = (answer or {}).get("field") or ""
                                concerns = told == field or told.startswith(field + "/") or (told and field.startswith(told))
                                is_listed = any(pointer.endswith(one) for one in LISTED + REFERENCES)
                                if is_beyond and not (status in (400, 413, 422) or (is_listed and status in (403, 404, 412))):
                                    bad.append(f"{called} {pointer} {low} {count}: taken beyond its limit ({status})")
                                elif not is_beyond and status in (400, 422) and concerns and not is_listed:
                                    bad.append(f"{called} {pointer} {low} {count}: refused at its limit: {answer.get('code')} {told} {answer.get('detail')}")
                                elif status >= 500:
                                    bad.append(f"{called} {pointer} {low} {count}: {status}")
                                elif is_beyond and status == 422 and not concerns and not is_listed:
                                    bad.append(f"{called} {pointer} {low} {count}: refused at {told!r} and not at {field}: {answer.get('detail')}")
                        if not reached:
                            unreached.append(f"{called} {pointer}")
        finally:
            server.end()
    for line in bad + [f"no body here reaches {line}" for line in unreached]:
        print("FAIL " + line)
    print(f"{'ok  ' if not bad and not unreached else 'FAIL'} {asked} requests at and beyond the limits that /openapi.json tells")
    return 0 if not bad and not unreached else 1


if __name__ == "__main__":
    sys.exit(main())
