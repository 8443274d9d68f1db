import GateModel
import Testing

/// RFC 4647 section 3.4.
@Suite struct LanguageLookupTests {
    private static let message = Message.localized([
        "default": "Closed", "de": "Zu", "de-CH": "Gschlosse", "fr": "Fermé", "zh-Hant": "關閉", "zh-Hant-HK": "閂咗", "en-GB": "Shut",
    ])

    @Test(
        arguments: [
            (["de"], "de"), (["de-CH"], "de-CH"), (["DE-ch"], "de-CH"), (["de-AT"], "de"), (["de-CH-1996"], "de-CH"),
            // The priority list is walked in its order, each wish to its end.
            (["it", "fr-CA", "de"], "fr"), (["de-AT", "fr"], "de"),
            // The example of the section: a single letter goes with what stands before it.
            (["zh-Hant-CN-x-private1-private2"], "zh-Hant"), (["zh-Hant-HK-x-a"], "zh-Hant-HK"),
            // Never something narrower.
            (["zh"], nil), (["en"], nil), (["en-US"], nil), (["zh", "fr"], "fr"),
            // Wildcards, and the spelling of systems.
            (["*"], nil), (["*", "de"], "de"), (["*-CH"], nil), (["de-*-CH"], "de-CH"), (["de_CH"], "de-CH"), (["de_AT"], "de"),
            // What is none.
            ([], nil), ([""], nil), (["-"], nil), (["default"], nil), (["de-"], "de"), (["d"], nil), (["日本"], nil),
            ([String(repeating: "de-", count: 100_000)], "de"),
        ] as [([String], String?)]
    )
    func wishesAreLookedUp(wishes: [String], tag: String?) {
        let found = Self.message.text(for: wishes)
        #expect(found.language == tag, "\(wishes.map { $0.prefix(40) })")
        guard case .localized(let texts) = Self.message else { return }
        #expect(found.text == texts[tag ?? "default"])
    }

    @Test func oneTextIsForEverybody() {
        #expect(Message.text("Closed").text(for: ["de"]) == ("Closed", nil))
        #expect(Message.text("Closed").languages == [])
        #expect(Self.message.languages == ["de", "de-CH", "en-GB", "fr", "zh-Hant", "zh-Hant-HK"])
    }

    /// A gate that is kept from before they were refused can hold two spellings of one tag: the choice is not left to chance.
    @Test func ofTwoSpellingsTheFirstIsTaken() {
        for _ in 0..<20 { #expect(LanguageLookup.best(of: ["de", "DE", "De"].shuffled(), for: ["dE-AT"]) == "DE") }
    }
}
