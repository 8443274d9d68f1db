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
        let new = UUID().uuidString
        do {
            if let kept = try memory.load(name), let text = String(bytes: kept, encoding: .utf8), !text.isEmpty { return text }
        } catch {
            // The name may still be there: only this start has another one, and so another draw.
            guard (error as? GateKitError)?.code == .malformed else { return new }
        }
        // If this fails, every start makes a new name; nothing else depends on it.
        try? memory.save(Data(new.utf8), as: name)
        return new
    }
}
