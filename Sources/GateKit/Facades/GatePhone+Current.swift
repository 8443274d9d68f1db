import Foundation

extension GatePhone {
    /// This app on this phone: its bundle's versions, the system's, and the languages that the person has chosen.
    /// - Parameter memory: where the name of this installation is kept; nil for none. One that cannot be kept is another with each start.
    public static func current(memory: (any GateMemory)? = UserDefaultsGateMemory()) -> GatePhone {
        let info = Bundle.main.infoDictionary ?? [:]
        let system = ProcessInfo.processInfo.operatingSystemVersion
        return GatePhone(
            version: info["CFBundleShortVersionString"] as? String,
            build: info["CFBundleVersion"] as? String,
            osVersion: "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)",
            languages: Locale.preferredLanguages,
            installID: memory.map(installID)
        )
    }

    /// The name under which this installation is drawn for a share of phones; made the first time it is asked for.
    static func installID(in memory: any GateMemory) -> String {
        let name = "gatekit.installation"
        // A memory that fails makes a new name with each start, which is drawn anew; nothing else depends on it.
        if let kept = try? memory.load(name), let text = String(bytes: kept, encoding: .utf8), !text.isEmpty { return text }
        let new = UUID().uuidString
        try? memory.save(Data(new.utf8), as: name)
        return new
    }
}
