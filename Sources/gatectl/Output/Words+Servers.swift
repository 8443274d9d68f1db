import GateModel

extension Words {
    /// `gate-1 has change 42 · gate-2 is 3 changes behind · gate-3 was not heard of for 31s`; nil where one server has the database to
    /// itself.
    static func servers(_ servers: [SharedServer]) -> String? {
        guard !servers.isEmpty else { return nil }
        let newest = servers.map(\.sequence).max() ?? 0
        return servers.map { server in
            let name = Style.safe(server.name)
            let behind = newest - server.sequence
            // Each server reports once a second.
            if server.silentSeconds > 3 { return "\(name) was not heard of for \(server.silentSeconds)s" }
            return behind == 0 ? "\(name) has change \(newest)" : "\(name) is \(behind) change\(behind == 1 ? "" : "s") behind"
        }
        .joined(separator: " · ")
    }
}
