/// Finds the language that a person reads among the available ones: lookup as in RFC 4647 section 3.4.
///
/// The wishes are tried in order. Each is looked up whole and then shortened from its end (`de-CH-1996`, `de-CH`, `de`), a single letter or
/// digit being dropped together with what follows it, before the next wish is tried. A wish is never answered with something narrower:
/// somebody who reads `de` is not given `de-AT`.
public enum LanguageLookup {
    /// The first of `tags` that a wish matches; nil if none does.
    /// - Parameters:
    ///   - tags: the available ones. Case is ignored; of tags that differ only in case, the first by its bytes is taken.
    ///   - wishes: language ranges, the most wanted first. `*` stands for the default; other wildcards in a range are ignored, and the
    ///     underscore in a system's own names (`de_AT`) counts as a hyphen.
    public static func best(of tags: some Sequence<String>, for wishes: [String]) -> String? {
        var known: [String: String] = [:]
        for tag in tags.sorted(by: >) { known[tag.lowercased()] = tag }
        for wish in wishes {
            // No tag can match what lies beyond that many characters.
            let range = wish.prefix(2 * LanguageTag.lengths.upperBound).lowercased()
            var subtags = range.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.filter { $0 != "*" }
            while !subtags.isEmpty {
                if let tag = known[subtags.joined(separator: "-")] { return tag }
                subtags.removeLast()
                if let last = subtags.last, last.utf8.count == 1 { subtags.removeLast() }
            }
        }
        return nil
    }
}

extension Message {
    /// The text for somebody who reads these languages, and its tag; nil for the default text.
    /// - Parameter languages: as in ``LanguageLookup/best(of:for:)``.
    public func text(for languages: [String]) -> (text: String, language: String?) {
        // `default` is not a language: nobody can ask for it.
        guard case .localized(let texts) = self,
            let tag = LanguageLookup.best(of: texts.keys.lazy.filter { $0 != "default" }, for: languages), let text = texts[tag]
        else { return (defaultText, nil) }
        return (text, tag)
    }

    /// The languages that have a text, sorted; the default text does not count as one.
    public var languages: [String] {
        guard case .localized(let texts) = self else { return [] }
        return texts.keys.filter { $0 != "default" }.sorted()
    }
}
