import Foundation
import Testing

/// The table of who may import whom. The package's dependency lists cannot hold it by themselves: a module that a dependency uses is
/// visible too.
@Suite struct RoomsTests {
    static let table: [String: Set<String>] = [
        "GateJSON": [],
        "GateModel": ["GateJSON"],
        "GateFeeds": ["GateJSON", "GateModel"],
        "GateCrypto": ["CSodium"],
        "PostgreSQL": ["CPostgreSQL"],
        "GateStore": ["GateJSON", "GateModel", "GateCrypto", "GRDB", "PostgreSQL"],
        "GateService": ["GateJSON", "GateModel", "GateFeeds", "GateCrypto", "GateStore"],
        "GateHTTP": [],
        "MicroHTTP": ["CMicroHTTPD", "GateHTTP"],
        "GateAPI": ["GateJSON", "GateModel"],
        "GateServer": ["GateAPI", "GateFeeds", "GateHTTP", "GateJSON", "GateModel", "GateService"],
        "CurlHTTP": ["CCurl"],
        "ObjectStore": ["CurlHTTP", "GateJSON"],
        "GateAdminClient": ["CurlHTTP", "GateAPI", "GateJSON", "GateModel"],
        // CryptoKit, SwiftUI and UIKit only where there are any; GateCrypto only where there is no CryptoKit.
        "GateKit": ["GateJSON", "GateModel", "GateFeeds", "GateCrypto", "CryptoKit", "SwiftUI", "UIKit", "Musl"],
    ]

    /// Modules of the toolchain, which every room may use.
    static let toolchain: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "Synchronization", "Dispatch", "Glibc", "Darwin",
    ]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: table.keys.sorted())
    func aRoomImportsWhatTheTableAllows(room: String) throws {
        let allowed = try #require(Self.table[room]).union(Self.toolchain)
        let files = try #require(
            FileManager.default.enumerator(at: Self.root.appendingPathComponent("Sources/\(room)"), includingPropertiesForKeys: nil)
        )
        var read = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            read += 1
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let match = line.wholeMatch(of: /(?:(?:package|public|internal|private|fileprivate|@\w+) )*import (\w+).*/) else {
                    continue
                }
                #expect(allowed.contains(String(match.1)), "\(file.lastPathComponent) imports \(match.1)")
            }
        }
        #expect(read > 0)
    }

    /// The formatter's own check leaves comments out.
    @Test(arguments: ["Sources", "Tests"]) func noCommentHasALongerLineThanCode(folder: String) throws {
        let files = try #require(
            FileManager.default.enumerator(at: Self.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        )
        var read = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            read += 1
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.utf8.count > 140 {
                let isComment = line.drop { $0 == " " }.hasPrefix("//")
                #expect(!isComment || line.count <= 140, "\(file.lastPathComponent): \(line)")
            }
        }
        #expect(read > 0)
    }

    /// GateStore's SQL stands behind a connection of its own, so that another engine has one place to stand in.
    @Test func whatIsOfOneEngineStandsInItsFolder() throws {
        let store = Self.root.appendingPathComponent("Sources/GateStore")
        let files = try #require(FileManager.default.enumerator(at: store, includingPropertiesForKeys: nil))
        var engines: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let path = String(file.path.dropFirst(store.path.count + 1))
            let text = try String(contentsOf: file, encoding: .utf8)
            if path.hasPrefix("Engine/") {
                engines.formUnion(text.matches(of: /(?m)^import (GRDB|PostgreSQL)$/).map { String($0.1) })
                continue
            }
            #expect(!text.contains(/\bimport (GRDB|PostgreSQL)\b/), "\(path) imports an engine")
            // What only SQLite understands of settings, files and its own tables.
            if !path.hasPrefix("SQLite/") {
                #expect(!text.contains(/"(PRAGMA|VACUUM|ATTACH)\b|\bsqlite_schema\b/), "\(path) speaks to SQLite alone")
            }
        }
        #expect(engines == ["GRDB", "PostgreSQL"])
    }
}
