import GateJSON
import GateModel
import Testing

@Suite struct ChangeDocumentTests {
    private static let targetText =
        #"{"app":"shop","platform":"ios","previous":41,"revision":42,"before":{},"after":{"alert":{"message":"a","blocking":true}},"feeds":{"bellerophon":"00ff","gate":"11"}}"#

    @Test func documentHasTheDesignsMembers() throws {
        let target = ChangedTarget(
            target: try #require(TargetKey("shop/ios")),
            previous: 41,
            revision: 42,
            before: .open,
            after: Gate(alert: Alert(message: .text("a"), blocking: true)),
            feeds: [.gate: "11", .bellerophon: "00ff"]
        )
        let change = Change(
            sequence: 1042,
            at: Timestamp(milliseconds: 1),
            actor: Actor(kind: .user, name: "on-call"),
            source: .gatectl,
            kind: .set,
            reason: "INC-123",
            requestId: "r1",
            app: nil,
            targets: [target]
        )
        let document =
            #"{"sequence":1042,"at":"1970-01-01T00:00:00.001Z","actor":{"kind":"user","name":"on-call"},"source":"gatectl","kind":"set","reason":"INC-123","requestId":"r1","targets":["#
        #expect(change.json.text == document + Self.targetText + "]}")
    }

    @Test(arguments: [
        targetText,
        #"{"app":"shop","platform":"ios","previous":0,"revision":1,"before":{},"after":{},"settings":{"before":null,"after":{"versionScheme":"dotted","storeURL":null,"releases":["1.0"],"defaultRetryInterval":15,"clients":null}},"feeds":{}}"#,
    ])
    func storedTargetComesBack(text: String) throws {
        #expect(try ChangedTarget(json: JSONReader.read(text)).json.text == text)
    }

    @Test func storedTargetWithoutItsMembersIsRefused() {
        for text in ["{}", "[]", #"{"app":"shop","platform":"ios2","previous":0,"revision":1,"before":{},"after":{}}"#] {
            #expect(throws: ModelError.self) { try ChangedTarget(json: JSONReader.read(text)) }
        }
    }

    @Test func planHasTheDesignsMembers() throws {
        let target = try #require(TargetKey("shop/ios"))
        let plan = Plan(
            tier: .block,
            confirm: "shop/ios",
            reasonRequired: true,
            diff: [FieldDifference(target: target, field: "alert.blocking", before: .bool(false), after: .bool(true))],
            effects: [
                Effect(
                    target: target,
                    client: .princeOfVersions,
                    versions: ["1.9"],
                    before: .nothing,
                    after: .nothing,
                    meant: .blocked,
                    detail: "It knows no alert."
                )
            ],
            warnings: [Warning(code: "text_order", detail: "d", versions: ["1.9"])]
        )
        #expect(
            plan.json.text
                == #"{"tier":2,"confirm":"shop/ios","reasonRequired":true,"diff":[{"app":"shop","platform":"ios","field":"alert.blocking","before":false,"after":true}],"effects":[{"app":"shop","platform":"ios","client":"prince-of-versions","versions":["1.9"],"before":"nothing","after":"nothing","meant":"blocked","detail":"It knows no alert."}],"warnings":[{"code":"text_order","detail":"d","versions":["1.9"]}]}"#
        )
    }
}
