import Foundation

extension GatePhone {
    /// This app on this phone: the bundle's versions, the system's version, and the languages that the person has chosen.
    /// - Parameter memory: where the name of this installation is stored; nil for none. If it cannot be stored, it is different after every
    ///   start.
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

    /// The name by which this installation is drawn for a share of phones; made when first needed.
    static func installID(in memory: any GateMemory) -> String {
        let name = "gatekit.installation"
        // If the memory fails, every start makes a new name and so a new draw; nothing else depends on it.
        if let kept = try? memory.load(name), let text = String(bytes: kept, encoding: .utf8), !text.isEmpty { return text }
        let new = UUID().uuidString
        try? memory.save(Data(new.utf8), as: name)
        return new
    }
}
