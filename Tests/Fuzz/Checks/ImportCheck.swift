import GateFeeds
import GateJSON
import GateModel

/// Any file can be given for import: what is proposed from it passes the checks of a write, or it is refused with a path.
enum ImportCheck {
    static func look(_ input: [UInt8]) {
        let document = String(decoding: input, as: UTF8.self)
        let app = Sample.app()
        for format in ImportFormat.allCases {
            for platform in [nil, PlatformKey("ios"), PlatformKey("android")] {
                guard let proposal = try? ImportReader.read(document, format: format, app: app, platform: platform) else { continue }
                for (key, edit) in proposal.edits {
                    guard var target = app.platforms[key] else { fatalError("\(key) is a platform that the app has not") }
                    if let settings = proposal.settings[key] {
                        do { try target.settings.apply(json: settings) } catch {
                            fatalError("settings that were proposed are refused: \(error)")
                        }
                    }
                    do { try target.gate.apply(PreparedEdit(edit), settings: target.settings) } catch {
                        fatalError("a rule that was proposed is refused: \(error)")
                    }
                }
            }
        }
    }
}

/// An app for the checks.
enum Sample {
    static func app(_ gate: Gate = .open) -> App {
        guard let key = AppKey("shop") else { fatalError("a key") }
        var app = App(key: key, name: "Shop")
        for platform in ["ios", "android", "macos", "web"].compactMap(PlatformKey.init(_:)) {
            app.platforms[platform] = target(key, platform, gate)
        }
        return app
    }

    private static func target(_ app: AppKey, _ platform: PlatformKey, _ gate: Gate) -> Target {
        let zero = Timestamp(milliseconds: 0)
        return Target(
            key: TargetKey(app: app, platform: platform),
            settings: .standard(for: platform),
            gate: gate,
            revision: 1,
            sequence: 1,
            since: zero,
            changedAt: zero
        )
    }
}
