package import GateJSON
package import GateModel

/// Which members of an own-shape feed change when a block begins or ends, judged by the rendered documents rather than by the template.
///
/// What phones do with a member is the app's own affair. But the app may obey a member whose value is different while nobody gets in, and
/// changing such a member can shut people out or let them in.
package struct OwnFeedSense: Sendable {
    /// Places whose value under a kill switch, a forced update or a blocking alert differs from the value with no rule on.
    package let places: Set<String>

    package init(_ feed: OwnFeed, in app: App) throws(OwnFeedFault) {
        let template = try OwnFeeds.template(of: feed, in: app)
        func document(_ gate: Gate) throws(OwnFeedFault) -> JSONValue {
            try OwnFeeds.render(feed, in: app.with(gate), with: template).document
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

    /// Whether phones may be let in or shut out when another template takes the place of this one.
    /// - Parameters:
    ///   - next: the sense of the other template.
    ///   - differing: the places in which the two documents differ now.
    package func isAltered(by next: OwnFeedSense, differing: [String]) -> Bool {
        // Where nothing tells which values shut people out, any of them may.
        if places.isEmpty { return !differing.isEmpty }
        // A place that no longer changes with a block: a kill switch no longer reaches whoever obeys it, and nobody could tell later that
        // another constant there shuts them out.
        if places.contains(where: { !next.covers($0) }) { return true }
        return differing.contains { touches($0) || next.touches($0) }
    }

    /// Whether a place is one of these, contains one, or is inside one.
    private func touches(_ place: String) -> Bool { covers(place) || places.contains { $0.hasPrefix(place + "/") } }

    /// Whether a place is one of these, or inside one.
    private func covers(_ place: String) -> Bool { places.contains { $0 == place || place.hasPrefix($0 + "/") } }
}

extension App {
    /// The app with the same gate on all its platforms.
    package func with(_ gate: Gate) -> App {
        var app = self
        for key in platformKeys { app.platforms[key]?.gate = gate }
        return app
    }
}

extension RenderedOwnFeed {
    package var document: JSONValue {
        // A template's output is JSON; its lists may have more elements than a request body may.
        (try? JSONReader.read(bytes, limits: .own)) ?? .null
    }
}
