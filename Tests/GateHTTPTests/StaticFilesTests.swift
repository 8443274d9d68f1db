import Foundation
import GateHTTP
import GateTesting
import Testing

struct StaticFilesTests {
    @Test
    func filesAreServedWithTypeTagAndTheGivenHeaders() throws {
        let folder = try TemporaryFolder()
        try folder.file("index.html", "<!doctype html>")
        try folder.file("js/app.js", "export {}")
        let files = try folder.files().files
        #expect(Set(files.paths) == ["/", "/index.html", "/js/app.js"])
        let script = try #require(files["/js/app.js"])
        #expect(script.body == Array("export {}".utf8))
        #expect(script.headers["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(script.headers["Cache-Control"] == "no-cache")
        #expect(script.headers["ETag"] == script.etag)
        #expect(files["/"] === files["/index.html"])
    }

    // MARK: Lasting addresses

    private func lasting(_ folder: TemporaryFolder) throws -> StaticFiles {
        try StaticFiles(folder: folder.path, headers: ["Cache-Control": "no-cache"], lasting: ["Cache-Control": "immutable"]) { bytes in
            "n\(bytes.count)-\(bytes.reduce(0) { $0 &* 31 &+ Int($1) }.magnitude)"
        }
    }

    private func found(_ files: StaticFiles, _ path: String) -> PreparedResponse? {
        var path = path
        return path.withUTF8 { files.response(at: UnsafeRawBufferPointer($0)) }
    }

    @Test
    func aPageNamesItsFilesByAnAddressThatCarriesTheirContent() throws {
        let folder = try TemporaryFolder()
        let page =
            #"<link href="app.css"><script src="js/app.js"></script><a href="https://example.com/app.css"></a><a href="gone.js"></a>"#
        try folder.file("index.html", page)
        try folder.file("app.css", "a {}")
        try folder.file("js/app.js", "export {}")
        let files = try lasting(folder)
        let served = String(decoding: try #require(files.files["/"]).body, as: UTF8.self)
        let release = try #require(served.firstMatch(of: /static\/([^\/]+)\/app\.css/)).1
        #expect(
            served == #"<link href="/static/\#(release)/app.css"><script src="/static/\#(release)/js/app.js"></script>"#
                + #"<a href="https://example.com/app.css"></a><a href="gone.js"></a>"#
        )
        #expect(files.files["/"]?.headers["Cache-Control"] == "no-cache")
        let script = try #require(found(files, "/static/\(release)/js/app.js"))
        #expect(script.headers["Cache-Control"] == "immutable")
        #expect(script.body == Array("export {}".utf8))
        // Its plain address stays, and is asked about.
        #expect(files.files["/js/app.js"]?.headers["Cache-Control"] == "no-cache")

        // Whatever changes, all addresses change: a module and what it imports are of one release.
        try folder.file("js/app.js", "export { }")
        let after = String(decoding: try #require(try lasting(folder).files["/"]).body, as: UTF8.self)
        #expect(!after.contains("/static/\(release)/"))
    }

    @Test
    func anOlderReleasesAddressGetsTheFileOfThisOneWithoutThePromise() throws {
        let folder = try TemporaryFolder()
        try folder.file("js/app.js", "export {}")
        let files = try lasting(folder)
        #expect(found(files, "/static/older/js/app.js")?.headers["Cache-Control"] == "no-cache")
        for path in ["/static/older/js/gone.js", "/static/", "/static/older", "/static//", "/static/a/static/b/js/app.js"] {
            #expect(found(files, path) == nil, "\(path)")
        }
    }

    @Test
    func anIndexOfAFolderIsServedForTheTemporaryFolder() throws {
        let folder = try TemporaryFolder()
        try folder.file("docs/index.html", "x")
        #expect(Set(try folder.files().files.paths) == ["/docs/", "/docs/index.html"])
    }

    static let types = [
        ("a.html", "text/html; charset=utf-8"), ("a.js", "text/javascript; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
        ("a.svg", "image/svg+xml"), ("a.json", "application/json; charset=utf-8"), ("a.png", "image/png"), ("a.ico", "image/x-icon"),
        ("a.webmanifest", "application/manifest+json; charset=utf-8"), ("a.woff2", "font/woff2"), ("a.txt", "text/plain; charset=utf-8"),
    ]

    @Test(arguments: types)
    func everyKindOfFileHasItsType(_ row: (String, String)) {
        #expect(ContentType.ofFile(named: row.0) == row.1)
    }

    @Test
    func linksHiddenNamesAndUnknownKindsAreNotServedAndAreNamed() throws {
        let outside = try TemporaryFolder()
        try outside.file("secret.txt", "secret")
        let folder = try TemporaryFolder()
        try folder.file("a.txt", "a")
        try folder.file(".env", "secret")
        try folder.file(".git/config.txt", "secret")
        try folder.file("a b.txt", "b")
        try folder.file("notes.bak", "b")
        try folder.link("link.txt", to: "\(outside.path)/secret.txt")
        try folder.link("inside.txt", to: "a.txt")
        try folder.link("folder", to: outside.path)
        try #require(mkfifo("\(folder.path)/pipe.txt", 0o600) == 0)
        let files = try folder.files()
        #expect(files.files.paths == ["/a.txt"])
        #expect(files.skipped.count == 8)
        for name in [".env", ".git", "a b.txt", "notes.bak", "link.txt", "inside.txt", "folder", "pipe.txt"] {
            #expect(files.skipped.contains { $0.hasPrefix("\(folder.path)/\(name): ") }, "\(name)")
        }
    }

    @Test
    func theFolderItselfMayBeALink() throws {
        let folder = try TemporaryFolder()
        try folder.file("a.txt", "a")
        let other = try TemporaryFolder()
        try other.link("public", to: folder.path)
        let files = try StaticFiles(folder: other.path + "/public", headers: [:]) { _ in "t" }
        #expect(files.files.paths == ["/a.txt"])
    }

    @Test
    func aMissingFolderIsNamed() {
        #expect {
            _ = try StaticFiles(folder: "/nonexistent/public", headers: [:]) { _ in "t" }
        } throws: { error in
            "\(error)" == "cannot read /nonexistent/public: No such file or directory"
        }
    }

    @Test
    func changesAfterTheStartAreNotSeen() throws {
        let folder = try TemporaryFolder()
        try folder.file("a.txt", "a")
        let files = try folder.files().files
        try folder.file("a.txt", "changed")
        try folder.file("b.txt", "b")
        #expect(files["/a.txt"]?.body == Array("a".utf8))
        #expect(files["/b.txt"] == nil)
    }

    /// Paths a traversal would try, then thousands made of their parts: none is a file but the files themselves.
    @Test
    func noPathLeadsOutsideTheFiles() throws {
        let folder = try TemporaryFolder()
        try folder.file("index.html", "index")
        try folder.file("js/app.js", "app")
        let files = try folder.files().files
        let known = Set(files.paths)
        let parts = [
            "..", ".", "", "%2e%2e", "%2E.", "..%2f", "..%5c", "%00", "js", "app.js", "etc", "passwd", "\\", "index.html", "%2e", "~", "//",
            "js%2fapp.js", ";", "?", "#",
        ]
        var state: UInt64 = 42
        for _ in 0..<10_000 {
            var path = ""
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for step in 0..<(1 + Int(state >> 60) % 6) {
                path += "/" + parts[Int((state >> (step * 9 + 5)) % UInt64(parts.count))]
            }
            if !known.contains(path) { #expect(files[path] == nil, "\(path)") }
        }
    }
}

extension TemporaryFolder {
    fileprivate func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: destination)
    }

    fileprivate func files() throws -> StaticFiles {
        try StaticFiles(folder: path, headers: ["Cache-Control": "no-cache"]) { bytes in
            "n\(bytes.count)-\(bytes.reduce(0) { $0 &* 31 &+ Int($1) }.magnitude)"
        }
    }
}
