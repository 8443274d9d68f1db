public import GateJSON

/// A matrix as the JSON document of the admin API, and back.
extension SimulationMatrix {
    public var json: JSONValue {
        [
            "app": .string(target.app.text),
            "platform": .string(target.platform.text),
            "moment": .string(moment.rawValue),
            "at": .string(at.description),
            "revision": .integer(revision),
            "change": change?.json ?? .null,
            "until": until.map { .string($0.description) } ?? .null,
            "gate": gate.json,
            "draft": .bool(isDraft),
            "seen": .bool(seen),
            "release": release.map { .string($0.rawValue) } ?? .null,
            "clients": .array(clients.map { .string($0.rawValue) }),
            "versions": .array(versions.map(JSONValue.string)),
            "proposed": .bool(isProposed),
            "notes": .array(notes.map(JSONValue.string)),
            "cells": .array(cells.map(\.json)),
        ]
    }

    /// Reads what ``json`` wrote, leaving out members, and columns of libraries, that a newer writer added.
    /// - Throws: malformed (400) with the pointer of what is missing or of another type.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A matrix")
        guard let at = Timestamp(try reader.string("at")) else { throw .malformed("at is an RFC 3339 time.", field: "/at") }
        let change = try reader.optionalDocument("change", Change.init(json:))
        let gate = try reader.document("gate", Gate.init(lenient:))
        let cells = try reader.optionalList("cells") { json throws(ModelError) in try Cell.known(json: json) }
        self.init(
            target: try TargetKey(reading: &reader),
            moment: try reader.word("moment"),
            at: at,
            revision: try reader.integer("revision"),
            change: change,
            until: try reader.optionalString("until").flatMap { Timestamp($0) },
            gate: gate,
            isDraft: try reader.flag("draft"),
            seen: try reader.flag("seen"),
            release: try reader.optionalString("release").flatMap(GandalfRelease.init(rawValue:)),
            clients: try reader.strings("clients").compactMap(ClientLibrary.init(rawValue:)),
            versions: try reader.strings("versions"),
            isProposed: try reader.flag("proposed"),
            notes: try reader.strings("notes"),
            cells: (cells ?? []).compactMap(\.self)
        )
    }
}

extension SimulationMatrix.Cell {
    fileprivate var json: JSONValue {
        [
            "version": .string(version),
            "client": .string(client.rawValue),
            "meant": .string(meant.rawValue),
            "static": untargeted.json,
            "targeted": targeted.json,
            "hidden": .array(hidden.map { ["rule": .string($0.rule.rawValue), "detail": .string($0.detail)] }),
            "why": why.map(JSONValue.string) ?? .null,
            "cure": cure.map(JSONValue.string) ?? .null,
        ]
    }

    /// Nil for a library that only a newer writer knows.
    fileprivate static func known(json: JSONValue) throws(ModelError) -> SimulationMatrix.Cell? {
        var reader = try ObjectReader(json, "A cell")
        guard let client = ClientLibrary(rawValue: try reader.string("client")) else { return nil }
        let hidden = try reader.optionalList("hidden") { json throws(ModelError) -> Simulation.Hidden? in
            var reader = try ObjectReader(json, "A hidden rule")
            let detail = try reader.string("detail")
            return Rule(rawValue: try reader.string("rule")).map { Simulation.Hidden(rule: $0, detail: detail) }
        }
        return SimulationMatrix.Cell(
            version: try reader.string("version"),
            client: client,
            meant: try reader.word("meant"),
            untargeted: try reader.document("static", SimulationMatrix.View.init(json:)),
            targeted: try reader.document("targeted", SimulationMatrix.View.init(json:)),
            hidden: (hidden ?? []).compactMap(\.self),
            why: try reader.optionalString("why"),
            cure: try reader.optionalString("cure")
        )
    }
}

extension SimulationMatrix.View {
    fileprivate var json: JSONValue {
        [
            "outcome": .string(outcome.rawValue),
            "letsIn": .bool(letsIn),
            "rule": rule.map { .string($0.rawValue) } ?? .null,
            "presentation": .string(presentation.rawValue),
            "title": title.map(JSONValue.string) ?? .null,
            "message": message.map(JSONValue.string) ?? .null,
            "buttons": .array(buttons.map(JSONValue.string)),
            "retryInterval": retryInterval.map(JSONValue.integer) ?? .null,
            "detail": .string(detail),
            "deviation": deviation.map { .string($0.rawValue) } ?? .null,
        ]
    }

    fileprivate init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "What a phone shows")
        self.init(
            outcome: try reader.word("outcome"),
            letsIn: try reader.flag("letsIn"),
            rule: try reader.optionalString("rule").flatMap(Rule.init(rawValue:)),
            presentation: try reader.word("presentation"),
            title: try reader.optionalString("title"),
            message: try reader.optionalString("message"),
            buttons: try reader.strings("buttons"),
            retryInterval: try reader.optionalInteger("retryInterval"),
            detail: try reader.string("detail"),
            deviation: try reader.optionalString("deviation").flatMap(SimulationMatrix.Deviation.init(rawValue:))
        )
    }
}
