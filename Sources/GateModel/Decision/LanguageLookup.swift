/// Finds the language that a person reads among those that there are: lookup as RFC 4647 section 3.4 has it.
///
/// The wishes are taken in their order. Each is looked for whole and then shorter and shorter from its end (`de-CH-1996`, `de-CH`, `de`),
/// a single letter or digit going with what stands before it, before the next is looked at. A wish is never answered with something narrower:
/// who reads `de` is not given `de-AT`.
public enum LanguageLookup {
    /// The first of `tags` that a wish finds; nil when none does.
    /// - Parameters:
    ///   - tags: those that there are. Case makes no difference; of two that differ in nothing else the first by their bytes is taken.
    ///   - wishes: language ranges, the most wanted first. `*` stands for whatever is the default; other wildcards in a range are left out, and
    ///     the underscore of a system's own names (`de_AT`) is a hyphen.
    public static func best(of tags: some Sequence<String>, for wishes: [String]) -> String? {
        var known: [String: String] = [:]
        for tag in tags.sorted(by: >) { known[tag.lowercased()] = tag }
        for wish in wishes {
            // What comes behind so many characters no tag can match.
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
    /// The text for whoever reads these languages, and the tag it stands under; nil for the default text.
    /// - Parameter languages: as in ``LanguageLookup/best(of:for:)``.
    public func text(for languages: [String]) -> (text: String, language: String?) {
        // `default` is no language: nobody can ask for it.
        guard case .localized(let texts) = self,
            let tag = LanguageLookup.best(of: texts.keys.lazy.filter { $0 != "default" }, for: languages), let text = texts[tag]
        else { return (defaultText, nil) }
        return (text, tag)
    }

    /// The languages that there is a text in, sorted; the default text counts for none.
    public var languages: [String] {
        guard case .localized(let texts) = self else { return [] }
        return texts.keys.filter { $0 != "default" }.sorted()
    }
}
