import GateModel
import Testing

@testable import gatectl

@Suite struct EffectsViewTests {
    private let plain = Style(colour: false, unicode: true)

    private func effect(_ client: ClientLibrary, _ versions: [String], _ before: Effect.Shown, _ after: Effect.Shown, _ meant: Effect.Shown)
        -> Effect
    {
        Effect(
            target: TargetKey("shop/ios")!,
            client: client,
            versions: versions,
            before: before,
            after: after,
            meant: meant,
            detail: "Because."
        )
    }

    @Test func whoGetsInAgainstTheGateIsSaidFirst() {
        let lines = EffectsView([
            effect(.bellerophon, ["4.2.0"], .nothing, .blocked, .blocked), effect(.launchgate, ["1.0"], .nothing, .blocked, .nothing),
            effect(.princeOfVersions, ["4.2.0", "4.1.0"], .nothing, .nothing, .blocked),
            effect(.launchgate, ["2.0"], .alert, .nothing, .alert),
        ]).lines(plain)
        #expect(
            lines == [
                "  Gets in although the gate means to keep them out:",
                "    shop/ios  Prince of Versions 4.2.0, 4.1.0: nothing, meant: blocked. Because.",
                "  Is kept out although the gate means to let them in:",
                "    shop/ios  LaunchGate 1.0: nothing → blocked, meant: nothing. Because.",
                "  Sees something other than the gate means:",
                "    shop/ios  LaunchGate 2.0: alert → nothing, meant: alert. Because.",
                "  Sees something new:",
                "    shop/ios  Bellerophon 4.2.0: nothing → blocked. Because.",
            ]
        )
    }

    /// Whoever kills all apps at night should not have to read the same sentence for each.
    @Test func theSameOnSeveralTargetsIsOneRow() {
        let names = ["blog/ios", "news/ios", "news/tv", "shop/ios", "shop/tv", "zoo/ios"]
        let effects = names.map { name in
            Effect(
                target: TargetKey(name)!,
                client: .princeOfVersions,
                versions: [name.hasSuffix("tv") ? "1.0" : "1"],
                before: .nothing,
                after: .nothing,
                meant: .blocked,
                detail: "Because."
            )
        }
        let alone = Effect(
            target: TargetKey("zoo/tv")!,
            client: .princeOfVersions,
            versions: ["2"],
            before: .optional,
            after: .nothing,
            meant: .blocked,
            detail: "Because."
        )
        #expect(
            EffectsView(effects + [alone]).lines(plain) == [
                "  Gets in although the gate means to keep them out:",
                "    blog/ios, news/ios, news/tv, shop/ios and 2 more  Prince of Versions 1, 1.0: nothing, meant: blocked. Because.",
                "    zoo/tv  Prince of Versions 2: is offered the update → nothing, meant: blocked. Because.",
            ]
        )
    }

    @Test func onlyWhatIsWrongIsRed() {
        let red = Style(colour: true, unicode: true)
        #expect(EffectsView([effect(.bellerophon, ["1"], .nothing, .nothing, .blocked)]).lines(red)[0].hasPrefix("\u{1B}[31m"))
        #expect(!EffectsView([effect(.bellerophon, ["1"], .nothing, .blocked, .blocked)]).lines(red)[0].contains("\u{1B}"))
    }

    @Test func manyAreCounted() {
        let lines = EffectsView((0..<40).map { effect(.gandalf, ["\($0)"], .nothing, .blocked, .blocked) }).lines(plain)
        #expect(lines.count == 14)
        #expect(lines.last == "    … and 28 more like these")
        #expect(EffectsView([]).lines(plain).isEmpty)
    }
}
