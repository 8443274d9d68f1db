import GateJSON
package import GateModel

extension Takeover {
    /// Compares what phones will get with the file, and shows what switching each kill switch over changes.
    /// - Parameters:
    ///   - feed: made from ``template``.
    ///   - app: as it will be after the takeover.
    /// - Throws: ``OwnFeedFault`` if the template cannot be rendered.
    package func proof(of feed: OwnFeed, in app: App) throws(OwnFeedFault) -> TakeoverProof {
        let shown = try OwnFeeds.render(feed, in: app)
        let now = shown.document
        var room = TakeoverProof.mostDifferences
        let whole = Self.comparison(file, now, &room)
        var flips: [TakeoverProof.Flip] = []
        for platform in shown.template.platformsUsed.sorted() {
            guard var target = app.platforms[platform] else { continue }
            let isKilled = target.gate.killSwitch == nil
            target.gate.killSwitch =
                isKilled ? KillSwitch(message: .text(Self.flipText), retryInterval: target.settings.defaultRetryInterval) : nil
            var flipped = app
            flipped.platforms[platform] = target
            let after = try OwnFeeds.render(feed, in: flipped, with: shown.template).document
            flips.append(TakeoverProof.Flip(platform: platform, isKilled: isKilled, comparison: Self.comparison(now, after, &room)))
        }
        return TakeoverProof(
            name: feed.name,
            platform: feed.platform,
            path: shown.path,
            meanings: meanings.map(\.text),
            template: template,
            document: String(decoding: shown.bytes, as: UTF8.self),
            match: whole.isEmpty ? (shown.bytes.elementsEqual(text.utf8) ? .identical : .equal) : .different,
            comparison: whole,
            flips: flips
        )
    }

    /// Stands in for the text that somebody will write.
    private static let flipText = "We will be back soon."

    /// - Parameter room: how many differences may still be listed; there can be many platforms and places.
    private static func comparison(_ one: JSONValue, _ other: JSONValue, _ room: inout Int) -> TakeoverProof.Comparison {
        let all = DocumentDifference.between(one, other)
        let told = all.prefix(min(room, TakeoverProof.mostDifferencesOfOne))
        room -= told.count
        return TakeoverProof.Comparison(
            differences: told.map {
                .init(path: TakeoverMeaning.path(of: $0.place), before: $0.before.map(shown), after: $0.after.map(shown))
            },
            omitted: all.count - told.count
        )
    }

    private static func shown(_ value: JSONValue) -> String { String(value.text.prefix(TakeoverProof.mostCharacters)) }
}
