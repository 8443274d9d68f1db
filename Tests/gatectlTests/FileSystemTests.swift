import Foundation
import GateTesting
import Testing

@testable import gatectl

/// What writing a file does to what is there.
struct FileSystemTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func replace(_ name: String, _ text: String) throws {
        try FileSystem.replace(path(name), with: Array(text.utf8), mode: 0o600)
    }

    private func text(_ name: String) throws -> String { String(decoding: try FileSystem.read(path(name)), as: UTF8.self) }

    private func link(_ name: String, _ destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
    }

    /// A mistyped name must not take all of the machine's memory.
    @Test func whatHasNoEndIsNotRead() {
        #expect { try FileSystem.read("/dev/zero") } throws: { ($0 as? FileSystem.Fault)?.number == EFBIG }
        #expect(throws: Failure.self) { try InputFile.read("/dev/zero") }
    }

    /// The dashboard reads past the mark, too.
    @Test func theMarkOfAnEditorIsNoPartOfAFile() throws {
        let document = #"{"ios":{}}"#
        for text in [document, "\u{FEFF}" + document] {
            try folder.file("config.json", text)
            #expect(try InputFile.text(path("config.json")) == document)
        }
    }

    @Test func aFileIsReplacedAndNothingIsLeftBesideIt() throws {
        try folder.file("gates.json", "old", mode: 0o644)
        let old = try FileManager.default.attributesOfItem(atPath: path("gates.json"))[.systemFileNumber] as? Int
        try replace("gates.json", "new")
        #expect(try text("gates.json") == "new")
        #expect(FileSystem.mode(path("gates.json")) == 0o600)
        let new = try FileManager.default.attributesOfItem(atPath: path("gates.json"))[.systemFileNumber] as? Int
        #expect(new != old, "whoever reads the old one reads all of it")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["gates.json"])
    }

    /// Settings that are kept elsewhere stay where they are kept.
    @Test(arguments: ["kept/file", "kept/new"]) func theTargetOfLinksIsReplaced(target: String) throws {
        try folder.file("kept/file", "old")
        try link("second", target)
        try link("first", path("second"))
        try replace("first", "new")
        #expect(try text(target) == "new")
        #expect(FileSystem.destination(of: path("first")) == path("second"))
        #expect(FileSystem.destination(of: path("second")) == target)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: path("kept"))) == ["file", (target as NSString).lastPathComponent])
    }

    @Test func aPipeIsWrittenIntoAndStays() throws {
        for name in ["pipe", "link"] {
            if name == "pipe" { try #require(mkfifo(path("pipe"), 0o600) == 0) } else { try link("link", "pipe") }
            // With a reader there, opening it for writing does not wait.
            let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(reader >= 0)
            defer { close(reader) }
            try replace(name, "through \(name)")
            #expect(String(decoding: try FileSystem.read(reader), as: UTF8.self) == "through \(name)")
            let type = try FileManager.default.attributesOfItem(atPath: path("pipe"))[.type] as? FileAttributeType
            #expect(type != .typeRegular)
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["pipe", "link"])
    }

    @Test func whatCannotBeReplacedIsLeftAsItIs() throws {
        try folder.file("folder/file", "kept")
        try link("loop", "loop")
        try link("into", "folder")
        for (name, number) in [("folder", EISDIR), ("into", EISDIR), ("loop", ELOOP), ("none/file", ENOENT), ("folder/file/x", ENOTDIR)] {
            let fault = #expect(throws: FileSystem.Fault.self) { try replace(name, "new") }
            #expect(fault?.number == number, "\(name): \(String(describing: fault))")
        }
        #expect(try text("folder/file") == "kept")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["folder", "loop", "into"])
    }
}
