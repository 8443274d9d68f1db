import GateCrypto
import GateJSON
import GateModel

@testable import GateService

extension Caller {
    static func named(_ name: String, _ role: Role, _ scope: AppScope = .all) -> Caller {
        Caller(actor: Actor(kind: .user, name: name), role: role, scope: scope, source: .api, requestId: "request-1", address: "127.0.0.1")
    }

    static let admin = named("ann", .admin)
    static let `operator` = named("otto", .operator)
    static let viewer = named("vera", .viewer)
    /// May touch the app `bank` only.
    static let banker = named("bea", .operator, .only([AppKey("bank")!]))
}

extension Command {
    /// One set of rules for several targets, as `POST /changes` builds it.
    static func set(_ targets: [(String, Int?)], _ json: String, kind: Change.Kind = .set) throws -> Command {
        let edit = try PreparedEdit(GateEdit(json: JSONReader.read(json)))
        return .gates(
            targets.enumerated().map { index, target in
                TargetCommand(
                    target: TargetKey(target.0)!,
                    revision: target.1,
                    action: .set(edit),
                    pointer: "/targets/\(index)",
                    editPointer: "/set"
                )
            },
            kind: kind
        )
    }

    static func revert(_ target: String, _ revision: Int?, to earlier: Int) -> Command {
        .gates(
            [
                TargetCommand(
                    target: TargetKey(target)!,
                    revision: revision,
                    action: .revert(to: earlier),
                    pointer: "/targets/0",
                    editPointer: "/targets/0/set"
                )
            ],
            kind: .revert
        )
    }

    static func settings(_ target: String, _ json: String) throws -> Command {
        .putPlatform(TargetKey(target)!, settings: try JSONReader.read(json))
    }

    static func aliases(_ app: String, _ json: String) throws -> Command {
        .editApp(AppKey(app)!, name: nil, aliases: try json.aliases)
    }
}

/// Rules as people write them.
enum Rules {
    static let kill = #"{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}"#
    static let open = #"{"killSwitch":null}"#
    static let force = #"{"forceUpdate":{"message":"Please update."}}"#
    static let require = #"{"requiredUpdate":{"minimumVersion":"4","message":"Please update."}}"#
    static let suggest = #"{"optionalUpdate":{"optionalVersion":"5","message":"5 is out."}}"#
    static let block = #"{"alert":{"message":"Closed.","blocking":true}}"#
    static let notify = #"{"alert":{"message":"Slow today.","blocking":false}}"#

    /// An alert of about so many bytes, in as many languages as it takes.
    static func alert(_ bytes: Int) -> String {
        let text = String(repeating: "x", count: 480)
        let languages = (0..<max(1, bytes / 500)).map { #""x\#(["a", "b", "c", "d", "e"][$0 % 5])-\#($0)":"\#(text)""# }
        return #"{"alert":{"message":{"default":"a",\#(languages.joined(separator: ","))},"blocking":false}}"#
    }
}

extension RequestOrigin {
    /// - Parameter device: what the browser keeps of an earlier sign-in.
    static func from(_ address: String, loopback: Bool = false, device: String? = nil) -> RequestOrigin {
        RequestOrigin(address: address, isLoopback: loopback, userAgent: "test", requestId: "request-1", device: device)
    }
}

/// The refusal that `body` throws, or nil when it throws nothing or something else.
func refusal(_ body: () throws -> Void) -> ServiceError? {
    do {
        try body()
        return nil
    } catch { return error as? ServiceError }
}

/// The word of the refusal that `body` throws, or nil.
func word(_ body: () throws -> Void) -> String? { refusal(body)?.word }

extension String {
    var json: JSONValue { get throws { try JSONReader.read(self) } }

    /// The aliases of a request.
    var aliases: [Alias] { get throws { try json.array.unwrapped().map(Alias.init(json:)) } }
}
