"""OpenFeature's own SDK and provider ask the real server, as in an app without a library of ours."""

import json
import urllib.error
import urllib.request

import pytest
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason

FLAGS = ["gate.kill", "gate.forceUpdate", "gate.requiredUpdate", "gate.optionalUpdate", "gate.alert"]


@pytest.fixture
def shop(server):
    server.add_app("shop", "Shop", "ios", "android")
    api.set_provider(OFREPProvider(server.feeds))
    yield server
    api.clear_providers()


def phone(platform="ios", version="4.1.0", locale="de-AT", app="shop"):
    return EvaluationContext("one-phone", {"app": app, "platform": platform, "version": version, "os": "17.2", "locale": locale})


def on(context):
    """The boolean flags that are true, and the object."""
    client = api.get_client()
    details = {flag: client.get_boolean_details(flag, False, context) for flag in FLAGS}
    assert all(one.error_code is None for one in details.values()), details
    gate = client.get_object_details("gate", {}, context)
    assert gate.error_code is None, gate
    assert gate.variant == gate.value["decision"]
    return [flag for flag, one in details.items() if one.value], gate.value


def test_all_six_flags_say_what_this_phone_faces(shop):
    assert on(phone()) == ([], {"decision": "open"})
    shop.change("shop/ios", {"alert": {"message": {"default": "Slow today.", "de": "Heute langsam."}, "blocking": False}})
    assert on(phone()) == (["gate.alert"], {"decision": "alert", "message": "Heute langsam."})
    assert on(phone(locale="fr"))[1]["message"] == "Slow today."
    shop.change("shop/ios", {"optionalUpdate": {"optionalVersion": "4.10.0", "message": "4.10 is out."}})
    assert on(phone(version="4.9.0")) == (["gate.optionalUpdate"], {"decision": "optional", "message": "4.10 is out."})
    assert on(phone(version="4.10.0"))[0] == ["gate.alert"]
    shop.change("shop/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}})
    assert on(phone()) == (["gate.requiredUpdate"], {"decision": "required", "message": "Please update.", "minimumVersion": "4.2.0", "retryInterval": 15})
    details = api.get_client().get_boolean_details("gate.requiredUpdate", False, phone())
    assert (details.reason, details.variant) == (Reason.TARGETING_MATCH, "on")
    assert details.flag_metadata["platform"] == "ios"
    shop.change("shop/ios", {"forceUpdate": {"message": "Update now."}})
    assert on(phone(version="9.9"))[0] == ["gate.forceUpdate"]
    shop.change("shop/ios", {"killSwitch": {"message": "Back at 09:30.", "retryInterval": 30}})
    assert on(phone()) == (["gate.kill"], {"decision": "blocked", "message": "Back at 09:30.", "retryInterval": 30})
    # The other platform is decided separately.
    assert on(phone("android", "41")) == ([], {"decision": "open"})


@pytest.mark.parametrize("flag, context, code", [
    ("gate.kill", phone(app="none"), ErrorCode.FLAG_NOT_FOUND), ("gate.kill", phone(platform="tv"), ErrorCode.FLAG_NOT_FOUND),
    ("gate.nothing", phone(), ErrorCode.FLAG_NOT_FOUND), ("gate.kill", EvaluationContext("one-phone", {"app": "shop"}), ErrorCode.INVALID_CONTEXT),
])
def test_what_cannot_be_answered_is_an_error_and_the_default(shop, flag, context, code):
    details = api.get_client().get_boolean_details(flag, True, context)
    assert (details.value, details.error_code) == (True, code)


def evaluate(server, tag=None):
    body = json.dumps({"context": {"app": "shop", "platform": "ios", "version": "4.1.0"}}).encode()
    headers = {"Content-Type": "application/json"} | ({"If-None-Match": tag} if tag else {})
    try:
        with urllib.request.urlopen(urllib.request.Request(server.feeds + "/ofrep/v1/evaluate/flags", data=body, headers=headers), timeout=10) as answer:
            return answer.status, answer.headers["ETag"], json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, error.headers["ETag"], error.read()


def test_who_polls_all_flags_is_told_when_nothing_changed_and_sees_a_kill_on_the_next(shop):
    status, tag, first = evaluate(shop)
    assert (status, [flag["key"] for flag in first["flags"]]) == (200, [*FLAGS, "gate"])
    assert evaluate(shop, tag) == (304, tag, b"")
    shop.change("shop/ios", {"killSwitch": {"message": "Back at 09:30.", "retryInterval": 30}})
    status, newer, killed = evaluate(shop, tag)
    assert (status, killed["flags"][0]["value"]) == (200, True)
    assert evaluate(shop, newer)[0] == 304


def test_a_body_that_is_too_large_is_refused_and_the_next_request_answered(shop):
    for size in (8_000, 200_000):
        body = json.dumps({"context": {"app": "shop", "platform": "ios", "more": "x" * size}}).encode()
        request = urllib.request.Request(shop.feeds + "/ofrep/v1/evaluate/flags", data=body, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                assert (answer.status, size) == (200, 8_000)
        except urllib.error.HTTPError as error:
            assert (error.code, size) == (413, 200_000)
        except (urllib.error.URLError, ConnectionError):
            # The server broke off while the body was still being sent: it does not read that much.
            assert size == 200_000
    assert evaluate(shop)[0] == 200
