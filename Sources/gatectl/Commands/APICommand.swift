import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct APICommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "api",
        abstract: "Send a request to any address of the admin API, for what has no command.",
        discussion: """
            The address is one of /openapi.json on the server, with or without /api/v1 in front. A refusal is \
            reported, with its exit code, as by every other command. A write is made at once: nothing is planned and nobody is asked.

            EXAMPLES
              gatectl api GET /status
              gatectl api GET "/changes?app=shop&limit=5"
              gatectl api PATCH /users/3 -f person.json
              echo '{"name":"ci"}' | gatectl api POST /tokens -f -
            """
    )

    @Argument(help: "GET, POST, PUT, PATCH or DELETE.") var method: MethodArgument
    @Argument(help: "The address, such as /targets.") var path: String
    @Option(name: .short, help: "The body; - reads standard input.", completion: .file()) var file: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ValidationError("The address starts with / and has no spaces: /targets")
        }
        if method.method == .get, file != nil { throw ValidationError("A GET has no body; say POST, PUT, PATCH or DELETE.") }
    }

    func execute(_ console: Console) async throws {
        let body = try file.map { file throws(Failure) in try InputFile.read(file) }
        let session = try Session.open(common.connection, console)
        let isWhole =
            path.hasPrefix("/api/") || path.hasPrefix("/healthz/") || path.hasPrefix("/feeds/") || path == "/metrics"
            || path == "/openapi.json"
        let answer: [UInt8]
        do throws(AdminClientError) {
            answer = try await session.client.ask(method.method, isWhole ? path : "/api/v1" + path, body: body)
        } catch { throw Self.failure(error) }
        let json = try? JSONReader.read(answer, limits: .own)
        // With --json it is one document whatever came: null for nothing, a string for what is not JSON, such as the metrics.
        if console.isJSON { return console.json(json ?? (answer.isEmpty ? .null : .string(String(decoding: answer, as: UTF8.self)))) }
        guard let json else { return answer.isEmpty ? () : console.document(answer) }
        console.document(Array((json.indented + "\n").utf8))
    }

    /// A reason or confirmation that the server asks for goes into the body here: there are no options for it.
    private static func failure(_ error: AdminClientError) -> Failure {
        var failure = Failure(error)
        guard failure.exit == .confirmationNeeded else { return failure }
        let member: JSONObject =
            if failure.code != "reason_required", let phrase = failure.plan?.confirm { ["confirm": .string(phrase)] } else {
                ["reason": .string("INC-123")]
            }
        failure.next = [("next", "send it in the body, with -f: \(JSONValue.object(member).text)")]
        return failure
    }
}
