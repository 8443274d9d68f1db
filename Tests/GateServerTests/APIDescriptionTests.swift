import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import Testing

@testable import GateServer

/// `/openapi.json`: whole, and true of what the server answers.
@Suite struct APIDescriptionTests {
    @Test func everyEndpointIsDescribedAndNothingElse() throws {
        let document = APIDescription.document(version: "1")
        var described: Set<String> = []
        for (path, operations) in document["paths"]?.object?.members ?? [] {
            for method in operations.object?.names ?? [] { described.insert("\(method.uppercased()) \(path)") }
        }
        #expect(described == Set(Endpoint.allCases.map(\.description)))
    }

    @Test func everyReferenceLeadsToASchemaAndEverySchemaIsUsed() throws {
        let document = APIDescription.document(version: "1")
        let schemas = Set(document["components.schemas"]?.object?.names ?? [])
        var used: Set<String> = []
        func walk(_ json: JSONValue) {
            switch json {
            case .array(let items): for item in items { walk(item) }
            case .object(let object):
                if let reference = object["$ref"]?.string { used.insert(String(reference.dropFirst("#/components/schemas/".count))) }
                for member in object.members { walk(member.value) }
            default: break
            }
        }
        walk(document)
        #expect(used == schemas)
    }

    @Test func everyRequestIsClosedAndEveryOperationHasANameOfItsOwn() throws {
        let document = APIDescription.document(version: "1")
        var names: [String] = []
        for (path, operations) in document["paths"]?.object?.members ?? [] {
            for (method, operation) in operations.object?.members ?? [] {
                names.append(operation["operationId"]?.string ?? "")
                guard let content = operation["requestBody.content"]?.object?["application/json"] else { continue }
                let reference = content.object?["schema"]?.object?["$ref"]?.string ?? ""
                let schema = document["components.schemas"]?.object?[String(reference.dropFirst("#/components/schemas/".count))]
                #expect(schema?["additionalProperties"] == .bool(false), "\(method) \(path)")
            }
        }
        #expect(names.allSatisfy { !$0.isEmpty })
        #expect(Set(names).count == names.count)
    }

    /// What is said to need no body is not refused for having none.
    @Test func aBodyIsOptionalOnlyWhereNoneIsTaken() throws {
        let desk = try Desk().furnished()
        let paths = APIDescription.document(version: "1")["paths"]?.object
        var optional = 0
        for endpoint in Endpoint.allCases {
            let operation = paths?[endpoint.pattern]?.object?[endpoint.method.rawValue.lowercased()]
            guard operation?["requestBody.required"] == .bool(false) else { continue }
            optional += 1
            let path = endpoint.pattern.replacing("{", with: "").replacing("}", with: "")
            #expect(desk.ask(HTTPMethod(rawValue: endpoint.method.rawValue), path).status != 415, "\(endpoint)")
        }
        #expect(optional > 0)
    }

    @Test func anybodyMayReadIt() throws {
        let response = try Desk().ask(.get, "/openapi.json", as: .nobody)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(response.json["openapi"] == "3.1.0")
        #expect(response.json.at("info.version") == "1.2.3")
        #expect(try Desk().ask(.post, "/openapi.json", "{}", as: .nobody).status == 405)
    }

    /// A day's work through every endpoint; each answer is as described, to the last member.
    @Test func theServersAnswersAreAsDescribed() throws {
        let desk = try Desk().furnished()
        let witness = Witness(document: APIDescription.document(version: "1"))
        let browser = try desk.browser("ann", .admin)
        func ask(
            _ expected: Int,
            _ endpoint: Endpoint,
            _ values: [String] = [],
            _ body: String? = nil,
            query: String = "",
            in session: Desk.Browser? = nil
        ) {
            let method = HTTPMethod(rawValue: endpoint.method.rawValue)
            let path = endpoint.path(values) + query
            let response = session.map { desk.ask(method, path, body, in: $0) } ?? desk.ask(method, path, body)
            #expect(response.status == expected, "\(endpoint): \(response.text)")
            #expect(witness.faults(in: response, to: endpoint) == [], "\(endpoint)")
        }
        ask(200, .setupState)
        ask(403, .setUp, [], #"{"code":"x","username":"eve","password":"a long pass phrase"}"#)
        ask(200, .session)
        ask(200, .session, in: browser)
        ask(200, .status)
        ask(201, .createApp, [], #"{"key":"news","name":"News"}"#)
        ask(409, .createApp, [], #"{"key":"news","name":"News"}"#)
        ask(200, .createApp, [], #"{"key":"more","name":"More","dryRun":true}"#)
        ask(201, .putPlatform, ["news", "ios"], #"{"releases":["1.0","1.1"],"storeURL":"https://apps.apple.com/app/id1"}"#)
        ask(200, .putPlatform, ["news", "ios"], #"{"defaultRetryInterval":30}"#)
        ask(200, .putPlatform, ["news", "ios"], #"{"defaultRetryInterval":60,"dryRun":true}"#)
        ask(422, .putPlatform, ["news", "ios"], #"{"defaultRetryInterval":1}"#)
        ask(
            200,
            .editApp,
            ["news"],
            #"{"aliases":[{"path":"/config.json","feed":"launchgate.json"},{"path":"/b.json","feed":"bellerophon.json","platform":"ios"}]}"#
        )
        ask(200, .editApp, ["news"], #"{"name":"The News","dryRun":true}"#)
        ask(200, .listApps)
        ask(200, .listApps, query: "?limit=1")
        ask(200, .app, ["news"])
        ask(404, .app, ["nothere"])
        let every = #"""
            {"killSwitch":{"message":{"default":"Closed.","de":"Zu."},"retryInterval":30},"forceUpdate":{"message":"Update."},
             "requiredUpdate":{"minimumVersion":"1.0","blockedVersions":["1.0"],"message":"Update."},
             "optionalUpdate":{"optionalVersion":"1.1","message":"Update."},"alert":{"message":"Slow.","blocking":true}}
            """#
        let target = #"{"app":"news","platform":"ios","revision":2}"#
        ask(200, .commitChange, [], #"{"targets":[\#(target)],"set":\#(every),"dryRun":true}"#)
        ask(200, .commitChange, [], #"{"targets":[\#(target)],"set":\#(every),"reason":"INC-1"}"#)
        ask(412, .commitChange, [], #"{"targets":[\#(target)],"set":\#(every)}"#)
        ask(428, .commitChange, [], #"{"targets":[{"app":"news","platform":"ios"}],"set":{}}"#)
        ask(400, .commitChange, [], #"{"targets":[],"set":{}}"#)
        ask(200, .target, ["news", "ios"])
        _ = desk.poll("/feeds/news/ios/bellerophon.json?version=1.0")
        ask(200, .listVersions, ["news", "ios"])
        ask(200, .listVersions, ["news", "ios"], query: "?within=day")
        ask(400, .listVersions, ["news", "ios"], query: "?within=week")
        ask(200, .listTargets)
        ask(200, .listChanges)
        ask(200, .listChanges, query: "?limit=1&app=news&source=api")
        ask(200, .change, ["7"])
        ask(200, .events, query: "?after=0")
        ask(200, .events)
        ask(200, .importFile, [], #"{"app":"shop","document":"{\"ios\":{}}","dryRun":true}"#)
        ask(
            200,
            .importFile,
            [],
            #"{"app":"shop","document":"{\"off\":false}","platform":"ios","map":["$.off=kill"],"name":"taken","dryRun":true}"#
        )
        ask(
            422,
            .importFile,
            [],
            #"{"app":"shop","document":"{\"ios\":{\"requiredUpdate\":{\"minimumVersion\":\"a\",\"message\":\"m\"}}}","revisions":{"ios":1}}"#
        )
        ask(200, .simulate, [], #"{"app":"news","platform":"ios","version":"0.9"}"#)
        ask(
            200,
            .simulate,
            [],
            #"{"app":"news","platform":"ios","client":"launchgate","version":"0.9","set":{"killSwitch":null,"alert":null},"seen":true,"locale":"de"}"#
        )
        ask(422, .simulate, [], #"{"app":"news","platform":"ios","client":"gandalf","version":"41"}"#)
        ask(200, .simulate, [], #"{"app":"news","platform":"ios","versions":[]}"#)
        ask(200, .simulate, [], #"{"app":"news","platform":"ios","versions":["0.9","1.10"],"set":{"alert":null},"seen":true}"#)
        ask(200, .simulate, [], #"{"app":"news","platform":"ios","versions":["0.9"],"revision":1}"#)
        ask(404, .simulate, [], #"{"app":"news","platform":"ios","versions":["0.9"],"revision":999}"#)
        ask(422, .simulate, [], #"{"app":"news","platform":"ios","versions":["0.9"],"at":"2000-01-01T00:00:00Z"}"#)
        ask(200, .export)
        ask(200, .export, query: "?app=news")
        let export = desk.ask(.get, "/api/v1/export").text
        ask(200, .apply, [], #"{"document":\#(export),"dryRun":true}"#)
        ask(200, .apply, [], #"{"document":\#(export),"sequence":\#(desk.ledger.sequence)}"#)
        let renamed = export.replacing(#""name":"News""#, with: #""name":"The News""#)
        ask(200, .apply, [], #"{"document":\#(renamed),"sequence":\#(desk.ledger.sequence)}"#)
        ask(428, .apply, [], #"{"document":\#(export)}"#)
        let window = #""targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Back at nine."}}"#
        ask(200, .createWindow, [], #"{\#(window),"start":"2027-01-01T00:00:00Z","dryRun":true}"#)
        ask(
            201,
            .createWindow,
            [],
            #"{\#(window),"start":{"wallTime":"2027-01-01T09:00","zone":"Europe/Berlin"},"end":"2027-01-02T00:00:00Z","then":"restore"}"#
        )
        ask(422, .createWindow, [], #"{\#(window),"start":{"wallTime":"2027-03-28T02:30","zone":"Europe/Berlin"}}"#)
        ask(428, .replaceWindow, ["1"], #"{\#(window),"start":"2027-01-01T00:00:00Z"}"#)
        ask(200, .replaceWindow, ["1"], #"{\#(window),"start":"2027-01-01T00:00:00Z","end":"2027-01-02T00:00:00Z","revision":1}"#)
        ask(412, .replaceWindow, ["1"], #"{\#(window),"start":"2027-01-01T00:00:00Z","revision":1}"#)
        ask(200, .runWindow, ["1"], #"{"dryRun":true}"#)
        ask(200, .runWindow, ["1"], "{}")
        ask(200, .window, ["1"])
        ask(200, .listWindows, query: "?limit=1&app=shop&state=pending,running")
        ask(200, .cancelWindow, ["1"], #"{"reason":"off"}"#)
        ask(409, .runWindow, ["1"], "{}")
        ask(201, .createUser, [], #"{"username":"otto","role":"operator","apps":["shop"],"password":"a long pass phrase"}"#)
        ask(200, .editUser, ["otto"], #"{"role":"viewer"}"#)
        ask(201, .createUser, [], #"{"username":"ines","role":"operator"}"#)
        ask(201, .inviteUser, ["ines"], "{}")
        ask(201, .inviteUser, ["otto"], "{}")
        ask(200, .listUsers)
        let invited = desk.ask(.post, "/api/v1/users/ines/invitation", "{}").json.at("invitation.token")?.string ?? ""
        ask(403, .acceptInvitation, [], #"{"invitation":"x","password":"a long pass phrase"}"#)
        ask(422, .acceptInvitation, [], #"{"invitation":"\#(invited)","password":"short"}"#)
        ask(200, .acceptInvitation, [], #"{"invitation":"\#(invited)","password":"a long pass phrase"}"#)
        ask(200, .listUsers, query: "?limit=1")
        ask(201, .createToken, [], #"{"name":"ci","role":"viewer","expiresAt":"2026-05-30T08:00:00Z"}"#)
        ask(201, .createToken, [], #"{"name":"laptop"}"#, in: browser)
        ask(200, .listTokens)
        ask(200, .listAudit)
        ask(200, .listAudit, query: "?limit=1")
        ask(201, .beginRehearsal, [], #"{"app":"news","platform":"ios","for":"1m"}"#)
        ask(422, .beginRehearsal, [], #"{"app":"news","platform":"ios","for":"1s"}"#)
        ask(200, .listRehearsals)
        let rehearsed = desk.ask(.get, Endpoint.listRehearsals.path([])).json["items"]?.array?.first?.object
        let address = try (rehearsed?["feeds"]?.object?["bellerophon"]?.string).unwrapped()
        for version in ["", "?version=1.0"] { _ = desk.poll(address + version) }
        let id = try (rehearsed?["id"]?.string).unwrapped()
        ask(200, .rehearsal, [id])
        ask(200, .alterRehearsal, [id], #"{"gate":{"killSwitch":{"message":"m"}}}"#)
        ask(400, .endRehearsal, [id], #"{"x":1}"#)
        ask(204, .endRehearsal, [id])
        ask(404, .endRehearsal, [id])
        ask(201, .createBackup, [], "{}")
        ask(200, .listBackups)
        ask(200, .account, in: browser)
        ask(403, .account)
        ask(200, .listSessions, in: browser)
        ask(200, .startTOTP, [], "{}", in: browser)
        ask(422, .confirmTOTP, [], #"{"code":"000000"}"#, in: browser)
        ask(204, .removeTOTP, in: browser)
        ask(204, .endSessions, in: browser)
        ask(404, .endSession, ["0"], in: browser)
        ask(404, .revokeToken, ["0"])
        ask(204, .deleteUser, ["otto"])
        let template = #"{\"off\":{\"$eval\":\"blocked\"},\"text\":{\"$eval\":\"message\"}}"#
        ask(422, .putOwnFeed, ["news", "status"], #"{"platform":"ios","template":"{"}"#)
        ask(422, .putOwnFeed, ["news", "status"], #"{"platform":"ios","template":"\#(template)"}"#)
        ask(422, .putOwnFeed, ["news", "gate"], #"{"template":"{}"}"#)
        ask(404, .putOwnFeed, ["nothere", "status"], #"{"template":"{}"}"#)
        ask(400, .putOwnFeed, ["news", "status"], "{}")
        let feed = #""platform":"ios","template":"\#(template)","accept":["type_changes"],"sample":"{}""#
        ask(200, .putOwnFeed, ["news", "status"], #"{\#(feed),"dryRun":true}"#)
        ask(200, .putOwnFeed, ["news", "status"], "{\(feed)}")
        #expect(desk.poll("/feeds/news/ios/own/status.json").text == #"{"off":true,"text":"Closed."}"#)
        ask(200, .ownFeed, ["news", "status"])
        ask(404, .ownFeed, ["news", "other"])
        ask(200, .app, ["news"])
        ask(200, .export)
        ask(422, .deleteOwnFeed, ["news", "status"], "{}")
        ask(200, .deleteOwnFeed, ["news", "status"], #"{"confirm":"delete news/own/status"}"#)
        ask(404, .deleteOwnFeed, ["news", "status"], "{}")
        #expect(desk.poll("/feeds/news/ios/own/status.json").status == 404)
        ask(422, .deletePlatform, ["news", "ios"], "{}")
        ask(200, .editApp, ["news"], #"{"aliases":[]}"#)
        ask(200, .deletePlatform, ["news", "ios"], #"{"confirm":"delete news/ios"}"#)
        ask(200, .deleteApp, ["news"], #"{"confirm":"delete news"}"#)
        ask(401, .reauthenticate, [], #"{"password":"wrong"}"#, in: browser)
        ask(403, .changePassword, [], #"{"currentPassword":"wrong","newPassword":"another long pass phrase"}"#, in: browser)
        ask(200, .signIn, [], #"{"username":"ann","password":"\#(Desk.password)"}"#)
        ask(204, .signOut, in: browser)
        #expect(witness.unseen == [])
    }
}

/// Holds answers to the description.
final class Witness {
    private let document: JSONValue
    private var seen: Set<Endpoint> = []

    init(document: JSONValue) { self.document = document }

    /// Endpoints of which no answer was looked at.
    var unseen: [Endpoint] { Endpoint.allCases.filter { !seen.contains($0) } }

    func faults(in response: HTTPResponse, to endpoint: Endpoint) -> [String] {
        seen.insert(endpoint)
        let operation = document["paths"]?.object?[endpoint.pattern]?.object?[endpoint.method.rawValue.lowercased()]
        let responses = operation?.object?["responses"]?.object
        let isProblem = response.status >= 400
        guard let described = responses?[String(response.status)] ?? (isProblem ? responses?["default"] : nil) else {
            return ["status \(response.status) is not described"]
        }
        guard let content = described.object?["content"]?.object?.members.first else {
            return response.body.isEmpty ? [] : ["a body where there is none"]
        }
        var faults: [String] = []
        if response.headers["Content-Type"]?.split(separator: ";").first.map(String.init) != content.name { faults.append("type") }
        guard let json = try? JSONReader.read(response.body, limits: .own), let schema = content.value.object?["schema"] else {
            return ["no JSON"]
        }  // the fault says it
        check(json, schema, at: "", &faults)
        return faults
    }

    /// JSON Schema as far as the description uses it; objects are taken as closed, since this server is no newer than its description.
    private func check(_ json: JSONValue, _ schema: JSONValue, at place: String, _ faults: inout [String]) {
        guard let rules = schema.object else { return faults.append("\(place): no schema") }
        if let reference = rules["$ref"]?.string {
            guard let found = document["components.schemas"]?.object?[String(reference.dropFirst("#/components/schemas/".count))] else {
                return faults.append("\(place): \(reference)")
            }
            return check(json, found, at: place, &faults)
        }
        if let choices = rules["anyOf"]?.array {
            let tried = choices.map { choice in
                var own: [String] = []
                check(json, choice, at: place, &own)
                return own
            }
            if !tried.contains(where: \.isEmpty) {
                faults.append("\(place): none of \(choices.count): \(tried.map { $0.joined(separator: ", ") })")
            }
            return
        }
        let known = [
            "type", "properties", "required", "additionalProperties", "propertyNames", "items", "minItems", "maxItems", "enum", "minLength",
            "maxLength", "pattern", "minimum", "maximum", "format",
        ]
        for name in rules.names where !known.contains(name) { faults.append("\(place): this test does not know \(name)") }
        if let type = rules["type"]?.string {
            let kinds: [String: Bool] = [
                "object": json.object != nil, "array": json.array != nil, "string": json.string != nil, "boolean": json.bool != nil,
                "null": json.isNull,
                "integer": json.integer != nil, "number": json.kindInWords == "a number",
            ]
            guard kinds[type] == true else { return faults.append("\(place): \(json.kindInWords), not \(type)") }
        }
        if let words = rules["enum"]?.array, !words.contains(json) {
            faults.append("\(place): \(json.text) is none of \(words.map(\.text))")
        }
        if let number = json.integer {
            if let least = rules["minimum"]?.integer, number < least { faults.append("\(place): \(number) < \(least)") }
            if let most = rules["maximum"]?.integer, number > most { faults.append("\(place): \(number) > \(most)") }
        }
        if let text = json.string {
            if let least = rules["minLength"]?.integer, text.unicodeScalars.count < least {
                faults.append("\(place): shorter than \(least)")
            }
            if let most = rules["maxLength"]?.integer, text.unicodeScalars.count > most { faults.append("\(place): longer than \(most)") }
            if let pattern = rules["pattern"]?.string, (try? Regex(pattern).firstMatch(in: text)) == nil {
                faults.append("\(place): \(text) is not \(pattern)")
            }  // a bad pattern is a fault too
            if rules["format"]?.string == "date-time", Timestamp(text)?.description != text {
                faults.append("\(place): \(text) is no time")
            }
        }
        for (index, item) in (json.array ?? []).enumerated() {
            if let items = rules["items"] { check(item, items, at: "\(place)/\(index)", &faults) }
        }
        if let count = json.array?.count {
            if let least = rules["minItems"]?.integer, count < least { faults.append("\(place): \(count) items") }
            if let most = rules["maxItems"]?.integer, count > most { faults.append("\(place): \(count) items") }
        }
        guard let object = json.object else { return }
        for name in rules["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil { faults.append("\(place): no \(name)") }
        for (name, value) in object.members {
            if let member = rules["properties"]?.object?[name] {
                check(value, member, at: "\(place)/\(name)", &faults)
            } else if let others = rules["additionalProperties"], others.object != nil {
                check(value, others, at: "\(place)/\(name)", &faults)
                if let names = rules["propertyNames"] { check(.string(name), names, at: "\(place)/\(name)", &faults) }
            } else if rules["properties"] != nil {
                faults.append("\(place): \(name) is not described")
            }
        }
    }
}
