"""Somebody else's S3-compatible store (moto), which checks signatures, and a proxy to it that fails as networks and stores do."""

import http.client
import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

import boto3
import botocore.config
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Faults"))
from ports import free_port  # noqa: E402

BUCKET = "feeds"


class ObjectStore:
    """moto's server with one bucket and one user who may use it; `credentials` are the user's."""

    def __init__(self, folder):
        self.port = free_port()
        # The first four requests make the bucket and the user; from then on each needs a correct signature.
        environment = os.environ | {"INITIAL_NO_AUTH_ACTION_COUNT": "4"}
        self.log = open(folder / "store.log", "wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)], stdout=self.log, stderr=self.log, env=environment
        )
        end = time.monotonic() + 60
        while True:
            assert self.process.poll() is None and time.monotonic() < end, (folder / "store.log").read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        self.client("anybody", "anything").create_bucket(Bucket=BUCKET)
        people = boto3.client("iam", endpoint_url=self.url, aws_access_key_id="anybody", aws_secret_access_key="anything", region_name="us-east-1")
        people.create_user(UserName="gatehouse")
        allowed = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
        people.put_user_policy(UserName="gatehouse", PolicyName="feeds", PolicyDocument=json.dumps(allowed))
        key = people.create_access_key(UserName="gatehouse")["AccessKey"]
        self.credentials = {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}
        self.s3 = self.client(*self.credentials.values())

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def client(self, key, secret):
        config = botocore.config.Config(s3={"addressing_style": "path"})
        return boto3.client("s3", endpoint_url=self.url, aws_access_key_id=key, aws_secret_access_key=secret, region_name="us-east-1", config=config)

    def objects(self, prefix):
        """Every object below the prefix: its path, bytes, type and how long it may be kept."""
        found = {}
        for page in self.s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix + "/"):
            for item in page.get("Contents", []):
                path = item["Key"].removeprefix(prefix)
                try:
                    got = self.s3.get_object(Bucket=BUCKET, Key=item["Key"])
                except self.s3.exceptions.NoSuchKey:
                    # It was deleted since the list was made.
                    continue
                found[path] = (got["Body"].read(), got["ContentType"], got.get("CacheControl"))
        return found

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


class Quiet(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Listener:
    """Answers on a port of its own until it is stopped."""

    def __init__(self, handler):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class BadRoad(Listener):
    """A proxy in front of the store. `mood` is what it does with a request: pass it on, answer 503, refuse (403), or hang up."""

    def __init__(self, store):
        self.mood = "pass"
        road = self

        class Handler(Quiet):
            protocol_version = "HTTP/1.1"

            def handle_one(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if road.mood == "hang up":
                    self.close_connection = True
                    return
                if road.mood in ("503", "403"):
                    word = {"503": "SlowDown", "403": "AccessDenied"}[road.mood]
                    return self.answer(int(road.mood), {}, f"<Error><Code>{word}</Code></Error>".encode())
                onward = http.client.HTTPConnection("127.0.0.1", store.port)
                onward.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    onward.putheader(name, value)
                onward.endheaders(body)
                got = onward.getresponse()
                content = got.read()
                self.answer(got.status, {name: value for name, value in got.getheaders() if name.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server")}, content)
                onward.close()

            def answer(self, status, headers, content):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_PUT = do_DELETE = handle_one

        super().__init__(Handler)


class Network(Listener):
    """Does what a CDN does for phones: serves objects of the bucket by path, and ignores the query."""

    def __init__(self, store, prefix):
        class Handler(Quiet):
            def do_GET(self):
                path = self.path.split("?")[0]
                found = store.objects(prefix).get(path)
                self.send_response(200 if found else 404)
                if found:
                    self.send_header("Content-Type", found[1])
                    self.send_header("Cache-Control", found[2])
                self.end_headers()
                self.wfile.write(found[0] if found else b"")

        super().__init__(Handler)


def served(server, path):
    """What the feeds listener itself answers."""
    with urllib.request.urlopen(server.feeds + path, timeout=20) as answer:
        return answer.read(), answer.headers["Content-Type"], answer.headers["Cache-Control"]
