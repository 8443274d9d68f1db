import GateJSON
package import GateModel

extension Takeover {
    /// Compares what phones will get with the file, and shows what one flip of each kill switch makes of it.
    /// - Parameters:
    ///   - feed: made of ``template``.
    ///   - app: as it is once the file is taken over.
    /// - Throws: ``OwnFeedFault`` where the template does not render.
    package func proof(of feed: OwnFeed, in app: App) throws(OwnFeedFault) -> TakeoverProof {
        let shown = try OwnFeeds.render(feed, in: app)
        let now = shown.document
        let differences = Self.differences(file, now)
        var flips: [TakeoverProof.Flip] = []
        for platform in shown.template.platformsUsed.sorted() {
            guard var target = app.platforms[platform] else { continue }
            let isKilled = target.gate.killSwitch == nil
            target.gate.killSwitch =
                isKilled ? KillSwitch(message: .text(Self.flipText), retryInterval: target.settings.defaultRetryInterval) : nil
            var flipped = app
            flipped.platforms[platform] = target
            let after = try OwnFeeds.render(feed, in: flipped, with: shown.template).document
            flips.append(TakeoverProof.Flip(platform: platform, isKilled: isKilled, differences: Self.differences(now, after)))
        }
        return TakeoverProof(
            name: feed.name,
            platform: feed.platform,
            path: shown.path,
            meanings: meanings.map(\.text),
            template: template,
            document: String(decoding: shown.bytes, as: UTF8.self),
            match: differences.isEmpty ? (shown.bytes.elementsEqual(text.utf8) ? .identical : .equal) : .different,
            differences: differences,
            flips: flips
        )
    }

    /// What stands in for the text that somebody will write.
    private static let flipText = "We will be back soon."

    private static func differences(_ one: JSONValue, _ other: JSONValue) -> [TakeoverProof.Difference] {
        DocumentDifference.places(one, other).prefix(TakeoverProof.mostDifferences).map { place in
            TakeoverProof.Difference(
                path: TakeoverMeaning.path(of: place),
                before: one.value(at: place).map(shown),
                after: other.value(at: place).map(shown)
            )
        }
    }

    private static func shown(_ value: JSONValue) -> String { String(value.text.prefix(TakeoverProof.mostCharacters)) }
}
