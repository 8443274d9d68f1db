import GateModel

/// Why a template is refused, or cannot be rendered.
package struct TemplateRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable code for programs: `invalid_template`, `template_too_large`, `template_fails`, `mixed_types`, `type_changes`,
    /// `invalid_map`, `map_required`.
    package let code: String
    /// RFC 6901 pointer: into the template if that is at fault, into the document if its output is; empty for the whole.
    package let place: String
    /// One sentence for people, which names the remedy.
    package let detail: String

    /// Whether the person who saves the template can confirm that this is intended.
    package var isOverridable: Bool { code == Self.typeChanges }

    /// The code for a member that is null, or missing, in some states and not in others.
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

    static func invalidMap(_ detail: String, at place: String = "") -> TemplateRefusal {
        TemplateRefusal("invalid_map", at: place, detail)
    }

    package static func tooManyMeanings(_ count: Int) -> TemplateRefusal {
        .invalidMap("A map has at most \(TakeoverMeaning.most) values, not \(count).")
    }

    /// - Parameter proposed: what the values may mean, as a list of texts.
    package static func unmapped(_ proposed: String) -> TemplateRefusal {
        TemplateRefusal(
            "map_required",
            at: "",
            "The file has a shape of its own: say what its values mean, such as \"map\": [\(proposed.isEmpty ? "\"$.maintenance=kill\"" : proposed)]; a dry run proposes a map and shows the result."
        )
    }

    /// Whether the refusal is about the meanings that were given, not about the file.
    package var isOfMap: Bool { code == "invalid_map" || code == "map_required" }

    package var description: String { place.isEmpty ? detail : "\(place): \(detail)" }
}
