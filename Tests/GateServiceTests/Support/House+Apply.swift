import GateJSON
import GateModel
import GateTesting

@testable import GateService

extension House {
    /// Everything that the house holds, as an export has it.
    func document(for caller: Caller = .admin) throws -> [App] { try service.export(nil, for: caller).apps }

    /// Makes a document true, at the sequence of now.
    /// - Parameter confirm: nil takes what the plan asks for.
    @discardableResult
    func apply(
        _ apps: [App],
        scope: AppScope = .all,
        prunes: Bool = false,
        sequence: Int? = nil,
        _ terms: WriteTerms? = nil,
        by caller: Caller = .admin
    ) throws -> Outcome {
        let command = ApplyCommand(apps: apps, scope: scope, prunes: prunes, sequence: sequence ?? ledger.sequence, by: caller)
        if let terms { return try submit(.apply(command), terms, by: caller) }
        let plan = try submit(.apply(command), WriteTerms(dryRun: true), by: caller).plan
        return try submit(.apply(command), WriteTerms(reason: "apply", confirm: plan.confirm), by: caller)
    }

    /// Every kind of gate on three apps: both version schemes, languages, blocked versions, releases, aliases, an end by itself.
    func furnish() throws {
        try add("shop", "ios", "android", "macos")
        try add("bank", "ios", "android")
        try add("empty")
        let accepting = WriteTerms(accept: ["text_order"])
        try submit(
            .settings("shop/ios", #"{"releases":["1.9.0","1.10.0"],"storeURL":"https://apps.apple.com/app/id1","defaultRetryInterval":60}"#)
        )
        try submit(.settings("bank/android", #"{"releases":["40","41"]}"#))
        let until = clock.now.advanced(bySeconds: 3_600)
        let gates: [(String, String, WriteTerms)] = [
            ("shop/ios", #"{"requiredUpdate":{"minimumVersion":"1.10.0","blockedVersions":["1.9.0"],"message":"Update."}}"#, accepting),
            (
                "shop/android", #"{"killSwitch":{"message":{"default":"Closed.","de":"Zu."},"retryInterval":30,"until":"\#(until)"}}"#,
                WriteTerms()
            ),
            (
                "shop/macos",
                #"{"alert":{"message":"Slow <today> & \"tomorrow\".","blocking":false},"optionalUpdate":{"optionalVersion":"2.0","message":"2.0 is out."}}"#,
                WriteTerms()
            ),
            ("bank/ios", #"{"forceUpdate":{"message":"Please update."},"alert":{"message":"Closed.","blocking":true}}"#, WriteTerms()),
            ("bank/android", #"{"requiredUpdate":{"minimumVersion":"41","message":"Update."}}"#, WriteTerms()),
        ]
        for (target, json, terms) in gates { try set(target, to: json, terms) }
        try submit(
            .aliases(
                "shop",
                #"[{"path":"/config.json","feed":"launchgate.json"},{"path":"/status","feed":"bellerophon.json","platform":"ios"}]"#
            )
        )
        try submit(.editApp(AppKey("bank")!, name: "Bank & Co. „Nord“", aliases: nil))
    }
}

extension App {
    /// The app with a target's gate replaced by a document.
    func with(_ platform: PlatformKey, gate json: String) throws -> App {
        var app = self
        let settings = app.platforms[platform]?.settings ?? .standard(for: platform)
        let gate = try Gate(json: JSONReader.read(json), settings: settings)
        let key = TargetKey(app: app.key, platform: platform)
        let past = Timestamp(milliseconds: 0)
        app.platforms[platform] = Target(key: key, settings: settings, gate: gate, revision: 0, sequence: 0, since: past, changedAt: past)
        return app
    }

    func without(_ platform: PlatformKey) -> App {
        var app = self
        app.platforms[platform] = nil
        return app
    }
}
