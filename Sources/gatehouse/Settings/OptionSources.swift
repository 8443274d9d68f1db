import ArgumentParser
import Foundation
import GateJSON
import GateModel

/// Where an option's value may be: on the command line, in the environment, in the configuration file; the first that has it wins.
struct OptionSources {
    private let given: [String: String]
    private let variables: [String: String]
    private let file: [String: String]
    /// The path that ``file`` was read from.
    private let path: String?

    /// Where a value was found.
    enum Source {
        case commandLine, environment
        case file(String)
    }

    static let names = [
        "data", "database", "keys-secret-file", "server-name", "listen", "feeds", "public", "migrations", "environment",
        "environment-colour", "protected",
        "blast-radius",
        "tls-certificate",
        "tls-key", "trusted-proxy", "sign-in-header", "sign-in-groups-header", "sign-in-time-header", "sign-in-groups", "sign-out-url",
        "origin",
        "anchor-copy", "migrate", "backup-dir", "backup-every", "backup-keep", "backup-encrypt-to",
        "publish", "publish-endpoint",
    ]

    /// Options that may be given several times; an empty list is the same as leaving the option out.
    private static let lists = ["trusted-proxy", "origin"]

    /// - Parameter file: the configuration file's path, or nil for the one that `GATEHOUSE_CONFIG` names, if any.
    init(given: [String: String], variables: [String: String], file: String?) throws {
        self.given = given
        self.variables = variables
        path = file ?? Self.environment("config", variables)
        self.file = try path.map(Self.read) ?? [:]
        for (name, value) in given where value.isEmpty && !Self.lists.contains(name) {
            throw ValidationError("--\(name) has no value. Give one, or leave the option out.")
        }
        for (name, value) in self.file where value.isEmpty && !Self.lists.contains(name) {
            throw ValidationError(
                "The key \"\(name)\" of the configuration file \(path ?? "") has no value. Give one, or leave the key out."
            )
        }
    }

    /// Variables that are set and that nobody knows.
    var unknownVariables: [UnknownVariable] { UnknownVariable.all(among: variables.keys) }

    func value(_ name: String) -> String? { origin(of: name)?.value }

    /// The value and where it was found; nil where it is nowhere.
    func origin(of name: String) -> (value: String, source: Source)? {
        if let value = given[name] { return (value, .commandLine) }
        if let value = Self.environment(name, variables) { return (value, .environment) }
        return file[name].map { ($0, .file(path ?? "")) }
    }

    /// The parts of a value that is a list separated by commas.
    func list(_ name: String) -> [String] {
        value(name)?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty } ?? []
    }

    /// - Throws: a validation error for anything but true, false, 1, 0, yes, no.
    func flag(_ name: String) throws -> Bool {
        guard let (text, source) = origin(of: name) else { return false }
        switch text.lowercased() {
        case "true", "1", "yes": return true
        case "false", "0", "no": return false
        default:
            let place =
                switch source {
                case .commandLine: "--\(name)"
                case .environment: Self.variable(name)
                case .file(let path): "\"\(name)\" in \(path)"
                }
            throw ValidationError("\(place) is true or false, not \"\(text)\".")
        }
    }

    /// An option of a command that reads no configuration file.
    /// - Parameter given: the command line's value, which takes precedence over the variable.
    static func environment(_ name: String, given: String?) -> String? {
        given ?? environment(name, ProcessInfo.processInfo.environment)
    }

    /// An empty variable counts as not set.
    private static func environment(_ name: String, _ variables: [String: String]) -> String? {
        variables[variable(name)].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `tls-key` is `GATEHOUSE_TLS_KEY`.
    static func variable(_ name: String) -> String {
        "GATEHOUSE_" + name.uppercased().replacingOccurrences(of: "-", with: "_")
    }

    private static func read(_ path: String) throws -> [String: String] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("The configuration file \(path) cannot be read.")
        }
        let json: JSONValue
        do { json = try JSONReader.read(Array(data)) } catch {
            throw ValidationError("The configuration file \(path) is not JSON: \(error).")
        }
        guard let object = json.object else { throw ValidationError("The configuration file \(path) is not a JSON object.") }
        var values: [String: String] = [:]
        for (name, value) in object.members {
            guard names.contains(name) else {
                throw ValidationError(
                    "The configuration file \(path) has a key \"\(name)\" that is not an option; the options are \(names.joined(separator: ", "))."
                )
            }
            switch value {
            case .string(let text): values[name] = text
            case .bool(let flag): values[name] = String(flag)
            case _ where name == "backup-keep" && value.integer != nil: values[name] = value.integer.map(String.init)
            case .array(let items) where lists.contains(name) && items.allSatisfy({ $0.string != nil }):
                values[name] = items.compactMap(\.string).joined(separator: ",")
            default:
                throw ValidationError(
                    "The key \"\(name)\" of the configuration file \(path) is a string or a boolean, not \(value.kindInWords)."
                )
            }
        }
        return values
    }
}
