import GateModel

/// The version that is sent to a library in a feed for one phone, so that the library's own comparison agrees with the server's decision:
/// this phone is to update.
///
/// It is the rule's own version wherever the library's comparison agrees; users never see it (wire formats section 6). An optional update
/// is remembered by its version. As a text no two rules share one. Numbers cannot be made longer: there it is the next one above the
/// phone's, the same for every rule, so somebody who was offered one such update is not offered another, nor the release that has that
/// number.
enum TargetedVersion {
    /// For LaunchGate, which compares texts: `1.10` for 1.0, and `1.9.1.10` for 1.9, because a longer text with the same beginning is
    /// always greater.
    ///
    /// It is also greater as numbers, for readers that compare numbers, such as GateKit. It starts with the installed version without its
    /// build (also as a text, the `+` of `+7` is less than a dot); if only zeros were appended, one more number makes it greater.
    /// - Parameter version: the rule's own version; nil for a forced update of an app without known releases.
    static func text(_ version: String?, above installed: String) -> String {
        let release = String(installed.prefix { $0 != "+" })
        guard let version else { return release + ".1" }
        // As a text 4.10.0 is below 4.9.0, but not as numbers: the version to be blocked would then be let in.
        if installed < version {
            guard let present = AppVersion(installed), let wanted = AppVersion(version), wanted <= present else { return version }
        }
        let longer = "\(release).\(version)"
        guard let present = AppVersion(installed), let wanted = AppVersion(longer), wanted <= present else { return longer }
        return longer + ".1"
    }

    /// For Gandalf and Prince of Versions on Android, which compare version codes.
    /// - Returns: nil for the highest possible code, above which none can be sent.
    static func code(_ version: String?, above installed: String) -> String? {
        // To these libraries, apps that use the long code show only its low half (wire formats 2.2).
        let installed = Int32(truncatingIfNeeded: VersionCode(installed)?.value ?? 0)
        if let version, let code = Int32(version), installed < code { return version }
        return installed < Int32.max ? String(max(installed, 0) + 1) : nil
    }

    /// For a platform other than `android` that counts in version codes: above the installed code, and as a number above the version that
    /// people see.
    ///
    /// Whoever made Gandalf read another name compares the former. GateKit compares the latter, because a platform's object does not say
    /// how versions are counted; that this phone is to update is decided already.
    static func code(_ version: String?, above installed: String, shown: String) -> String? {
        guard let code = code(version, above: installed) else { return nil }
        guard let present = AppVersion(shown), let wanted = AppVersion(code), wanted <= present else { return code }
        let first = shown.drop { !$0.isNumber }.prefix { $0.isNumber }
        // There is no code above the highest one; at least the libraries that compare codes are told.
        guard let number = Int32(first), number < Int32.max else { return code }
        return String(number + 1)
    }

    /// For Prince of Versions on Apple's systems, which compares three numbers and treats a build on the phone as a later version.
    /// - Returns: nil if the library cannot read the phone's version, or there is no version above it.
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
