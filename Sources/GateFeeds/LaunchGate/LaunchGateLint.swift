import GateModel

/// What LaunchGate will make of a change: it compares versions as text, and the first rule that is there hides the others.
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
        // What is published and was not chosen now: a new release can come to stand on the wrong side of an old rule, and a forced update
        // has no version of its own that could be chosen better.
        if let (version, field) = published(change), !change.versionsSet.contains(where: { $0.field == field }),
            let finding = misordered(version, change, field: field, severity: .warning)
        {
            findings.append(finding)
        }
        return findings
    }

    /// The version that is in the object after the change, with the rule's field.
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

    /// Wire formats 6.1 item 13: `1.0` is less than `1.0.0` as text, and stays so for ever.
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

    /// Rules that are on and that LaunchGate's one rule hides although the precedence would show them to somebody.
    ///
    /// A kill switch and a forced update outrank everything for everybody, so nothing is said of what they hide.
    private static func masked(_ change: GateChange) -> [Finding] {
        let gate = change.after
        guard gate.killSwitch == nil, gate.forceUpdate == nil else { return [] }
        var findings: [Finding] = []
        func add(_ code: String, _ what: String, _ by: String, _ field: String) {
            findings.append(
                Finding(
                    code: code,
                    detail:
                        "LaunchGate shows nobody on \(change.target) the \(what) while the \(by) is on, not even users whom it does not concern; clear the \(by) for it to be seen.",
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
    /// Numbers between the dots of a version.
    var componentCount: Int { split(separator: ".", omittingEmptySubsequences: false).count }
}

extension [String] {
    /// At most five of the versions, for a sentence.
    var inWords: String {
        count <= 5 ? joined(separator: ", ") : prefix(5).joined(separator: ", ") + " and \(count - 5) more"
    }
}
