package import GateJSON
package import GateModel

extension TakeoverProof: TabledBody {
    package static let table = FieldTable<TakeoverProof>(
        answer: "Takeover",
        "A takeover",
        .needed("name", JSONCodec.ownFeedName.described(as: JSONCodec<String>.key.schema), \.name),
        .optional("platform", .platformKey, \.platform),
        .needed("path", .string, \.path),
        .needed("map", .list(of: .string), \.meanings),
        .needed("template", .string, \.template),
        .needed("document", .string, \.document),
        .needed("match", .word, \.match),
        .needed("differences", .list(of: .body), \.comparison.differences),
        .optional("omitted", .integer(1...), \.comparison.omitted, standard: 0),
        .needed("flips", .list(of: .body), \.flips)
    ) { name, platform, path, meanings, template, document, match, differences, omitted, flips in
        TakeoverProof(
            name: name,
            platform: platform,
            path: path,
            meanings: meanings,
            template: template,
            document: document,
            match: match,
            comparison: Comparison(differences: differences, omitted: omitted),
            flips: flips
        )
    }
}

extension TakeoverProof.Difference: TabledBody {
    package static let table = FieldTable<TakeoverProof.Difference>(
        answer: "TakeoverDifference",
        "A difference",
        .needed("path", .string, \.path),
        .optional("before", .string, \.before),
        .optional("after", .string, \.after),
        make: TakeoverProof.Difference.init
    )
}

extension TakeoverProof.Flip: TabledBody {
    package static let table = FieldTable<TakeoverProof.Flip>(
        answer: "TakeoverFlip",
        "A flip of the kill switch",
        .needed("platform", .platformKey, \.platform),
        .needed("killed", .flag, \.isKilled),
        .needed("differences", .list(of: .body), \.comparison.differences),
        .optional("omitted", .integer(1...), \.comparison.omitted, standard: 0)
    ) { platform, isKilled, differences, omitted in
        TakeoverProof.Flip(
            platform: platform,
            isKilled: isKilled,
            comparison: .init(differences: differences, omitted: omitted)
        )
    }
}
