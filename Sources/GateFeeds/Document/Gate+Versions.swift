import GateModel

extension Gate {
    /// The version with which a rule compares phones: for a forced update the newest release, to which libraries without that rule are told
    /// to update. Nil for a rule that is off or names none.
    func version(of rule: Rule, settings: PlatformSettings) -> String? {
        rule == .forceUpdate ? forceUpdate.flatMap { _ in settings.newestRelease } : version(of: rule)
    }

    /// The versions with which its rules compare phones.
    func versions(settings: PlatformSettings) -> [String] {
        [.requiredUpdate, .optionalUpdate, .forceUpdate].compactMap { version(of: $0, settings: settings) }
    }
}
