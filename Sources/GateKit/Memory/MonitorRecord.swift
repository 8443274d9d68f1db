import Foundation
import GateJSON

/// What a monitor stores under one name: what was dismissed, and the highest place in history seen so far.
struct MonitorRecord: Sendable, Hashable {
    var optionalVersions: [String] = []
    var alerts: [String] = []
    /// The highest sequence seen in native documents, by app and platform: `shop/ios`.
    var sequences: [String: Int] = [:]
    /// The number with which this installation is drawn while a gate opens gradually: one of 10,000, so it identifies nobody. Nil until it
    /// is first needed.
    var draw: Int?
    /// Until when the number is sent, in seconds since 1970 by the phone's clock: the last opening seen is over by then.
    var drawUntil: Double?

    init() {}

    init(_ data: Data) throws {
        guard let object = try JSONReader.read(Array(data), limits: .own).object else {
            throw GateKitError(.memory, "What is remembered is not an object.")
        }
        optionalVersions = object["optionalVersions"]?.array?.compactMap(\.string) ?? []
        alerts = object["alerts"]?.array?.compactMap(\.string) ?? []
        draw = object["draw"]?.integer
        drawUntil = object["drawUntil"]?.integer.map(Double.init)
        for (name, value) in object["sequences"]?.object?.members ?? [] { sequences[name] = value.integer }
    }

    var data: Data {
        var object: JSONObject = [
            "optionalVersions": .array(optionalVersions.map(JSONValue.string)),
            "alerts": .array(alerts.map(JSONValue.string)),
            "sequences": .object(JSONObject(uniqueMembers: sequences.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })),
        ]
        if let draw { object["draw"] = .integer(draw) }
        if let drawUntil { object["drawUntil"] = .integer(Int(drawUntil.rounded(.up))) }
        return Data(JSONValue.object(object).text.utf8)
    }
}

/// The last good document, with what is needed to ask the server whether it is still current.
struct KeptDocument: Sendable, Hashable {
    /// The whole address from which it came; an `ETag` is valid only for that address.
    var url: String
    var etag: String?
    /// `<key id>:<base64url>`; nil if it was not signed.
    var signature: String?
    var body: Data

    init(url: String, etag: String?, signature: String?, body: Data) {
        self.url = url
        self.etag = etag
        self.signature = signature
        self.body = body
    }

    init(_ data: Data) throws {
        let json = try JSONReader.read(Array(data), limits: .own)
        guard let object = json.object, let url = object["url"]?.string,
            let body = object["body"]?.string.flatMap({ Data(base64Encoded: $0) })
        else { throw GateKitError(.memory, "The stored document cannot be read.") }
        self.init(url: url, etag: object["etag"]?.string, signature: object["signature"]?.string, body: body)
    }

    var data: Data {
        let object: JSONValue = [
            "url": .string(url), "etag": etag.map(JSONValue.string) ?? .null, "signature": signature.map(JSONValue.string) ?? .null,
            "body": .string(body.base64EncodedString()),
        ]
        return Data(object.text.utf8)
    }
}
