package import GateJSON
package import GateModel

/// Which members of a feed of an own shape turn with a block, told from what comes out and not from what the template says.
///
/// What phones make of a member is the app's own affair. But one that is another while nobody gets in is what the app may obey, and a change of
/// it can shut people out, or let them in.
package struct OwnFeedSense: Sendable {
    /// Places that are others under a kill switch, a forced update or a blocking alert than with no rule on.
    package let places: Set<String>

    package init(_ feed: OwnFeed, in app: App) throws(OwnFeedFault) {
        let template = try OwnFeeds.template(of: feed, in: app)
        func document(_ gate: Gate) throws(OwnFeedFault) -> JSONValue {
            var app = app
            for (key, target) in app.platforms {
                var target = target
                target.gate = gate
                app.platforms[key] = target
            }
            return try OwnFeeds.render(feed, in: app, with: template).document
        }
        let open = try document(.open)
        let message = Message.text("Blocked.")
        var places: Set<String> = []
        for gate in [
            Gate(killSwitch: KillSwitch(message: message, retryInterval: 30)), Gate(forceUpdate: ForceUpdate(message: message)),
            Gate(alert: Alert(message: message, blocking: true)),
        ] { places.formUnion(DocumentDifference.places(open, try document(gate))) }
        self.places = places
    }

    /// Whether a place is one of these, holds one, or stands in one.
    package func touches(_ place: String) -> Bool {
        places.contains { $0 == place || $0.hasPrefix(place + "/") || place.hasPrefix($0 + "/") }
    }
}

extension RenderedOwnFeed {
    package var document: JSONValue {
        // What a template makes is JSON; a list may have more elements than a body may.
        (try? JSONReader.read(bytes, limits: .own)) ?? .null
    }
}
