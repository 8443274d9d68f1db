import Foundation
import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

@Suite("Guarantees of templates", .serialized)
struct OwnTemplatePropertyTests {
    private static let seed = UInt64.random(in: 0...UInt64.max)

    @Test("Ten thousand templates: what is taken is strict JSON of stable types in every state, what is refused is refused at once")
    func keepsItsWord() throws {
        print("Seed of the templates: \(Self.seed)")
        var generator = SeededGenerator(seed: Self.seed)
        var gates = GeneratedGates(seed: Self.seed &+ 1)
        var (taken, refused) = (0, 0)
        var slowest = Duration.zero
        for number in 0..<10_000 {
            let isWhole = generator.next(below: 3) == 0
            let platforms: [PlatformKey] = isWhole ? [.ios, .android, .macos] : [.ios]
            var text = TemplateText(isWhole ? platforms : [], SeededGenerator(seed: generator.next()))
            let source = text.document()
            let accepts = generator.next(below: 4) == 0
            func read() throws(TemplateRefusal) -> OwnTemplate {
                let template = try OwnTemplate(source, for: isWhole ? nil : .ios, of: platforms)
                try template.check(acceptingTypeChanges: accepts)
                return template
            }
            let template: OwnTemplate
            let begun = Self.processorTime
            do throws(TemplateRefusal) { template = try read() } catch {
                slowest = max(slowest, Self.processorTime - begun)
                refused += 1
                continue
            }
            taken += 1
            var kinds: [String: String] = [:]
            for _ in 0..<40 {
                let targets = Dictionary(uniqueKeysWithValues: platforms.map { ($0, gates.target($0)) })
                let bytes = try template.render(targets)
                #expect(bytes.count <= OwnTemplate.mostBytes)
                #expect(try template.render(targets) == bytes)
                let document = try JSONReader.read(
                    bytes,
                    limits: JSONReader.Limits(bytes: OwnTemplate.mostBytes, depth: 18, members: 10_000)
                )
                let found = Self.kinds(of: document)
                for (path, kind) in found {
                    guard let known = kinds.updateValue(kind, forKey: path), known != kind else { continue }
                    let isAccepted = accepts && (known == "null" || kind == "null")
                    if isAccepted, kind == "null" { kinds[path] = known }
                    #expect(isAccepted, "template \(number) of seed \(Self.seed): \(path) is \(known) and \(kind) in \(source)")
                }
                // What is missing beside a parent of which it was a member before.
                guard !accepts else { continue }
                for path in kinds.keys where found[path] == nil && !path.contains("/-") {
                    Issue.record("template \(number) of seed \(Self.seed): \(path) is missing in \(source)")
                }
                for path in found.keys where kinds[path] == nil { Issue.record("\(path) is new in \(source)") }
            }
        }
        print("Templates: \(taken) taken, \(refused) refused, the slowest refusal within \(slowest)")
        #expect(taken > 1_000 && refused > 1_000)
        #expect(slowest < .milliseconds(50))
    }

    /// What this thread has worked so far: what else the machine does is no template's fault.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The type at each place; elements of a list are one place, and of mixed lists there is none.
    private static func kinds(of value: JSONValue) -> [String: String] {
        var kinds: [String: String] = [:]
        func walk(_ value: JSONValue, _ path: String) {
            switch value {
            case .object(let object):
                kinds[path] = "object"
                for (name, member) in object.members { walk(member, path + "/" + name) }
            case .array: kinds[path] = "array"
            case .null: kinds[path] = "null"
            case .bool: kinds[path] = "bool"
            case .number: kinds[path] = "number"
            case .string: kinds[path] = "string"
            }
        }
        walk(value, "")
        return kinds
    }
}

/// Templates as people write them, and as they do not.
struct TemplateText {
    private let platforms: [PlatformKey]
    private var generator: SeededGenerator

    /// - Parameter platforms: empty for a feed of one platform.
    init(_ platforms: [PlatformKey], _ generator: SeededGenerator) { (self.platforms, self.generator) = (platforms, generator) }

    mutating func document() -> String {
        let count = 1 + generator.next(below: 5)
        return space() + "{"
            + (0..<count).map { "\(space())\"m\($0)\"\(space()):\(space())\(value(depth: 0))\(space())" }.joined(separator: ",") + "}"
    }

    private mutating func pick(_ choices: [String]) -> String { choices[generator.next(below: choices.count)] }

    private mutating func space() -> String { pick(["", "", "", " ", "\n  ", "\t"]) }

    private mutating func value(depth: Int) -> String {
        switch generator.next(below: depth > 3 ? 6 : 10) {
        case 0: return pick(["1", "-0.5e3", "true", "null", "\"x\"", "\"\\u00e9 $5 $${kill}\"", "[]", "{}", "[1,\"x\"]"])
        case 1: return "{\"$eval\":\"\(quoted(condition(0)))\"}"
        case 2, 3: return "{\"$eval\":\"\(quoted(path()))\"}"
        case 4: return "\"a ${\(quoted(path()))} b\""
        case 5: return guarded()
        case 6: return "{\"$if\":\"\(quoted(condition(0)))\",\"then\":\(value(depth: depth + 1)),\"else\":\(value(depth: depth + 1))}"
        case 7: return "{\"$if\":\"\(quoted(condition(0)))\",\"then\":\(value(depth: depth + 1))}"
        case 8: return "[" + (0..<generator.next(below: 3)).map { _ in value(depth: depth + 1) }.joined(separator: ",\(space())") + "]"
        default: return "{" + (0..<generator.next(below: 3)).map { "\"k\($0)\":\(value(depth: depth + 1))" }.joined(separator: ",") + "}"
        }
    }

    /// As a careful person writes it.
    private mutating func guarded() -> String {
        let rule = prefix() + pick(["kill", "force", "required", "optional", "alert"])
        return "{\"$if\":\"\(quoted(rule))\",\"then\":{\"$eval\":\"\(quoted(rule)).message\"},\"else\":\"\"}"
    }

    private mutating func condition(_ depth: Int) -> String {
        switch generator.next(below: depth > 2 ? 3 : 7) {
        case 0: return path()
        case 1: return prefix() + pick(["blocked", "state == 'open'", "kill != null", "message == null", "alert", "kill"])
        case 2: return pick(["true", "1 == 1", "!false"])
        case 3: return "!(" + condition(depth + 1) + ")"
        case 4: return "(" + condition(depth + 1) + ") && " + condition(depth + 1)
        case 5: return condition(depth + 1) + " || " + condition(depth + 1)
        default: return "(" + condition(depth + 1) + ") == " + pick(["true", "false", "null"])
        }
    }

    private mutating func prefix() -> String { platforms.isEmpty ? "" : pick(platforms.map { $0.text + "." }) }

    private mutating func path() -> String {
        prefix()
            + pick([
                "kill", "kill.message", "kill.until", "kill.retryInterval", "force", "force.messages.de", "required",
                "required.minimumVersion",
                "required.blockedVersions", "optional", "optional.optionalVersion", "alert", "alert.blocking", "alert.message", "blocked",
                "state",
                "message", "messages[\"pt-BR\"]", "storeURL", "retryInterval", "sequence", "blocked", "state", "retryInterval", "nothing",
            ])
    }

    private func quoted(_ text: String) -> String { text.replacing("\"", with: "\\\"") }
}
