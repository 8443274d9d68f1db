import Foundation
import Testing

@testable import GateKit

/// Wire formats 6.2 items 30 to 33.
@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    private static let open = Documents.native("")

    private func send(_ server: FaultServer, maximumBytes: Int = 262_144) async throws -> GateResponse {
        try await URLSessionGateTransport().send(GateRequest(url: server.url, timeout: 5, maximumBytes: maximumBytes))
    }

    @Test(
        "6.2.30 only 200 counts, whatever the body",
        arguments: [201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 410, 418, 429, 500, 503]
    )
    func status(status: Int) async {
        let bench = Bench(Documents.native(Documents.kill))
        await bench.monitor.start()
        bench.transport.answer(Documents.native("", sequence: 99), status: status)
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        #expect(await bench.monitor.check(forced: true).decision.kind == .blocked)
        await recorder.wait(for: "error status keeps blocked")
    }

    @Test("6.2.19 a request of somebody who is cancelled already ends, whichever of the two comes first") func cancelled() async throws {
        let server = try FaultServer { $0.waitForEnd() }
        for _ in 0..<100 {
            let sending = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await send(server)
            }
            await #expect { try await sending.value } throws: { ($0 as? GateKitError)?.code == .transport }
        }
    }

    @Test("6.2.30 a body that breaks off is an error") func incomplete() async throws {
        let server = try FaultServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n\(#"{"ios":{}}"#)") }
        await #expect { try await send(server) } throws: { ($0 as? GateKitError)?.code == .transport }
    }

    @Test(
        "6.2.31 the address says the app and the platform where it is that of a platform's feed, and nothing elsewhere",
        arguments: [
            ("/feeds/shop/ios/gate.json", "shop", "ios"), ("/feeds/shop/ios/bellerophon.json?x=1", "shop", "ios"),
            ("/edge/eu/feeds/shop/android-tv/combined.json", "shop", "android-tv"), ("/feeds/shop/ios/own/status.json", "shop", "ios"),
            ("/feeds/feeds/ios/gate.json", "feeds", "ios"), ("/feeds/feeds/feeds/gate.json", "feeds", "feeds"),
            ("/feeds/shop/own/gate.json", "shop", "own"), ("/feeds/own/own/own/status.json", "own", "own"),
            ("/feeds/shop/launchgate.json", nil, nil), ("/feeds/shop/prince-of-versions.json", nil, nil),
            ("/feeds/shop/own/status.json", nil, nil), ("/feeds/mobile/prod/launchgate.json", nil, nil),
            ("/feeds/mobile/prod/v2/gate.json", nil, nil), ("/config/shop/ios/gate.json", nil, nil), ("/gate.json", nil, nil),
            ("/feeds/shop/ios/own/", nil, nil), ("/feeds", nil, nil), ("", nil, nil),
            ("/feeds/shop/launchgate.json?platform=android", nil, "android"),
            ("/edge/feeds/shop/prince-of-versions.json?x=1&platform=macos", nil, "macos"),
            ("/feeds/shop/own/status.json?platform=android-tv", nil, "android-tv"),
            ("/feeds/shop/ios/bellerophon.json?platform=android", "shop", "ios"),
            ("/feeds/shop/launchgate.json?platform=Android", nil, nil), ("/feeds/shop/launchgate.json?platform=", nil, nil),
            ("/feeds/shop/launchgate.json?platform", nil, nil), ("/feeds/mobile/prod/launchgate.json?platform=ios", nil, nil),
            ("/status.json?platform=iphone", nil, nil),
        ] as [(String, String?, String?)]
    )
    func target(path: String, app: String?, platform: String?) throws {
        let configuration = GateConfiguration(feed: try #require(URL(string: "https://gate.test" + path)))
        #expect(configuration.app == app)
        #expect(configuration.platform == platform)
    }

    @Test("6.2.31 of a feed for several platforms, the one is read that the address names") func askedPlatform() async throws {
        let feed = try #require(URL(string: "https://gate.test/feeds/shop/launchgate.json?platform=android"))
        let text = #"{"ios":{"alert":{"message":"Stop","blocking":true}},"android":{}}"#
        let bench = Bench(text, feed: feed)
        #expect(await bench.monitor.start().decision.kind == .open)
    }

    @Test("6.2.31 304 to a question with its ETag keeps what is there; the query names the phone, and no cache is used") func conditional()
        async throws
    {
        let feed = try #require(URL(string: "https://gate.test/feeds/shop/launchgate.json?x=1"))
        let text = #"{"ios":{"alert":{"message":"Stop","blocking":true}}}"#
        let bench = Bench(
            phone: GatePhone(version: "4.0+7", build: "40", osVersion: "17.2", languages: ["de-AT", "en"]),
            feed: feed
        ) {
            $0.app = "shop"
            $0.platform = "ios"
        }
        bench.transport.answer { request in
            request.headers["If-None-Match"] == "\"a\""
                ? GateResponse(status: 304) : GateResponse(status: 200, headers: ["ETag": "\"a\""], body: Data(text.utf8))
        }
        #expect(await bench.monitor.start().decision.kind == .blocked)
        #expect(await bench.monitor.check(forced: true).isStale == false)
        let requests = bench.transport.requests
        #expect(requests.map { $0.headers["If-None-Match"] } == [nil, "\"a\""])
        #expect(requests.allSatisfy { $0.headers["Cache-Control"] == "no-cache" })
        #expect(
            requests[0].url.absoluteString
                == "https://gate.test/feeds/shop/launchgate.json?x=1&app=shop&platform=ios&version=4.0%2B7&build=40&os=17.2&locale=de-AT"
        )
        // After a restart too, also when what was known is too old to count.
        let again = Bench(
            memory: bench.memory,
            phone: GatePhone(version: "4.0+7", build: "40", osVersion: "17.2", languages: ["de-AT"]),
            feed: feed
        ) {
            $0 = bench.monitor.configuration
        }
        again.clock.setWall(by: 900_000)
        again.transport.answer("", status: 304)
        #expect(await again.monitor.start().decision.kind == .blocked)
        #expect(again.transport.requests[0].headers["If-None-Match"] == "\"a\"")
        // Another version is another address, of which the ETag says nothing.
        let other = Bench(memory: bench.memory, phone: GatePhone(version: "5"), feed: feed) { $0 = bench.monitor.configuration }
        other.transport.answer(text)
        await other.monitor.start()
        #expect(other.transport.requests[0].headers["If-None-Match"] == nil)
    }

    @Test(
        "6.2.31 what the app itself has written into the address stays as it is spelled",
        arguments: [
            ("", "version=4.0%2B7%26x%3D1"), ("?", "version=4.0%2B7%26x%3D1"), ("?name=My+App", "name=My+App&version=4.0%2B7%26x%3D1"),
            ("?path=a%2Fb%3B&flag", "path=a%2Fb%3B&flag&version=4.0%2B7%26x%3D1"), ("?version=5+1", "version=5+1"),
        ]
    )
    func ownQuery(query: String, sent: String) async throws {
        let feed = try #require(URL(string: "https://gate.test/status.json" + query))
        let bench = Bench(phone: GatePhone(version: "4.0+7&x=1"), feed: feed)
        await bench.monitor.start()
        #expect(bench.transport.requests[0].url.absoluteString == "https://gate.test/status.json?" + sent)
    }

    @Test("6.2.31 a native feed is asked for as it is for everybody, unless the app wants otherwise") func native() async {
        let bench = Bench()
        await bench.monitor.start()
        #expect(bench.transport.requests[0].url == Documents.nativeURL)
        let always = Bench { $0.parameters = .always }
        await always.monitor.start()
        #expect(always.transport.requests[0].url.query == "app=shop&platform=ios&version=4.0&build=40&os=17.2&locale=en")
        #expect(GateConfiguration(feed: Documents.nativeURL).app == "shop")
        #expect(GateConfiguration(feed: Documents.nativeURL).platform == "ios")
    }

    @Test(
        "6.2.32 three redirections are followed, a fourth is not",
        arguments: [(0, true), (1, true), (3, true), (4, false), (100, false)]
    )
    func redirections(count: Int, succeeds: Bool) async throws {
        let server = try FaultServer { line in
            let place = line.request.split(separator: " ")[1].split(separator: "=").last.flatMap { Int($0) } ?? 0
            if place == count { return line.answer("200 OK", Self.open) }
            line.answer("302 Found", "", ["Location: /feeds/shop/ios/gate.json?n=\(place + 1)"])
        }
        let answer = await Result { try await send(server) }
        switch answer {
        case .success(let answer):
            #expect(succeeds)
            #expect(answer.status == 200)
        case .failure(let error):
            #expect(!succeeds)
            #expect((error as? GateKitError)?.code == .transport)
        }
        #expect(server.requests.count == min(count, 3) + 1)
    }

    @Test(
        "6.2.32 never from https to less",
        arguments: [
            ("https://a", "https://b", true), ("http://a", "http://b", true), ("http://a", "https://b", true),
            ("https://a", "http://a", false),
            ("https://a", "file:///x", false), ("http://a", "ftp://a", false), ("HTTPS://a", "HTTP://a", false),
        ]
    )
    func schemes(from: String, to: String, allowed: Bool) {
        #expect(RedirectRule.allows(from: URL(string: from), to: URL(string: to), followed: 0) == allowed)
    }

    @Test("6.2.32 more bytes than are wanted are not read", arguments: [true, false]) func size(announced: Bool) async throws {
        let server = try FaultServer { line in
            let length = announced ? "Content-Length: 10000000\r\n" : ""
            line.write("HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n")
            let piece = [UInt8](repeating: 0x20, count: 65_536)
            while line.write(piece) {}
        }
        await #expect { try await send(server) } throws: { ($0 as? GateKitError)?.code == .tooLarge }
    }

    @Test("6.2.33 the transport is a protocol; anything that it throws is an error of the transport") func custom() async {
        struct Strange: Error {}
        let bench = Bench()
        bench.transport.answer { _ in throw Strange() }
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await recorder.wait(for: "error transport keeps open")
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
