import Foundation
import GateAPI
import GateAdminClient
import GateModel
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `/metrics` of a real server, as Prometheus reads it.
struct ServerMetricsTests {
    @Test func theMetricsCountWhatWasAsked() async throws {
        let server = try await Server.withShop()
        let feed = server.feeds + "/feeds/shop/ios/bellerophon.json"
        let tag = try #require(try await Self.ask(feed).headers["Etag"] as? String)
        for _ in 1...3 { #expect(try await Self.ask(feed, ["If-None-Match": tag]).status == 304) }
        // Who watches whether a feed is there is no phone.
        #expect(
            StubServer.ask(server.feeds, "HEAD /feeds/shop/ios/bellerophon.json HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n").contains(
                " 200 "
            )
        )
        #expect(try await Self.ask(server.feeds + "/feeds/nothing.json").status == 404)
        _ = try await server.client().kill("Back.", at: 1)
        let wrong = try await Self.ask(
            server.admin + "/api/v1/session",
            ["Content-Type": "application/json"],
            body: #"{"username":"nobody","password":"not the password"}"#
        )
        #expect(wrong.status == 401)

        let page = try await Self.ask(server.admin + "/metrics")
        #expect(page.headers["Content-Type"] as? String == "text/plain; version=0.0.4; charset=utf-8")
        let samples = try Self.samples(page.text)
        #expect(samples[#"gatehouse_feed_polls_total{answer="sent"}"#] == 1)
        #expect(samples[#"gatehouse_feed_polls_total{answer="unchanged"}"#] == 3)
        #expect(samples[#"gatehouse_http_requests_total{listener="feeds",method="HEAD",pattern="prepared",status="200"}"#] == 1)
        #expect(samples[#"gatehouse_http_requests_total{listener="feeds",method="GET",pattern="/feeds",status="404"}"#] == 1)
        #expect(samples[#"gatehouse_http_requests_total{listener="admin",method="POST",pattern="/api/v1/changes",status="200"}"#] == 1)
        #expect(samples["gatehouse_sign_in_failures_total"] == 1)
        #expect(samples["gatehouse_sequence"] == 4)
        #expect(samples["gatehouse_healthy"] == 1)
        #expect(try #require(samples["gatehouse_publication_age_seconds"]) >= 0)
        #expect(try #require(samples["gatehouse_wal_bytes"]) > 0)
        #expect(samples[#"gatehouse_targets{state="blocked"}"#] == 1)
        #expect(samples[#"gatehouse_targets{state="open"}"#] == 1)
        #expect(samples[#"gatehouse_windows{state="missed"}"#] == 0)
        #expect(samples["gatehouse_windows_failed_total"] == 0)
        #expect(samples["gatehouse_windows_late_seconds"] == 0)
        #expect(try #require(samples["gatehouse_disk_free_bytes"]) > 0)
        #expect(try #require(samples["process_resident_memory_bytes"]) > 1_000_000)
        #expect(try #require(samples["process_virtual_memory_bytes"]) > samples["process_resident_memory_bytes"] ?? 0)
        #expect(try #require(samples["process_cpu_seconds_total"]) > 0)
        let descriptors = try #require(samples["process_open_fds"])
        #expect(descriptors > 5 && descriptors < samples["process_max_fds"] ?? 0)
        let started = try #require(samples["process_start_time_seconds"])
        #expect(abs(started - Date().timeIntervalSince1970) < 600, "within the ten minutes that this test lasts at most")
        #expect(try #require(samples[#"gatehouse_connections{listener="admin"}"#]) >= 1)
        #expect(samples["gatehouse_write_duration_seconds_count"] == 5, "an app, two platforms, a change and a sign-in")
        let held = try #require(samples["gatehouse_writers_lock_seconds_sum"])
        let longest = try #require(samples["gatehouse_writers_lock_seconds_max"])
        #expect(try #require(samples["gatehouse_writers_lock_seconds_count"]) >= 4, "an app, two platforms and a change, at least")
        #expect(longest > 0 && longest <= held, "the longest of several is no longer than all together")
        #expect(try #require(samples[#"gatehouse_http_request_duration_seconds_count{listener="feeds"}"#]) >= 4)
    }

    @Test func theAgeOfThePublicationGoesOnOverARestart() async throws {
        let server = try await Server.withShop()
        await server.stop()
        try await server.start()
        let samples = try Self.samples(try await Self.ask(server.admin + "/metrics").text)
        #expect(try #require(samples["gatehouse_publication_age_seconds"]) > 0)
    }

    /// The samples of a page in the text format 0.0.4, in which each metric is explained once, before its samples.
    private static func samples(_ page: String) throws -> [String: Double] {
        #expect(page.last == "\n")
        var samples: [String: Double] = [:]
        var explained: [String: String] = [:]
        var present = ""
        for line in page.split(separator: "\n") {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) (.+)/) {
                present = String(help.1)
                #expect(explained.updateValue("", forKey: present) == nil, "\(present) stands twice")
            } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
                #expect(type.1 == present)
                explained[present] = String(type.2)
            } else {
                let sample = try #require(
                    line.wholeMatch(of: /([a-z_]+)(\{[a-z]+="(?:[^"\\]|\\.)*"(?:,[a-z]+="(?:[^"\\]|\\.)*")*\})? ([0-9.e+-]+)/),
                    "\(line)"
                )
                let name =
                    explained[present] == "histogram" ? String(sample.1).replacing(/_(bucket|sum|count)$/, with: "") : String(sample.1)
                #expect(name == present, "\(line) does not belong to \(present)")
                #expect(
                    samples.updateValue(try #require(Double(sample.3)), forKey: String(sample.1) + (sample.2 ?? "")) == nil,
                    "\(line) stands twice"
                )
            }
        }
        return samples
    }

    private static func ask(_ url: String, _ headers: [String: String] = [:], body: String? = nil) async throws
        -> (status: Int, headers: [AnyHashable: Any], text: String)
    {
        var request = URLRequest(url: try #require(URL(string: url)), cachePolicy: .reloadIgnoringLocalCacheData)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        return (answer.statusCode, answer.allHeaderFields, String(decoding: data, as: UTF8.self))
    }
}
