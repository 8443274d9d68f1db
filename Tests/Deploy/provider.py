"""A small OpenID provider for tests: discovery, authorization code with PKCE, tokens signed with RS256, sign-out. One form asks for a name,
and believes it; a browser that has answered is not asked again until it signs out or the request's max_age is over."""
import base64
import hashlib
import html
import http.server
import json
import secrets
import subprocess
import threading
import time
import urllib.parse


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider:
    def __init__(self, folder):
        self.key = folder / "provider.pem"
        subprocess.run(["openssl", "genrsa", "-out", self.key, "2048"], check=True, capture_output=True)
        modulus = subprocess.run(["openssl", "rsa", "-in", self.key, "-noout", "-modulus"], check=True, capture_output=True, text=True).stdout
        self.modulus = bytes.fromhex(modulus.strip().split("=")[1])
        # The directory: people's groups by name. Nobody else can sign in.
        self.people = {}
        self.codes = {}
        # By browser: who signed in with it, and when.
        self.browsers = {}
        self.lock = threading.Lock()
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.answer(self, {})

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                provider.answer(self, dict(urllib.parse.parse_qsl(body)))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request, form):
        place = urllib.parse.urlsplit(request.path)
        query = dict(urllib.parse.parse_qsl(place.query))
        cookie = dict(part.strip().split("=", 1) for part in (request.headers.get("Cookie") or "").split(";") if "=" in part).get("provider")
        with self.lock:
            {
                "/.well-known/openid-configuration": self.discovery, "/jwks": self.keys, "/authorize": self.authorize, "/token": self.token,
                "/sign-out": self.sign_out,
            }.get(place.path, self.missing)(request, query, form, cookie)

    def send(self, request, status, body=b"", kind="application/json", **headers):
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def json(self, request, document, status=200):
        self.send(request, status, json.dumps(document).encode())

    def missing(self, request, *_):
        self.send(request, 404)

    def discovery(self, request, *_):
        self.json(request, {
            "issuer": self.issuer, "authorization_endpoint": self.issuer + "/authorize", "token_endpoint": self.issuer + "/token",
            "jwks_uri": self.issuer + "/jwks", "end_session_endpoint": self.issuer + "/sign-out", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"], "code_challenge_methods_supported": ["S256"],
        })

    def keys(self, request, *_):
        self.json(request, {"keys": [
            {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": encoded(self.modulus), "e": encoded(b"\x01\x00\x01")},
        ]})

    def authorize(self, request, query, form, cookie):
        headers = {}
        if form.get("username") in self.people:
            cookie = secrets.token_urlsafe()
            self.browsers[cookie] = (form["username"], int(time.time()))
            headers["Set_Cookie"] = f"provider={cookie}; Path=/; HttpOnly"
        name, proven = self.browsers.get(cookie, (None, 0))
        if name is None or time.time() - proven > float(query.get("max_age", 10**9)):
            action = html.escape(request.path)
            page = f'<!doctype html><title>Sign in</title><form method="post" action="{action}"><label>Name <input name="username"></label> <button>Go on</button></form>'
            return self.send(request, 200, page.encode(), "text/html")
        code = secrets.token_urlsafe()
        self.codes[code] = (name, proven, query)
        back = query["redirect_uri"] + "?" + urllib.parse.urlencode({"code": code, "state": query["state"]})
        self.send(request, 303, Location=back, **headers)

    def token(self, request, _, form, __):
        name, proven, query = self.codes.pop(form.get("code"), (None, 0, {}))
        verifier = encoded(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if name is None or verifier != query.get("code_challenge"):
            return self.json(request, {"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {
            "iss": self.issuer, "sub": f"id-of-{name}", "aud": query["client_id"], "iat": now, "exp": now + 600, "auth_time": proven,
            "nonce": query.get("nonce"), "preferred_username": name, "groups": self.people[name],
        }
        head = encoded(json.dumps({"alg": "RS256", "kid": "1", "typ": "JWT"}).encode()) + "." + encoded(json.dumps(claims).encode())
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.key], input=head.encode(), check=True, capture_output=True).stdout
        self.json(request, {"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "expires_in": 600, "id_token": f"{head}.{encoded(signature)}"})

    def sign_out(self, request, query, _, cookie):
        self.browsers.pop(cookie, None)
        self.send(request, 303, Location=query.get("post_logout_redirect_uri", self.issuer))
