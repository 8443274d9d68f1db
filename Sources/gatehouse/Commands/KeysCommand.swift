import ArgumentParser
import Foundation
import GateCrypto
import GateJSON
import GateService
import GateStore

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "The keys that native feeds are signed with; these commands work while the server runs.",
        discussion: """
            Apps that are built with a public key accept a gate from nobody else: not from a cache, a proxy or a bucket that was broken \
            into. Keys can be changed without an app noticing: add one, ship apps that know both, and activate it when they are in use, \
            which retires the one before. A running server follows within a second. The private halves are in keys/ of the data folder and \
            nowhere else; servers that share a database and have a secret keep them there too, sealed with it, and what is done in one \
            folder reaches all of them.
            """,
        subcommands: [
            KeysListCommand.self, KeysAddCommand.self, KeysActivateCommand.self, KeysRetireCommand.self,
            KeysSecretCommand.self,
        ]
    )

    /// Does something with the keys of a folder, and says on standard error what went wrong.
    static func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as ServiceError { throw StoreCommand.failure(error) } catch let error as StoreError {
            throw StoreCommand.failure("\(error)")
        }
    }
}

struct KeysListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show every key with its public half.",
        discussion: """
            active: signs now. next: published before it signs. retired: signed before. --json prints what /feeds/keys.json has, with times.

            Example: gatehouse keys list --data ./data
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @Flag(help: "As one line of JSON.")
    var json = false

    func run() throws {
        guard FileManager.default.fileExists(atPath: data) else {
            throw StoreCommand.failure("There is no \(data). Name the data folder with --data.")
        }
        let ring = try KeysCommand.attempt { try FeedKeyFolder(dataFolder: data).read() ?? FeedKeyRing() }
        if json {
            let items = ring.keys.map { key in
                var document = key.publicDocument
                document["made"] = .string(key.made.description)
                document["since"] = .string(key.since.description)
                return JSONValue.object(document)
            }
            return try StoreCommand.say(JSONValue.object(["keys": .array(items)]).text)
        }
        guard !ring.keys.isEmpty else {
            // A server that has read keys before signs with them still, and this command cannot know whether there is one.
            return try StoreCommand.say(
                """
                There is no key in \(data)/keys. If feeds were signed before, put keys/signing.json back from a copy: apps that know its \
                keys refuse what a new one signs. Otherwise make the first with gatehouse keys add.
                """
            )
        }
        let lines = ring.keys.map { key in
            let state = key.state.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            return "\(key.id)  \(state)  since \(key.since)  \(key.key.verifyingKey.text)"
        }
        try StoreCommand.say(lines.joined(separator: "\n"))
    }
}

struct KeysAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a key: the first one signs at once, any later one is next.",
        discussion: """
            Prints the public half, which apps are built with. When there are 32 keys, the one retired for longest is removed. Where \
            keys/signing.json was lost, put it back from a copy first: without it a new key counts as the first, and apps that know \
            another refuse what it signs.

            Example: gatehouse keys add --data ./data
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    func run() throws {
        let made = try KeysCommand.attempt {
            try FeedKeyFolder(dataFolder: data).change { ring throws(ServiceError) in try ring.add(random: .system, at: .now) }
        }
        let what = made.state == .active ? "signs native feeds from now on" : "is next: activate it when the apps in use know it"
        try StoreCommand.say(
            "Key \(made.id) \(what).\nPublic key: \(made.key.verifyingKey.text)",
            otherwise: "The key \(made.id) was made all the same: gatehouse keys list --data \(data.asShellWord) shows it."
        )
    }
}

struct KeysActivateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Sign with a key from now on; the one that signed until now is retired.",
        discussion: """
            Apps that do not know the key then refuse the feeds and keep what they had, so do this last. A retired key may be activated \
            again.

            Example: gatehouse keys activate 21fe31dfa154a261 --data ./data
            """
    )

    @Argument(help: ArgumentHelp("The key, as gatehouse keys list names it.", valueName: "id"))
    var key: String

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    func run() throws {
        let isNews = try KeysCommand.attempt {
            try FeedKeyFolder(dataFolder: data).change { ring throws(ServiceError) in try ring.activate(key, at: .now) }
        }
        let text = isNews ? "Key \(key) signs native feeds from now on." : "Key \(key) signs native feeds already."
        try StoreCommand.say(text, otherwise: text)
    }
}

struct KeysRetireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Take a key out of use; it stays published for what caches still hold.",
        discussion: """
            The key that signs is retired by activating another; with --force it is retired by itself, and native feeds are no longer \
            signed.

            Example: gatehouse keys retire 21fe31dfa154a261 --data ./data
            """
    )

    @Argument(help: ArgumentHelp("The key, as gatehouse keys list names it.", valueName: "id"))
    var key: String

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @Flag(help: "Even the key that signs: apps that know keys then refuse every feed, and keep what they had.")
    var force = false

    func run() throws {
        let isNews = try KeysCommand.attempt {
            try FeedKeyFolder(dataFolder: data).change { ring throws(ServiceError) in try ring.retire(key, force: force, at: .now) }
        }
        let text = isNews ? "Key \(key) is retired." : "Key \(key) is retired already."
        try StoreCommand.say(text, otherwise: text)
    }
}
