vcl 4.1;

# Feeds of Gatehouse behind Varnish 7: fresh for the 2 seconds that the origin says, then asked for again with their ETag, and served stale
# for up to 24 hours only when the origin fails. See README.md beside this file.

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

# With several servers on one database, each has a backend like that one, and a line below.
# backend second { .host = "192.0.2.2"; .port = "8081"; .connect_timeout = 1s; .first_byte_timeout = 2s; .between_bytes_timeout = 2s; .probe = alive; }

sub vcl_init {
    # The others stand by: as long as the first answers, all phones get the state of the same server.
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
    # Nobody gets an old feed while the origin can give a new one; after it could not, the restarted request comes here.
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
    if (beresp.status == 200 && beresp.http.Cache-Control ~ "no-store") {
        # Feeds of a gate that opens gradually differ from phone to phone, and nobody may keep a rehearsal. For this second others need not
        # wait for each other's answers either.
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
    } else if (beresp.status == 200) {
        # The origin's Cache-Control says how long it is fresh. It is kept longer for its ETag, and in case the origin fails.
        set beresp.grace = 24h;
        set beresp.keep = 24h;
    } else {
        if (beresp.status >= 500) {
            # The old feed is better. No object is made of this answer, or the restarted request would find it as the newer one.
            return (abandon);
        }
        # Nothing but feeds is kept, so that an app that was just made is there at once.
        set beresp.uncacheable = true;
        set beresp.ttl = 0s;
    }
    return (deliver);
}

sub vcl_backend_error {
    if (bereq.is_bgfetch) {
        # Otherwise whoever waits for the feed gets the error as if it were the feed.
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
    # Phones get the origin's own fields, without those that Varnish adds about itself.
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}

sub vcl_synth {
    # Requests that vcl_backend_response abandoned come here.
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
