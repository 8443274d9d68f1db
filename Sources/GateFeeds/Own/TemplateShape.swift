/// What a place of a document can be, over a set of states.
struct TemplateShape: Sendable {
    struct Member: Sendable {
        let name: String
        var shape: TemplateShape
    }

    /// Each type that it has in some state, with the first such state.
    private(set) var kinds: [TemplateKind: Int] = [:]
    /// The members of its objects, in the order in which they were found.
    private(set) var members: [Member] = []
    private var places: [String: Int] = [:]
    /// The elements of its arrays: one shape per index if all arrays have the same length; otherwise one shape for all indexes together,
    /// because an index then means different elements in different states.
    private(set) var elements: [TemplateShape] = []
    private(set) var elementsMove = false

    init() {}

    init(_ kind: TemplateKind, in state: Int) { kinds = [kind: state] }

    init(members: [Member], in state: Int) {
        kinds = [.object: state]
        for member in members { add(member.name, member.shape) }
    }

    /// - Parameter elements: if one of them may be missing, those after it move.
    init(elements: [TemplateShape], in state: Int) {
        kinds = [.array: state]
        elementsMove = elements.contains { $0.kinds[.absent] != nil }
        self.elements = elementsMove ? [Self.together(elements)] : elements
    }

    private static func together(_ elements: [TemplateShape]) -> TemplateShape {
        var all = TemplateShape()
        for var element in elements {
            element.kinds[.absent] = nil
            all.merge(element)
        }
        return all
    }

    private mutating func add(_ name: String, _ shape: TemplateShape) {
        places[name] = members.count
        members.append(Member(name: name, shape: shape))
    }

    /// Adds what the place is in other states.
    mutating func merge(_ other: TemplateShape) {
        let (objects, otherObjects) = (kinds[.object], other.kinds[.object])
        if let otherObjects {
            for index in members.indices where other.places[members[index].name] == nil {
                members[index].shape.note(.absent, in: otherObjects)
            }
        }
        for member in other.members {
            let (name, shape) = (member.name, member.shape)
            if let index = places[name] {
                members[index].shape.merge(shape)
            } else {
                var shape = shape
                if let objects { shape.note(.absent, in: objects) }
                add(name, shape)
            }
        }
        if other.kinds[.array] != nil {
            if kinds[.array] == nil {
                (elements, elementsMove) = (other.elements, other.elementsMove)
            } else if !elementsMove, !other.elementsMove, elements.count == other.elements.count {
                for (index, shape) in other.elements.enumerated() { elements[index].merge(shape) }
            } else {
                elements = [Self.together(elements + other.elements)]
                elementsMove = true
            }
        }
        kinds.merge(other.kinds) { first, _ in first }
    }

    private mutating func note(_ kind: TemplateKind, in state: Int) {
        if kinds[kind] == nil { kinds[kind] = state }
    }
}
