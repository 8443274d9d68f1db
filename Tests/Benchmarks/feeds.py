"""Polls, compared with the same answers from a bare C program and from nginx: throughput, and the 99th percentile while changes are
made."""
import shutil
import subprocess
import threading
import time

from harness import ROUNDS, SECONDS, WORK, WORKERS, Connection, Gatehouse, compiled, free_port, heading, median, report, start, stop, wrk

PATH = "/feeds/app-0001/launchgate.json"
APPS = 1_000


def paths():
    """One feed of every app: 1,000 addresses."""
    return [f"/feeds/app-{number:04d}/" + ("launchgate.json", "ios/bellerophon.json", "android/gate.json", "ios/combined.json")[number % 4]
            for number in range(APPS)]


def mirror(server):
    """The feeds' bytes as files for nginx, and as a list for the C program."""
    root = WORK / "mirror"
    lines = []
    connection = Connection(server.feeds)
    for path in {PATH, *paths()}:
        status, headers, body = connection.get(path)
        assert status == 200, path
        file = root / path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
        lines.append(f"{path}\t{file}\t{headers['ETag']}\n")
    (WORK / "list").write_text("".join(lines))
    return root


def bare(wrapper=()):
    port = free_port()
    process = start([*wrapper, compiled("bare", "microhttpd"), port, WORKERS, WORK / "list"], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    return process, port


def nginx(root):
    port = free_port()
    configuration = WORK / "nginx.conf"
    configuration.write_text(f"""
worker_processes {WORKERS}; pid {WORK}/nginx.pid; error_log stderr crit; daemon off;
events {{ worker_connections 16384; }}
http {{
    access_log off; keepalive_requests 100000000; sendfile on; tcp_nopush on; open_file_cache max=10000; types {{ }}
    default_type "application/json; charset=utf-8";
    client_body_temp_path {WORK}/b; proxy_temp_path {WORK}/p; fastcgi_temp_path {WORK}/f; uwsgi_temp_path {WORK}/u; scgi_temp_path {WORK}/s;
    server {{
        listen 127.0.0.1:{port} backlog=4096; root {root};
        add_header Cache-Control "public, max-age=0, s-maxage=2, stale-if-error=86400"; add_header Access-Control-Allow-Origin "*";
    }}
}}""")
    # If the master runs as root, its workers run as a user who may not read a private folder.
    (root.parent).chmod(0o755)
    process = start([shutil.which("nginx") or "/usr/sbin/nginx", "-e", "stderr", "-c", configuration])
    for _ in range(100):
        try:
            Connection(port).close()
            return process, port
        except OSError:
            time.sleep(0.05)
    raise SystemExit("nginx did not start")


def mix():
    script = WORK / "mix.lua"
    script.write_text("local paths = {" + ",".join(f'"{path}"' for path in paths()) + "}\nlocal at = 0\n"
                      "request = function() at = at % #paths + 1; return wrk.format('GET', paths[at]) end\n")
    return script


def unchanged(port, tag):
    """304s a second."""
    words = [compiled("poll", "pthread"), str(port), "64", str(SECONDS), PATH, tag]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def throughput(servers):
    heading(f"Throughput: wrk -t1 -c64 -d{SECONDS}s (304: poll.c), {APPS} apps x 2 platforms, {ROUNDS} interleaved rounds; requests a second, medians")
    tags = {name: Connection(port).get(PATH)[1]["ETag"] for name, port in servers.items()}
    script = mix()
    asks = {
        "200": lambda name, port: wrk(port, PATH)[0],
        "304": lambda name, port: unchanged(port, tags[name]),
        "1,000 paths": lambda name, port: wrk(port, script=script)[0],
    }
    rates = {(ask, name): [] for ask in asks for name in servers}
    for _ in range(ROUNDS):
        for ask, run in asks.items():
            for name, port in servers.items():
                rates[ask, name].append(run(name, port))
    for ask in asks:
        middle = {name: median(rates[ask, name]) for name in servers}
        for name in servers:
            report(f"{ask}: {name}", f"{middle[name]:,.0f}/s")
        for other, bar in (("C", 0.95), ("nginx", 1.2)):
            # The ratio within each round, because anything that disturbs the machine affects both sides of a round.
            ratio = median([ours / theirs for ours, theirs in zip(rates[ask, "Gatehouse"], rates[ask, other])])
            report(f"{ask}: Gatehouse / {other}", f"{ratio:.2f}", f"aim >= {bar}", ratio >= bar)


def under_changes(server):
    heading("A poll's 99th percentile, quiet and under 20 changes a second (wrk -t1 -c64, saturated)")
    quiet, busy = [], []
    for _ in range(ROUNDS):
        quiet.append(wrk(server.feeds, PATH)[1])
        end = threading.Event()

        def change():
            api = server.api()
            number = 0
            while not end.wait(0.05):
                number += 1
                api.toggle(f"app-{number % APPS:04d}", "ios")

        thread = threading.Thread(target=change)
        thread.start()
        busy.append(wrk(server.feeds, PATH)[1])
        end.set()
        thread.join()
    ratio = median([one / other for one, other in zip(busy, quiet)])
    report("p99 quiet", f"{median(quiet):.2f} ms")
    report("p99 under 20 changes a second", f"{median(busy):.2f} ms")
    report("under changes / quiet", f"{ratio:.2f}", "<= 2", ratio <= 2)


if __name__ == "__main__":
    server = Gatehouse(apps=APPS)
    server.wait_for_writes()
    root = mirror(server)
    c, c_port = bare()
    n, n_port = nginx(root)
    throughput({"C": c_port, "nginx": n_port, "Gatehouse": server.feeds})
    stop(c)
    stop(n)
    under_changes(server)
    server.stop()
