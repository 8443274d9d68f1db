import GateModel

/// Why a template is not taken, or cannot be rendered.
package struct TemplateRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// Stable, for programs: `invalid_template`, `template_too_large`, `template_fails`, `mixed_types`, `type_changes`, `invalid_map`,
    /// `map_required`.
    package let code: String
    /// RFC 6901 pointer: into the template for what it says, into the document for what comes out; empty for the whole.
    package let place: String
    /// One sentence for people that names the remedy.
    package let detail: String

    /// Whether whoever saves the template can say that it is meant so.
    package var isOverridable: Bool { code == Self.typeChanges }

    /// The code of a member that is null, or missing, in some states and not in others.
    package static let typeChanges = OwnFeed.typeChanges

    init(_ code: String, at place: String, _ detail: String) {
        self.code = code
        self.place = place
        self.detail = detail
    }

    static func invalid(_ detail: String, at place: String) -> TemplateRefusal { TemplateRefusal("invalid_template", at: place, detail) }

    static func tooLarge(_ detail: String, at place: String = "") -> TemplateRefusal {
        TemplateRefusal("template_too_large", at: place, detail)
    }

    package static func tooManyMeanings(_ count: Int) -> TemplateRefusal {
        TemplateRefusal("invalid_map", at: "", "A map has at most \(TakeoverMeaning.most) values, not \(count).")
    }

    /// - Parameter proposed: what its values may mean, as a list of texts.
    package static func unmapped(_ proposed: String) -> TemplateRefusal {
        TemplateRefusal(
            "map_required",
            at: "",
            "The file is of a shape of its own: say what its values mean, such as \"map\": [\(proposed.isEmpty ? "\"$.maintenance=kill\"" : proposed)]; a dry run proposes it and shows what comes of it."
        )
    }

    /// Whether it is what somebody said of the values that is refused, and not the file.
    package var isOfMap: Bool { code == "invalid_map" || code == "map_required" }

    package var description: String { place.isEmpty ? detail : "\(place): \(detail)" }
}
