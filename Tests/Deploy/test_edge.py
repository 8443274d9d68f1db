"""nginx, Varnish and Caddy with the files of deploy/edge in front of a real server: its admin side, and its feeds when it dies.

Tests/Edge/run shows more of what the caches do, including hanging servers and bad starts.
"""
import http.client
import json
import re
import shutil
import subprocess
import time

import pytest

from machine import PASSWORD, ROOT, free_port

EDGE = ROOT / "deploy/edge"
ORIGIN = {"GATEHOUSE_ORIGIN": "https://gate.example.com", "GATEHOUSE_TRUSTED_PROXY": "127.0.0.1"}


def needs(program):
    return pytest.mark.skipif(not shutil.which(program, path="/usr/sbin:/usr/bin"), reason=f"{program} is not installed")


def file(name, folder, replacements):
    """A shipped file with the addresses and files of this test; every replacement must be needed."""
    text = (EDGE / name).read_text(encoding="utf-8")
    for old, new in replacements.items():
        assert old in text, old
        text = text.replace(old, str(new))
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def started(words, ready, **options):
    process = subprocess.Popen([str(word) for word in words], **options)
    until = time.monotonic() + 20
    while not ready():
        assert process.poll() is None and time.monotonic() < until, f"{words[0]} does not start"
        time.sleep(0.05)
    return process


def curl(*words):
    """Status, headers in lower case, and body."""
    done = subprocess.run(["curl", "-sik", "--max-time", "10", *words], capture_output=True, text=True)
    if done.returncode:
        return 0, "", ""
    head, _, body = done.stdout.replace("\r\n", "\n").partition("\n\n")
    return int(head.split()[1]), head.lower(), body


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=gate.example.com", "-addext",
         "subjectAltName=DNS:gate.example.com", "-keyout", folder / "key.pem", "-out", folder / "chain.pem"],
        check=True, capture_output=True,
    )
    return folder / "chain.pem", folder / "key.pem"


def behind_a_proxy(here, port):
    """What the admin side must be like through a proxy with TLS."""
    own = ("--resolve", f"gate.example.com:{port}:127.0.0.1", "-H", "Host: gate.example.com")
    address = f"https://gate.example.com:{port}"
    status, head, _ = curl(*own, address + "/")
    assert status == 200 and "text/html" in head
    # A browser of the origin signs in, and its cookie is only for https.
    body = json.dumps({"username": "admin", "password": PASSWORD})
    headers = ("-H", "Content-Type: application/json", "-H", "Origin: https://gate.example.com", "-H", "X-Forwarded-For: 198.51.100.7")
    status, head, said = curl(*own, *headers, "-d", body, address + "/api/v1/session")
    assert status == 200, said
    assert re.search(r"set-cookie: __host-gh_session=.*secure", head), head
    # Its address is the one that the proxy saw, not the one that the caller made up.
    signed_in = [each for each in json.loads(here.run("gatectl audit --json"))["items"] if each["address"] != "console"]
    assert [each["address"] for each in signed_in] == ["127.0.0.1"], signed_in
    # No notice of an undeclared proxy.
    assert not json.loads(here.run("gatectl api GET /status"))["health"].get("notices")
    # A whole export is larger than any other body: it gets as far as the server, which says what is wrong with this one.
    large = here.path / "large.json"
    large.write_text(" " * 5_000_000 + "{}")
    token = ("-H", f"Authorization: Bearer {here.environment['GATECTL_TOKEN']}", "-H", "Content-Type: application/json", "-H", "Expect:")
    status, head, said = curl(*own, *token, "--data-binary", f"@{large}", address + "/api/v1/apply")
    assert status in (400, 422) and "requestId" in said, (status, said)
    # Metrics are only for those who ask the server itself.
    assert curl(*own, address + "/metrics")[0] == 404


def whole_nginx(folder, site):
    """nginx's own configuration, with everything that it writes in this folder."""
    configuration = folder / "whole.conf"
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    configuration.write_text(
        # The workers write into this folder, which nobody else may enter.
        f"user root;\ndaemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}include {site};\n}}\n"
    )
    return configuration


@needs("nginx")
def test_nginx_before_the_admin_side(machine, tmp_path, stopped):
    here = machine(**ORIGIN).fill()
    port = free_port()
    chain, key = certificate(tmp_path)
    site = file("admin-nginx.conf", tmp_path, {
        "listen 443": f"listen 127.0.0.1:{port}", "http://127.0.0.1:8080": f"http://127.0.0.1:{here.ports['8080']}",
        "/etc/ssl/certs/gate.example.com.pem": chain, "/etc/ssl/private/gate.example.com.key": key,
    })
    configuration = whole_nginx(tmp_path, site)
    said = subprocess.run(["/usr/sbin/nginx", "-t", "-c", configuration], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    stopped(started(["/usr/sbin/nginx", "-c", configuration], lambda: curl(f"https://127.0.0.1:{port}/")[0]))
    behind_a_proxy(here, port)


@needs("caddy")
def test_caddy_before_the_admin_side_and_the_feeds(machine, tmp_path, stopped):
    said = subprocess.run(["caddy", "validate", "--adapter", "caddyfile", "--config", EDGE / "Caddyfile"], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    here = machine(**ORIGIN).fill()
    port = free_port()
    chain, key = certificate(tmp_path)
    site = file("Caddyfile", tmp_path, {
        "gate.example.com {": f"gate.example.com:{port} {{\n\tbind 127.0.0.1\n\ttls {chain} {key}",
        "feeds.example.com {": f"feeds.example.com:{port} {{\n\tbind 127.0.0.1\n\ttls {chain} {key}",
        "127.0.0.1:8080": f"127.0.0.1:{here.ports['8080']}", "127.0.0.1:8081": f"127.0.0.1:{here.ports['8081']}",
    })
    site.write_text("{\n\tadmin off\n\tauto_https off\n}\n" + site.read_text())
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    own = ("--resolve", f"gate.example.com:{port}:127.0.0.1")
    stopped(started(
        ["caddy", "run", "--adapter", "caddyfile", "--config", site], lambda: curl(*own, f"https://gate.example.com:{port}/metrics")[0],
        env=environment, stderr=subprocess.DEVNULL,
    ))
    behind_a_proxy(here, port)
    feeds = ("--resolve", f"feeds.example.com:{port}:127.0.0.1", f"https://feeds.example.com:{port}/feeds/shop/ios/gate.json")
    status, head, body = curl(*feeds)
    assert status == 200 and json.loads(body)["app"] == "shop" and "s-maxage=2" in head


# What stands in front of the feeds


FEED = "/feeds/shop/launchgate.json"


def poll(port, path=FEED):
    """Status, headers and body of an edge's answer, (0, {}, b"") if there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    except OSError:
        return 0, {}, b""
    finally:
        connection.close()


def nginx_before(feeds, folder):
    port = free_port()
    site = file("nginx.conf", folder, {
        "127.0.0.1:8081": f"127.0.0.1:{feeds}", "listen 80;": f"listen 127.0.0.1:{port};", "/var/cache/gatehouse-nginx": folder / "kept",
    })
    return port, ["/usr/sbin/nginx", "-e", "/dev/null", "-c", whole_nginx(folder, site)], {}


@needs("nginx")
def test_nginx_before_the_feeds_works_in_debians_configuration(machine, tmp_path, stopped):
    # nginx makes no folder but the last of the path, and Debian's package none at all.
    kept = re.search(r"^proxy_cache_path (\S+)", (EDGE / "nginx.conf").read_text(encoding="utf-8"), re.M)[1]
    assert kept.rpartition("/")[0] == "/var/cache"
    port, words, options = nginx_before(machine().fill().ports["8081"], tmp_path)
    # Debian's includes conf.d, then a site that answers for every name that nobody else has.
    whole = tmp_path / "whole.conf"
    other = f"server {{ listen 127.0.0.1:{port} default_server; server_name _; return 404; }}\n}}\n"
    whole.write_text(whole.read_text().removesuffix("}\n") + other)
    stopped(started(words, lambda: poll(port)[0], **options))
    status, head, body = curl("-H", "Host: feeds.example.com", f"http://127.0.0.1:{port}/feeds/shop/ios/gate.json")
    assert status == 200 and "application/json" in head and json.loads(body)["app"] == "shop", (status, body)


def varnish_before(feeds, folder):
    port = free_port()
    vcl = file("varnish.vcl", folder, {'.port = "8081"': f'.port = "{feeds}"'})
    words = ["/usr/sbin/varnishd", "-F", "-j", "none", "-n", folder / "varnish", "-a", f"127.0.0.1:{port}", "-f", vcl, "-s", "malloc,32m"]
    return port, [*words, "-T", "none"], {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def caddy_before(feeds, folder):
    """Without TLS on its addresses, since it treats the feeds the same without it."""
    port = free_port()
    site = file("Caddyfile", folder, {
        "gate.example.com {": f"http://gate.example.com:{port} {{", "feeds.example.com {": f"http://127.0.0.1:{port} {{",
        "127.0.0.1:8081": f"127.0.0.1:{feeds}",
    })
    site.write_text("{\n\tadmin off\n\tauto_https off\n}\n" + site.read_text())
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    words = ["caddy", "run", "--adapter", "caddyfile", "--config", site]
    return port, words, {"env": environment, "stderr": subprocess.DEVNULL}


# Each listed from the phones' side to the server's. Debian's Caddy caches nothing; README.md there says to put a cache behind it.
EDGES = {
    "nginx": (nginx_before,), "varnish": (varnish_before,), "caddy and varnish": (caddy_before, varnish_before),
    "caddy and nginx": (caddy_before, nginx_before),
}


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.skipif(
    not all(shutil.which(program, path="/usr/sbin:/usr/bin") for program in ("nginx", "varnishd", "caddy")),
    reason="nginx, varnish and caddy are not all installed",
)
def test_an_edge_goes_on_with_the_last_feed_while_the_server_is_dead(edge, machine, tmp_path, stopped):
    here = machine().fill()
    port = here.ports["8081"]
    for number, before in enumerate(reversed(EDGES[edge])):
        folder = tmp_path / str(number)
        folder.mkdir()
        port, words, options = before(port, folder)
        stopped(started(words, lambda: poll(port, "/healthz/live")[0], **options))
    here.run("gatectl kill shop ios -m 'Before it died.' -y")
    assert until(lambda: b"Before it died." in poll(port)[2], 10), f"the edge does not follow the server: {poll(port)}"
    _, known, body = poll(port)

    subprocess.run(["kill", "-KILL", (here.path / "pid").read_text().strip()], check=True)
    died = time.monotonic()
    assert until(lambda: poll(int(here.ports["8081"]))[0] == 0, 5)
    # The feed is fresh for two seconds; for three times as long each poll must be answered with the same bytes, at once or after one try.
    polls = 0
    while time.monotonic() < died + 6:
        status, headers, kept = poll(port)
        assert (status, kept, headers.get("ETag")) == (200, body, known["ETag"]), f"{time.monotonic() - died:.1f} s after it died: {status} {kept[:90]}"
        assert headers["Content-Type"] == known["Content-Type"] and headers["Cache-Control"] == known["Cache-Control"]
        polls += 1
        time.sleep(0.02)
    assert polls > 20, f"only {polls} polls were answered in six seconds"
    # And where there is no feed, nothing that a library could take for one.
    status, headers, said = poll(port, "/feeds/none/launchgate.json")
    assert status == 503 and headers["Content-Type"].startswith("text/plain"), f"{status} {said[:90]}"

    here.run("systemctl start")
    here.run("gatectl kill shop ios -m 'Back from the dead.' -y")
    changed = time.monotonic()
    assert until(lambda: b"Back from the dead." in poll(port)[2], 10), f"the edge does not follow the server again: {poll(port)}"
    # Two seconds in which the feed is fresh, and one for the edge to notice that the server is back.
    assert time.monotonic() - changed < 4


SECONDS = {
    "nginx": ("nginx.conf", "    # server 192.0.2.2:8081", "    server 127.0.0.1:{}"),
    "varnish": ("varnish.vcl", '# backend second { .host = "192.0.2.2"; .port = "8081"', 'backend second {{ .host = "127.0.0.1"; .port = "{}"'),
    "caddy": ("Caddyfile", "reverse_proxy 127.0.0.1:8081 {", "reverse_proxy 127.0.0.1:8081 127.0.0.1:{} {{"),
}


@pytest.mark.parametrize("edge", SECONDS)
@pytest.mark.skipif(
    not all(shutil.which(program, path="/usr/sbin:/usr/bin") for program in ("nginx", "varnishd", "caddy")),
    reason="nginx, varnish and caddy are not all installed",
)
def test_a_second_server_answers_when_the_first_is_dead_or_hangs(edge, machine, tmp_path, stopped, monkeypatch):
    # Two independent servers: an edge treats them the same, whether they share a database or not.
    first, second = machine().fill(), machine().fill()
    name, comment, line = SECONDS[edge]
    shipped = tmp_path / "shipped"
    shutil.copytree(EDGE, shipped)
    text = (shipped / name).read_text(encoding="utf-8")
    assert comment in text
    text = text.replace(comment, line.format(second.ports["8081"])).replace("    # origins.add_backend(second);", "    origins.add_backend(second);")
    # In nginx it stands in place of the first one's second line.
    text = text.replace("    server 127.0.0.1:8081 fail_timeout=1s backup;\n", "")
    (shipped / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr("test_edge.EDGE", shipped)
    folder = tmp_path / "edge"
    folder.mkdir()
    before = {"nginx": nginx_before, "varnish": varnish_before, "caddy": caddy_before}[edge]
    port, words, options = before(first.ports["8081"], folder)
    stopped(started(words, lambda: poll(port, "/healthz/live")[0], **options))
    first.run("gatectl kill shop ios -m 'The first.' -y")
    second.run("gatectl kill shop ios -m 'The second.' -y")
    assert until(lambda: b"The first." in poll(port)[2], 10), poll(port)
    # Not in turn: the first one as long as it answers.
    assert all(b"The first." in poll(port)[2] for _ in range(50))

    def answered(seconds):
        """Every poll is; each time that the edge tries the first one again, the second still answers."""
        failed = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status, _, body = poll(port)
            if status != 200:
                failed.append((round(seconds - end + time.monotonic(), 2), status))
            time.sleep(0.05)
        assert not failed, f"{len(failed)} polls failed: {failed[:9]}"
        assert b"The second." in body

    def signalled(signal):
        subprocess.run(["kill", f"-{signal}", (first.path / "pid").read_text().strip()], check=True)

    signalled("KILL")
    answered(6)
    first.run("systemctl start")
    assert until(lambda: b"The first." in poll(port)[2], 8), poll(port)

    signalled("STOP")
    try:
        answered(9)
    finally:
        signalled("CONT")
    assert until(lambda: b"The first." in poll(port)[2], 8), poll(port)


def until(holds, seconds):
    """Whether a condition comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False
