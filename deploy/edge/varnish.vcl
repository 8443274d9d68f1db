vcl 4.1;

# Feeds of Gatehouse behind Varnish 7: fresh for the 2 seconds that the origin says, then asked for again with their ETag, and stale up to
# 24 hours only when the origin fails. See README.md beside this file.

import directors;
import std;

probe alive {
    # An origin that is back is used again within a second.
    .url = "/healthz/live";
    .interval = 500ms;
    .timeout = 1s;
    .window = 2;
    .threshold = 1;
    .initial = 1;
}

backend gatehouse {
    .host = "127.0.0.1";
    .port = "8081";
    .connect_timeout = 1s;
    .first_byte_timeout = 2s;
    .between_bytes_timeout = 2s;
    .probe = alive;
}

# Of several servers on one database each has a backend like that one, and a line below.
# backend second { .host = "192.0.2.2"; .port = "8081"; .connect_timeout = 1s; .first_byte_timeout = 2s; .between_bytes_timeout = 2s; .probe = alive; }

sub vcl_init {
    # The others stand by: as long as the first answers, every phone is told the state of one.
    new origins = directors.fallback();
    origins.add_backend(gatehouse);
    # origins.add_backend(second);
}

sub vcl_recv {
    set req.backend_hint = origins.backend();
    if (req.method == "OPTIONS" || (req.method == "POST" && req.url ~ "^/ofrep/")) {
        return (pass);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (synth(405));
    }
    # A feed is the same for everybody.
    unset req.http.Cookie;
    unset req.http.Authorization;
    # Nobody gets an old feed while the origin can give a new one; the second try comes here after it could not.
    if (req.restarts == 0 && std.healthy(req.backend_hint)) {
        set req.grace = 0s;
    } else {
        set req.grace = 24h;
    }
    return (hash);
}

sub vcl_hash {
    # One feed under every name that the edge has.
    hash_data(req.url);
    return (lookup);
}

sub vcl_backend_response {
    if (beresp.status == 200) {
        # How long it is fresh stands in the origin's Cache-Control. Kept on for the ETag, and for an origin that fails.
        set beresp.grace = 24h;
        set beresp.keep = 24h;
    } else {
        if (beresp.status >= 500) {
            # The old feed is better. Without an object of this answer, which the second try would find in its place, being newer.
            return (abandon);
        }
        # Nothing but a feed is kept: an app that was just made is there at once.
        set beresp.uncacheable = true;
        set beresp.ttl = 0s;
    }
    return (deliver);
}

sub vcl_backend_error {
    if (bereq.is_bgfetch) {
        # Else whoever waits for it gets the error as if it were the feed.
        return (abandon);
    }
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    # No HTML: some client libraries obey any body that they can read.
    set beresp.http.Content-Type = "text/plain; charset=utf-8";
    set beresp.http.Cache-Control = "no-store";
    set beresp.body = "The feeds cannot be reached.";
    return (deliver);
}

sub vcl_deliver {
    if (resp.status >= 500 && req.restarts == 0 && req.method != "POST") {
        return (restart);
    }
    # What the phone is told is the origin's own word; its age at the edge must not make it keep it longer or shorter.
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}

sub vcl_synth {
    # What vcl_backend_response gave up comes here.
    if (resp.status >= 500 && req.restarts == 0 && req.method != "POST") {
        return (restart);
    }
    if (resp.status >= 500) {
        set resp.reason = "The feeds cannot be reached.";
        set resp.http.Retry-After = "5";
    }
    set resp.http.Content-Type = "text/plain; charset=utf-8";
    set resp.http.Cache-Control = "no-store";
    if (resp.status == 405) {
        set resp.http.Allow = "GET, HEAD, OPTIONS";
    }
    set resp.body = resp.reason;
    return (deliver);
}
