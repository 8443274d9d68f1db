"""R37: how long a sign-in takes, and that the time does not reveal which names exist."""
import json
import statistics
import time

from server import ask

PEOPLE, TRIES = 23, 9
PASSWORD = "violet-harbour-41-lantern"


def run(server):
    """The server trusts the proxy at 127.0.0.1: each try comes from its own address, so that none is throttled."""
    for number in range(PEOPLE):
        status, answer = server.call("POST", "/users", {"username": f"person{number}", "role": "viewer", "password": PASSWORD})
        assert status == 201, answer
    count = 0

    def sign_in(name, password):
        nonlocal count
        count += 1
        headers = {"Content-Type": "application/json", "X-Forwarded-For": f"10.{count >> 16 & 255}.{count >> 8 & 255}.{count & 255}"}
        begun = time.monotonic()
        status, _, body = ask(server.admin, "POST", "/api/v1/session", {"username": name, "password": password}, headers)
        return (time.monotonic() - begun) * 1000, status, {key: value for key, value in json.loads(body).items() if key != "requestId"}

    known, unknown, answers = [], [], []
    # Alternately, so that other work on the machine affects both.
    for attempt in range(TRIES):
        for number in range(PEOPLE):
            for times, name in ((known, f"person{number}"), (unknown, f"stranger{number}")):
                took, status, body = sign_in(name, f"wrong password {attempt}")
                times.append(took)
                answers.append((status, json.dumps(body, sort_keys=True)))
    right = [sign_in(f"person{number}", PASSWORD) for number in range(PEOPLE)]
    yield "an unknown name and a wrong password get the same answer", len(set(answers)) == 1 and answers[0][0] == 401, str(set(answers))[:200]
    middle = lambda times: statistics.mean(sorted(times)[len(times) // 10:-len(times) // 10])
    apart = abs(middle(known) - middle(unknown))
    yield "and it takes them the same time, within 5 ms", apart < 5, f"{len(known)} tries each: known {middle(known):.2f} ms, unknown {middle(unknown):.2f} ms, {apart:.2f} ms apart"
    took = sorted(one[0] for one in right)
    yield "a right password is looked at for 50 to 500 ms", all(one[1] == 200 for one in right) and 50 <= took[len(took) // 2] <= 500, f"median {took[len(took) // 2]:.0f} ms, slowest {took[-1]:.0f} ms"
