import GateModel

/// What LaunchGate will do with a change: it compares versions as text, and the first rule present hides the others.
enum LaunchGateLint {
    static func findings(_ change: GateChange) -> [Finding] {
        guard change.objectDialect == .launchGate else { return [] }
        return textOrder(change) + componentCount(change) + masked(change)
    }

    /// Wire formats 6.1 item 12.
    private static func textOrder(_ change: GateChange) -> [Finding] {
        var findings = change.versionsSet.compactMap { version, field in
            misordered(version, change, field: field, severity: .refusal(overridable: true))
        }
        // What is published but was not set by this change: an old rule can end up on the wrong side of a new release, and for a forced
        // update no better version could be chosen, because it has none of its own.
        if let (version, field) = published(change), !change.versionsSet.contains(where: { $0.field == field }),
            let finding = misordered(version, change, field: field, severity: .warning)
        {
            findings.append(finding)
        }
        return findings
    }

    /// The version in the object after the change, with the rule's field.
    private static func published(_ change: GateChange) -> (version: String, field: String)? {
        let gate = change.after
        switch LaunchGateFeed.rule(speakingFor: gate, settings: change.settings) {
        case .forceUpdate: return change.settings.newestRelease.map { ($0, "/forceUpdate") }
        case .requiredUpdate: return gate.requiredUpdate.map { ($0.minimumVersion, VersionField.minimum) }
        case .optionalUpdate: return gate.optionalUpdate.map { ($0.optionalVersion, VersionField.optional) }
        case .killSwitch, .alert, nil: return nil
        }
    }

    private static func misordered(_ version: String, _ change: GateChange, field: String, severity: Finding.Severity) -> Finding? {
        let scheme = change.settings.versionScheme
        let wrong = change.settings.releases.filter { ($0 < version) != scheme.isOlder($0, than: version) }
        guard !wrong.isEmpty else { return nil }
        let told = wrong.filter { $0 < version }
        let missed = wrong.filter { $0 >= version }
        let parts = [
            told.isEmpty ? nil : "it would wrongly tell \(told.inWords) to update",
            missed.isEmpty ? nil : "it would wrongly let \(missed.inWords) through",
        ].compactMap(\.self)
        return Finding(
            code: "text_order",
            detail:
                "LaunchGate compares \(version) as text on \(change.target): \(parts.joined(separator: " and ")); choose a version with as many digits in each place as the releases have.",
            versions: wrong,
            field: field,
            severity: severity
        )
    }

    /// Wire formats 6.1 item 13: as text, `1.0` is less than `1.0.0`, and always will be.
    private static func componentCount(_ change: GateChange) -> [Finding] {
        let counts = Set(change.settings.releases.map(\.componentCount))
        guard !counts.isEmpty else { return [] }
        return change.versionsSet.compactMap { version, field in
            guard !counts.contains(version.componentCount) else { return nil }
            return Finding(
                code: "component_count",
                detail:
                    "\(version) has \(version.componentCount) components on \(change.target) and the known releases have \(counts.sorted().map(String.init).joined(separator: " or ")), which LaunchGate orders wrongly as text; write it as the releases are written.",
                field: field,
                severity: .refusal(overridable: true)
            )
        }
    }

    /// Rules that are on but hidden by LaunchGate's one rule, although the precedence would show them to somebody.
    ///
    /// A kill switch and a forced update outrank everything for everybody, so what they hide is not reported.
    private static func masked(_ change: GateChange) -> [Finding] {
        let gate = change.after
        guard gate.killSwitch == nil, gate.forceUpdate == nil else { return [] }
        var findings: [Finding] = []
        func add(_ code: String, _ what: String, _ by: String, _ field: String) {
            findings.append(
                Finding(
                    code: code,
                    detail:
                        "While the \(by) is on, LaunchGate shows nobody on \(change.target) the \(what), not even users whom the \(by) does not concern; clear the \(by) to show it.",
                    field: field
                )
            )
        }
        switch LaunchGateFeed.rule(speakingFor: gate, settings: change.settings) {
        case .alert:
            if gate.requiredUpdate != nil { add("masked_required", "required update", "blocking alert", "/requiredUpdate") }
        case .requiredUpdate:
            if gate.optionalUpdate != nil { add("masked_optional", "optional update", "required update", "/optionalUpdate") }
            if gate.alert != nil { add("masked_alert", "alert", "required update", "/alert") }
        case .optionalUpdate:
            if gate.alert != nil { add("masked_alert", "alert", "optional update", "/alert") }
        case .killSwitch, .forceUpdate, nil: break
        }
        return findings
    }
}

extension String {
    /// How many numbers a version has between its dots.
    var componentCount: Int { split(separator: ".", omittingEmptySubsequences: false).count }
}

extension [String] {
    /// Up to five of the versions, for use in a sentence.
    var inWords: String {
        count <= 5 ? joined(separator: ", ") : prefix(5).joined(separator: ", ") + " and \(count - 5) more"
    }
}
