"""Feeds in somebody else's object store: it holds what the server answers, whatever happens to the store meanwhile."""

import json
import subprocess
import time

import pytest

from gatehouse_server import BINARY, ROOT, Server
from object_store import BUCKET, BadRoad, Network, ObjectStore, served

PREFIX = "production/one"
DEADLINE = 30


@pytest.fixture
def store(tmp_path):
    store = ObjectStore(tmp_path)
    yield store
    store.stop()


@pytest.fixture
def road(store):
    road = BadRoad(store)
    yield road
    road.stop()


@pytest.fixture
def serve(store, road, tmp_path, monkeypatch):
    """Starts a server that publishes through that proxy."""
    for name, value in store.credentials.items():
        monkeypatch.setenv(name, value)
    made = []

    def start(name="data", prefix=PREFIX):
        folder = tmp_path / name
        folder.mkdir()
        made.append(Server(folder, options=["--publish", f"s3://{BUCKET}/{prefix}", "--publish-endpoint", road.url]))
        return made[-1]

    yield start
    for server in made:
        if server.process.poll() is None:
            server.stop()


def until(question, what):
    """Asks until the answer is yes."""
    end = time.monotonic() + DEADLINE
    while not question():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def expected(server):
    """Every address of the server, with its answer."""
    paths = ["/feeds/keys.json"]
    for target in server.call("GET", "/targets?limit=500")["items"]:
        paths += server.call("GET", f"/targets/{target['app']}/{target['platform']}")["feeds"].values()
    for app in server.call("GET", "/apps?limit=500")["items"]:
        paths += [alias["path"] for alias in app["aliases"]]
    paths = sorted(set(paths))
    found = {}
    for path in paths:
        try:
            found[path] = served(server, path)
        except OSError:
            # The list of keys is served even by a server without keys; addresses that do not exist are left out.
            continue
    return found


def equal(store, server, prefix=PREFIX):
    return store.objects(prefix) == expected(server)


def reasons(server):
    return [reason for reason in server.call("GET", "/status")["health"]["reasons"] if reason.startswith("objects:")]


def metric(server, name):
    import urllib.request

    request = urllib.request.Request(server.admin + "/metrics", headers={"Authorization": f"Bearer {server.token}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return next(float(line.rsplit(" ", 1)[1]) for line in answer.read().decode().splitlines() if line.startswith(name + " "))


def test_what_is_there_is_what_the_server_answers(serve, store):
    server = serve()
    server.add_app("shop", "Shop", "ios", "android")
    server.call("PATCH", "/apps/shop", {"aliases": [{"path": "/old/config.json", "feed": "combined.json", "platform": "ios"}]})
    until(lambda: equal(store, server), "the store has what is served")
    assert "/feeds/shop/ios/gate.json" in store.objects(PREFIX)
    assert "/old/config.json" in store.objects(PREFIX)
    server.change("shop/ios", {"killSwitch": {"message": "Back at nine"}})
    until(lambda: b"Back at nine" in store.objects(PREFIX)["/feeds/shop/ios/bellerophon.json"][0], "a phone that reads the bucket sees the kill")
    server.change("shop/ios", {"killSwitch": None})
    until(lambda: equal(store, server), "and the opening")
    # What is no longer published is deleted.
    server.call("PATCH", "/apps/shop", {"aliases": []})
    until(lambda: "/old/config.json" not in store.objects(PREFIX), "the alias is gone")
    assert equal(store, server)
    assert metric(server, "gatehouse_objects_pending") == 0
    assert metric(server, "gatehouse_objects_lag_seconds") == 0


def test_a_kill_just_before_the_stop_is_there(serve, store):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    until(lambda: equal(store, server), "the store has what is served")
    for number in range(3):
        server.change("shop/ios", {"killSwitch": {"message": f"Back at {number}"}})
        server.stop()
        assert f"Back at {number}".encode() in store.objects(PREFIX)["/feeds/shop/ios/bellerophon.json"][0]
        server.restart()


@pytest.mark.parametrize("mood", ["403", "hang up"])
def test_a_store_that_fails_has_everything_in_the_end(serve, store, road, mood):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    until(lambda: equal(store, server), "the store has what is served")
    road.mood = mood
    server.change("shop/ios", {"killSwitch": {"message": "Back at nine"}})
    server.change("shop/ios", {"killSwitch": {"message": "Back at ten"}})
    until(lambda: metric(server, "gatehouse_objects_failures_total") > 2, "it was tried again")
    road.mood = "pass"
    until(lambda: equal(store, server), "the store has what is served")
    assert b"Back at ten" in store.objects(PREFIX)["/feeds/shop/ios/bellerophon.json"][0]


def test_a_store_that_is_behind_is_told(serve, store, road):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    until(lambda: equal(store, server), "the store has what is served")
    road.mood = "503"
    server.change("shop/ios", {"killSwitch": {"message": "Back at nine"}})
    until(lambda: reasons(server), "the health says that the store is behind")
    assert metric(server, "gatehouse_objects_lag_seconds") > 1
    # Each cause has its own remedy, so the log tells another one too, once.
    road.mood = "403"
    until(lambda: "403 AccessDenied" in (server.folder / "server.log").read_text(), "the log has the new cause")
    failures = metric(server, "gatehouse_objects_failures_total")
    until(lambda: metric(server, "gatehouse_objects_failures_total") > failures, "it goes on failing")
    road.mood = "pass"
    until(lambda: equal(store, server), "the store has what is served")
    until(lambda: not reasons(server), "and the health is well")
    log = (server.folder / "server.log").read_text()
    assert log.count("publishing into the object store fails") == 2
    assert not [secret for secret in store.credentials.values() if secret in log]


def test_what_the_store_lost_or_somebody_altered_is_there_after_the_next_start(serve, store, road):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    server.add_app("bank", "Bank", "ios")
    until(lambda: equal(store, server), "the store has what is served")
    store.s3.delete_object(Bucket=BUCKET, Key=PREFIX + "/feeds/shop/ios/gate.json")
    store.s3.put_object(Bucket=BUCKET, Key=PREFIX + "/feeds/bank/ios/gate.json", Body=b"{}")
    store.s3.put_object(Bucket=BUCKET, Key=PREFIX + "/somebody/elses.txt", Body=b"mine")
    server.stop()
    server.restart()
    until(lambda: metric(server, "gatehouse_objects_mended_total") == 2, "both are mended")
    objects = store.objects(PREFIX)
    assert objects.pop("/somebody/elses.txt")[0] == b"mine"
    assert objects == expected(server)


def test_an_app_that_went_while_the_store_was_away_goes_there_too(serve, store, road):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    server.add_app("bank", "Bank", "ios")
    until(lambda: equal(store, server), "the store has what is served")
    road.mood = "hang up"
    server.call("DELETE", "/apps/bank", {"confirm": "delete bank", "reason": "sold"})
    server.stop()
    road.mood = "pass"
    server.restart()
    until(lambda: equal(store, server), "the store has what is served")
    assert not [path for path in store.objects(PREFIX) if "/bank/" in path]


def test_nothing_older_and_nothing_of_another_console_goes_over_what_is_there(serve, store, road, tmp_path):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    until(lambda: equal(store, server), "the store has what is served")
    server.change("shop/ios", {"killSwitch": {"message": "Back at nine"}})
    until(lambda: equal(store, server), "the store has the kill")
    before = store.objects(PREFIX)
    # Another console that was given the same prefix by mistake.
    other = serve("other")
    other.add_app("shop", "Shop", "ios")
    for number in range(5):
        other.change("shop/ios", {"alert": {"message": f"Not ours {number}", "blocking": False}})
    until(lambda: reasons(other), "the other one says that it does not publish")
    assert store.objects(PREFIX) == before
    assert "another console" in (other.folder / "server.log").read_text()
    # The mark of a server with newer changes.
    server.stop()
    mark = json.loads(store.s3.get_object(Bucket=BUCKET, Key=PREFIX + ".gatehouse/mark.json")["Body"].read())
    store.s3.put_object(Bucket=BUCKET, Key=PREFIX + ".gatehouse/mark.json", Body=json.dumps(mark | {"sequence": mark["sequence"] + 1}).encode())
    server.restart()
    server.change("shop/ios", {"killSwitch": {"message": "At the mark"}})
    until(lambda: equal(store, server), "one that has come as far publishes again")


def shown(network, *words):
    """What a phone with the client library shows if it reads only from this network."""
    done = subprocess.run(
        [BINARY.parent / "gatekit-demo", "--feed", network.url + "/feeds/shop/ios/gate.json", "--once", "--version", "1.0", *words],
        capture_output=True, text=True, timeout=30,
    )
    return done.stdout


def test_a_phone_that_reads_the_bucket_alone_sees_a_kill_and_an_opening(serve, store):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    key = subprocess.run([BINARY, "keys", "add", "--data", server.folder], capture_output=True, text=True, timeout=30)
    assert key.returncode == 0, key.stderr
    public = next(word for word in key.stdout.split() if len(word) == 43)
    network = Network(store, PREFIX)
    try:
        # Signed with the key that the app was built with; the signature is stored beside the feed.
        until(lambda: '"open"' in shown(network, "--key", public), "the phone is let in")
        server.change("shop/ios", {"killSwitch": {"message": "Back at nine"}})
        until(lambda: "Back at nine" in shown(network, "--key", public), "the phone is told")
        server.change("shop/ios", {"killSwitch": None})
        until(lambda: '"open"' in shown(network, "--key", public), "the phone is let in again")
        keys = json.loads(store.objects(PREFIX)["/feeds/keys.json"][0])["keys"]
        assert [key["publicKey"] for key in keys if key["state"] == "active"] == [public]
    finally:
        network.stop()


def test_gatectl_publishes_an_export_when_the_server_is_gone(serve, store, road, tmp_path):
    def gatectl(*words):
        return subprocess.run([BINARY.parent / "gatectl", *words], capture_output=True, text=True, timeout=60)

    def render(*words):
        return gatectl("render", "-f", tmp_path / "gates.json", "--publish", f"s3://{BUCKET}/{PREFIX}", "--publish-endpoint", road.url, *words)

    server = serve()
    server.add_app("shop", "Shop", "ios")
    server.add_app("bank", "Bank", "ios")
    server.change("shop/ios", {"killSwitch": {"message": "Back at nine"}})
    until(lambda: equal(store, server), "the store has what is served")
    export = server.call("GET", "/export")
    server.stop()
    # By hand, at night: the file lifts the kill, and does not have the other app.
    shop = next(app for app in export["apps"] if app["key"] == "shop")
    shop["platforms"]["ios"]["gate"].pop("killSwitch")
    (tmp_path / "gates.json").write_text(json.dumps(export | {"apps": [shop]}))
    before = store.objects(PREFIX)
    done = render("--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["bucket"] == f"s3://{BUCKET}/{PREFIX}"
    after = store.objects(PREFIX)
    assert b"Back at nine" not in after["/feeds/shop/ios/bellerophon.json"][0]
    assert {path: found for path, found in after.items() if "bank" in path} == {path: found for path, found in before.items() if "bank" in path}
    # Once the server is back, its own state replaces that.
    server.restart()
    until(lambda: equal(store, server), "the store has what is served")
    server.change("shop/ios", {"killSwitch": {"message": "Back at ten"}})
    until(lambda: equal(store, server), "the store has what is served")
    # Publishing something older than what is there needs an option.
    done = render()
    assert done.returncode == 5, done.stderr
    assert "--accept stale_sequence" in done.stderr
    assert b"Back at ten" in store.objects(PREFIX)["/feeds/shop/ios/bellerophon.json"][0]
    done = render("--accept", "stale_sequence")
    assert done.returncode == 0, done.stderr
    assert b"Back at" not in store.objects(PREFIX)["/feeds/shop/ios/bellerophon.json"][0]


def test_a_plan_says_what_phones_do_not_get_there(serve):
    server = serve()
    server.add_app("shop", "Shop", "ios")
    target = {"app": "shop", "platform": "ios", "revision": server.target("shop/ios")["revision"]}
    for rules, isTold in (({"alert": {"message": "Slow", "blocking": False}}, False), ({"optionalUpdate": {"optionalVersion": "2.0", "message": "New"}}, True)):
        plan = server.call("POST", "/changes", {"targets": [target], "set": rules, "dryRun": True, "accept": ["above_newest_release"]})["plan"]
        assert ("stored_untargeted" in [warning["code"] for warning in plan["warnings"]]) == isTold, plan


def test_without_credentials_it_does_not_start(store, road, tmp_path, monkeypatch):
    for name in store.credentials:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    done = subprocess.run(
        [BINARY, "serve", "--data", tmp_path / "data", "--publish", "s3://feeds/production", "--publish-endpoint", road.url, "--public", ROOT / "Public", "--migrations", ROOT / "Migrations"],
        capture_output=True, text=True, timeout=30,
    )
    assert done.returncode != 0
    assert "AWS_ACCESS_KEY_ID" in done.stderr
