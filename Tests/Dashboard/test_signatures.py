"""Signed native feeds, as somebody checks them who has no line of this project: with PyNaCl, by the documentation."""

import base64
import hashlib
import json
import re
import subprocess
import urllib.error
import urllib.request

import nacl.exceptions
import nacl.signing
import pytest

from gatehouse_server import BINARY, ROOT, Server
from steps import eventually

DOCUMENTATION = ROOT / "Sources" / "GateService" / "Documentation.docc" / "SignedFeeds.md"
GATE = "/feeds/shop/ios/gate.json"


def decode(text):
    """Base64 with the URL alphabet, without padding and without bits to spare."""
    assert re.fullmatch(r"[A-Za-z0-9_-]+", text), text
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    assert base64.urlsafe_b64encode(data).decode().rstrip("=") == text
    return data


def key_id(public):
    return hashlib.sha256(public).hexdigest()[:16]


def verify(line, body, keys):
    """The name of the key that has signed these bytes; `keys` are public halves by their names."""
    name, signature = re.fullmatch(r"([0-9a-f]{16}):([A-Za-z0-9_-]{86})", line).groups()
    nacl.signing.VerifyKey(keys[name]).verify(body, decode(signature))
    return name


@pytest.fixture
def signer(tmp_path):
    server = Server(tmp_path, environment="staging")
    server.add_app("shop", "Shop", "ios")
    yield server
    server.stop()


def keys(server, *words):
    done = subprocess.run([BINARY, "keys", *words, "--data", server.folder], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


def add(server):
    name, public = re.fullmatch(r"Key ([0-9a-f]{16}) .*\nPublic key: ([A-Za-z0-9_-]{43})\n", keys(server, "add")).groups()
    assert key_id(decode(public)) == name
    return name, decode(public)


def poll(server, path=GATE):
    with urllib.request.urlopen(server.feeds + path, timeout=20) as answer:
        return answer.read(), answer.headers


def wait_for(server, name):
    eventually(lambda: (poll(server)[1]["Gatehouse-Signature"] or "").startswith(name), f"the feed is signed with {name}", seconds=10)


def test_what_is_served_verifies(signer):
    name, public = add(signer)
    wait_for(signer, name)
    signer.change("shop/ios", {"killSwitch": {"message": "Zurück um 09:30. ☕"}})
    body, headers = poll(signer)
    line = headers["Gatehouse-Signature"]
    assert verify(line, body, {name: public}) == name
    assert poll(signer, GATE + ".sig")[0].decode() == line
    document = json.loads(body)
    assert (document["app"], document["platform"], document["schema"]) == ("shop", "ios", "gatehouse/v1")
    for place in range(len(body)):
        altered = bytearray(body)
        altered[place] ^= 1
        with pytest.raises(nacl.exceptions.BadSignatureError):
            verify(line, bytes(altered), {name: public})


def test_a_rotation(signer):
    known = dict([add(signer)])
    first = next(iter(known))
    wait_for(signer, first)
    second, public = add(signer)
    known[second] = public
    keys(signer, "activate", second)
    wait_for(signer, second)
    body, headers = poll(signer)
    assert verify(headers["Gatehouse-Signature"], body, known) == second
    told = json.loads(poll(signer, "/feeds/keys.json")[0])["keys"]
    assert [(key["id"], key["state"]) for key in told] == [(second, "active"), (first, "retired")]
    assert all(key["algorithm"] == "Ed25519" and decode(key["publicKey"]) == known[key["id"]] for key in told)


def test_without_keys_nothing_is_signed(signer):
    assert poll(signer)[1]["Gatehouse-Signature"] is None
    assert json.loads(poll(signer, "/feeds/keys.json")[0]) == {"keys": []}
    with pytest.raises(urllib.error.HTTPError, match="404"):
        poll(signer, GATE + ".sig")


def test_the_vectors_of_the_documentation():
    text = DOCUMENTATION.read_text()
    cell = lambda name: re.search(rf"^\| {name} \| `(.+)` \|$", text, re.MULTILINE).group(1)
    key = nacl.signing.SigningKey(decode(cell("seed")))
    public = decode(cell("public key"))
    assert key.verify_key.encode() == public and key_id(public) == cell("key id")
    lines = re.search(r"```\n(.*?)```", text, re.DOTALL).group(1).splitlines()
    assert len(lines) == 4
    for document, line in zip(lines[::2], lines[1::2]):
        assert verify(line, document.encode(), {cell("key id"): public})
        assert decode(line.split(":")[1]) == key.sign(document.encode()).signature
