import GateModel

/// The version that a library is sent in a feed for one phone, so that its own comparison says what the server has decided: that this phone is to
/// update.
///
/// It is the rule's own version wherever the library's comparison agrees. Where it does not, it is one that no two rules share, because an
/// optional update is remembered by it; users never see it (wire formats section 6).
enum TargetedVersion {
    /// For LaunchGate, which compares texts: `1.10` for 1.0, and `1.9.1.10` for 1.9, for a longer text with the same beginning is always greater.
    ///
    /// The numbers say the same, for who reads this feed and compares them, as GateKit does: what is built on is the installed version without
    /// its build (`+7`, which is less than a dot as a text, too), and of zeros alone one more number makes a later one.
    /// - Parameter version: the rule's own; nil for a forced update of an app without known releases.
    static func text(_ version: String?, above installed: String) -> String {
        let release = String(installed.prefix { $0 != "+" })
        guard let version else { return release + ".1" }
        // As a text 4.10.0 is below 4.9.0, and as numbers it is not: then the version that was blocked would be let in.
        if installed < version {
            guard let present = AppVersion(installed), let wanted = AppVersion(version), wanted <= present else { return version }
        }
        let longer = "\(release).\(version)"
        guard let present = AppVersion(installed), let wanted = AppVersion(longer), wanted <= present else { return longer }
        return longer + ".1"
    }

    /// For Gandalf and Prince of Versions on Android, which compare version codes.
    /// - Returns: nil for the highest code there is, above which none can be sent.
    static func code(_ version: String?, above installed: String) -> String? {
        // Apps that use the long code show these libraries its low half (wire formats 2.2).
        let installed = Int32(truncatingIfNeeded: VersionCode(installed)?.value ?? 0)
        if let version, let code = Int32(version), installed < code { return version }
        return installed < Int32.max ? String(max(installed, 0) + 1) : nil
    }

    /// For Prince of Versions on Apple's systems, which compares three numbers and takes a build that the phone has for a later version.
    /// - Returns: nil where the library cannot read the phone's version, or no version above it.
    static func threeNumbers(_ version: String?, above installed: String) -> String? {
        guard let present = PrinceOfVersionsAppleClient.Version(installed) else { return nil }
        if let version, let text = PrinceVersion.text(of: version), let wanted = PrinceOfVersionsAppleClient.Version(text),
            present.release < wanted
        {
            return text
        }
        return present.release.next?.text
    }
}
