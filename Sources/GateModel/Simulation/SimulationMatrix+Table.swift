package import GateJSON

/// A matrix as a document of the admin API. Columns of libraries that only newer versions know are left out.
extension SimulationMatrix: TabledDocument {
    package static let table = FieldTable<SimulationMatrix>(
        answer: "SimulationMatrix",
        "A matrix",
        .target(\.target),
        .needed("moment", .word, \.moment),
        .needed("at", .toldTime, \.at),
        .needed("revision", .integer(1...), \.revision),
        .nullable("change", .document, \.change),
        .nullable("until", .time, \.until),
        .needed("gate", .gate, \.gate),
        .needed("draft", .flag, \.isDraft),
        .needed("seen", .flag, \.seen),
        .nullableWord("release", \.release),
        .needed("clients", .knownWords(ClientLibrary.allCases, 1...ClientLibrary.allCases.count), \.clients, missing: []),
        .needed("versions", .versionsAsSent, \.versions, missing: []),
        .needed("proposed", .flag, \.isProposed),
        .needed("notes", .list(of: .string), \.notes, missing: []),
        .needed("cells", .list(ofKnown: .cell), \.cells, missing: []),
        make: SimulationMatrix.init
    )
}

extension JSONCodec where Value == [String] {
    /// Versions as apps send theirs.
    fileprivate static var versionsAsSent: JSONCodec {
        JSONCodec.list(of: .string).described(as: .array(of: .text, 1...SimulationMatrix.mostVersions))
    }
}

extension JSONCodec where Value == SimulationMatrix.Cell? {
    /// Nil for a library that only newer versions know.
    fileprivate static var cell: JSONCodec { document { $0.isStrange("client", ClientLibrary.self) } }
}

extension SimulationMatrix.Cell: TabledDocument {
    package static let table = FieldTable<SimulationMatrix.Cell>(
        answer: "SimulatedCell",
        "A cell",
        .needed("version", .string, \.version),
        .needed("client", .word, \.client),
        .needed("meant", .meantWord, \.meant),
        .needed("static", .document, \.untargeted),
        .needed("targeted", .document, \.targeted),
        .needed("hidden", .list(ofKnown: .hiddenRule), \.hidden, missing: []),
        .nullable("why", .string, \.why),
        .nullable("cure", .string, \.cure),
        make: SimulationMatrix.Cell.init
    )
}

extension SimulationMatrix.View: TabledDocument {
    package static let table = FieldTable<SimulationMatrix.View>(
        answer: "SimulatedView",
        "What a phone shows",
        .inlined(PhoneView.table, \.shown),
        .nullableWord("deviation", \.deviation),
        make: SimulationMatrix.View.init
    )
}
