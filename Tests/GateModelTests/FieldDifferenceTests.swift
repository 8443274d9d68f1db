import GateJSON
import GateModel
import Testing

@Suite struct FieldDifferenceTests {
    private func differences(_ before: String, _ after: String) throws -> [String] {
        let target = try #require(TargetKey("shop/ios"))
        let (one, two) = (try Gate(stored: JSONReader.read(before)), try Gate(stored: JSONReader.read(after)))
        return FieldDifference.between(one, two, of: target).map { "\($0.field): \($0.before?.text ?? "-") > \($0.after?.text ?? "-")" }
    }

    @Test func everyFieldThatDiffersIsARow() throws {
        let old = #"{"killSwitch":{"message":"a","retryInterval":30},"alert":{"message":"b","blocking":false}}"#
        let new = #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"c"},"alert":{"message":"b","blocking":true}}"#
        #expect(
            try differences(old, new) == [
                #"killSwitch.message: "a" > -"#, "killSwitch.retryInterval: 30 > -", #"requiredUpdate.minimumVersion: - > "4.2.0""#,
                #"requiredUpdate.message: - > "c""#, "alert.blocking: false > true",
            ]
        )
        #expect(try differences(old, old) == [])
    }

    @Test func settingsAreComparedToo() throws {
        let target = try #require(TargetKey("shop/ios"))
        let before = PlatformSettings.standard(for: .ios)
        var after = before
        after.releases = ["1.0"]
        let rows = FieldDifference.between(before, after, of: target)
        #expect(rows.map(\.field) == ["settings.releases"])
        #expect(rows.first?.json.text == #"{"app":"shop","platform":"ios","field":"settings.releases","before":[],"after":["1.0"]}"#)
        #expect(FieldDifference.between(nil, after, of: target).count == 5)
    }
}
