import ArgumentParser
import Foundation
import GateKit

/// An address of http or https.
struct URLArgument: ExpressibleByArgument {
    let url: URL

    init?(argument: String) {
        guard let url = URL(string: argument), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host != nil
        else {
            return nil
        }
        self.url = url
    }
}

/// A public key of 43 characters.
struct KeyArgument: ExpressibleByArgument {
    let key: GatePublicKey

    init?(argument: String) {
        // The parser says which option it was; there is nothing to add.
        guard let key = try? GatePublicKey(argument) else { return nil }
        self.key = key
    }
}

/// A time such as `500ms`, `30s` or `2m`.
struct DurationArgument: ExpressibleByArgument, CustomStringConvertible {
    let seconds: TimeInterval

    init(seconds: TimeInterval) { self.seconds = seconds }

    init?(argument: String) {
        let units: [(suffix: String, seconds: TimeInterval)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)]
        guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }), let number = Double(argument.dropLast(unit.suffix.count)),
            number >= 0, number.isFinite
        else { return nil }
        seconds = number * unit.seconds
    }

    var description: String { seconds.rounded() == seconds ? "\(Int(seconds))s" : "\(seconds)s" }

    var defaultValueDescription: String { description }
}
