import CPostgreSQL

/// The options of a connection by name, as libpq reads or uses them. Holds the password: never shown.
struct ConnectionParts {
    private let values: [String: String]
    /// Whether one of them is a password: libpq marks the options that must not be shown.
    let holdsPassword: Bool

    /// The options in a URL; nil where libpq does not understand it. libpq's error message is not read: it repeats part of the URL, which
    /// may hold a password.
    init?(_ url: String) {
        guard let options = PQconninfoParse(url, nil) else { return nil }
        (values, holdsPassword) = Self.read(options)
    }

    /// All options that a connection uses, including those from the environment and libpq's defaults; empty when memory is short.
    init(of connection: OpaquePointer) {
        (values, holdsPassword) = PQconninfo(connection).map { Self.read($0) } ?? ([:], false)
    }

    /// Takes ownership of the list ("returns an array of PQconninfoOption structures … the last entry has a null keyword pointer", 34.1).
    private static func read(_ options: UnsafeMutablePointer<PQconninfoOption>) -> (values: [String: String], holdsPassword: Bool) {
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var holdsPassword = false
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val, value.pointee != 0 {
                values[String(cString: keyword)] = String(cString: value)
                // "* … Password field - hide value" (libpq-fe.h): password, sslpassword, and what later versions add.
                if let shown = option.pointee.dispchar, shown.pointee == Int8(bitPattern: UInt8(ascii: "*")) { holdsPassword = true }
            }
            option += 1
        }
        return (values, holdsPassword)
    }

    /// Nil for an option that is missing or empty.
    subscript(name: String) -> String? { values[name] }

    /// The options of each server to try; at least one server. The address may list several (34.1.1.3, "Specifying Multiple Hosts"); then
    /// each has a port: 5432 where the list names none.
    var servers: [[(name: String, value: String)]] {
        func list(_ name: String) -> [String] {
            (values[name] ?? "").split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        }
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(hosts.count, addresses.count)
        func part(_ index: Int, of list: [String]) -> String {
            // A single port applies to all servers.
            list.indices.contains(index) ? list[index] : list.count == 1 ? list[0] : ""
        }
        return (0..<count).map { index in
            let port = part(index, of: ports)
            return [
                ("host", part(index, of: hosts)), ("hostaddr", part(index, of: addresses)),
                ("port", port.isEmpty && count > 1 ? "5432" : port),
            ]
        }
    }

    /// Whether the lists have gaps. libpq treats an empty text as no value at all, so a gap could not be passed on for one server of
    /// several.
    var hasGaps: Bool {
        ["host", "hostaddr"].contains { name in
            values[name].map { $0.split(separator: ",", omittingEmptySubsequences: false).contains("") } ?? false
        }
    }

    var description: String {
        let database = values["dbname"].map { "database \"\($0)\"" } ?? "the user's database"
        let place = servers.compactMap { server -> String? in
            let part = Dictionary(uniqueKeysWithValues: server)
            guard let host = part["host"].flatMap({ $0.isEmpty ? nil : $0 }) ?? part["hostaddr"], !host.isEmpty else { return nil }
            if host.hasPrefix("/") { return "the socket in \(host)" }
            let port = part["port"].flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
            return (host.contains(":") ? "[\(host)]" : host) + port
        }
        return place.isEmpty ? database : "\(database) at \(place.joined(separator: " or "))"
    }
}
