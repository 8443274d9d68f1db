import GateJSON
package import GateModel

/// Reads the file that an app's phones poll today.
package enum ImportReader {
    /// What taking over `document` would change in `app`.
    ///
    /// Parts are read as their own client library reads them, so taking over a file changes nothing for phones. What cannot be published
    /// safely is refused by path, and its rule stays as it is on the target.
    /// - Parameters:
    ///   - platform: the platform of a Bellerophon file, which does not name one (`ios` if nil); for other files, the only platform to
    ///     take.
    /// - Throws: ``ImportError`` if the document is not strict JSON (`invalid_json`) or not a file of the format (`unrecognised_document`).
    package static func read(_ document: String, format: ImportFormat, app: App, platform: PlatformKey?) throws(ImportError)
        -> ImportProposal
    {
        let root = try object(document, format)
        var parts = ImportParts(root, app: app, appleReads: PrinceOfVersionsAppleClient.reads)
        guard !parts.formats.isEmpty else { throw unrecognised(format) }
        parts.keep(format, platform: platform)
        let formats = parts.formats
        guard !formats.isEmpty else { throw unrecognised(format, platform: platform) }

        var draft = ImportDraft(app: app)
        if let status = parts.status { BellerophonImport.read(status, on: platform ?? .ios, into: &draft) }
        for (name, value) in parts.objects { PlatformObjectImport.read(name, value, into: &draft) }
        dropEchoes(&draft)
        for (name, platform, value) in parts.lists { PrinceOfVersionsImport.read(name, platform, value, into: &draft) }
        if !parts.others.isEmpty {
            draft.warn(
                "ignored_member",
                "Not taken over, and not in the feeds of \(app.key): \(parts.others.quoted.inWords). Make sure that no app reads it."
            )
        }
        var proposal = draft.proposal(format: formats.count == 1 ? formats[0] : .auto)
        proposal.readers = parts.readers(app, platform: platform)
        if !proposal.refused.isEmpty {
            let places = DocumentPlaces(document).places(of: proposal.refused.map(\.path))
            for (index, place) in places.enumerated() {
                (proposal.refused[index].line, proposal.refused[index].column) = (place?.line, place?.column)
            }
        }
        return proposal
    }

    private static func object(_ document: String, _ format: ImportFormat) throws(ImportError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONReader.read(document)
        } catch {
            let (line, column) = DocumentPlaces.place(of: error.offset, in: document)
            let detail = "The document is not strict JSON: \(error.reason), in line \(line), column \(column) (byte \(error.offset))."
            throw ImportError(code: "invalid_json", detail: detail, offset: error.offset)
        }
        guard let root = value.object else { throw unrecognised(format) }
        return root
    }

    private static func unrecognised(_ format: ImportFormat, platform: PlatformKey? = nil) -> ImportError {
        let wanted =
            switch format {
            case .auto:
                "LaunchGate or Gandalf (\"ios\", \"android\"), Bellerophon (\"apiInactive\") or Prince of Versions (\"ios2\", \"android2\", \"macos2\")"
            case .launchgate: "LaunchGate or Gandalf (an object under \"ios\" or \"android\")"
            case .bellerophon: "Bellerophon (\"apiInactive\", \"forceUpdate\", \"retryInterval\", \"userMessage\")"
            case .own: "a shape of the app's own"
            case .princeOfVersions: "Prince of Versions (\"ios2\", \"android2\", \"macos2\")"
            }
        let scope = platform.map { " for the platform \($0)" } ?? ""
        return ImportError(
            code: "unrecognised_document",
            detail: "The document has nothing of \(wanted)\(scope); give the file that the app polls."
        )
    }

    /// In a combined document one rule appears twice: a kill switch as Bellerophon's and as a blocking alert with the same text, a forced
    /// update as Bellerophon's and as a required update at the newest release. The second appearance is not a rule of its own.
    private static func dropEchoes(_ draft: inout ImportDraft) {
        for (platform, target) in draft.app.platforms {
            if let kill = draft.json(of: .killSwitch, on: platform), let alert = draft.json(of: .alert, on: platform),
                alert["blocking"] == .bool(true), alert["message"] == kill["message"]
            {
                draft.forget(.alert, on: platform)
            }
            if let force = draft.json(of: .forceUpdate, on: platform), let required = draft.json(of: .requiredUpdate, on: platform),
                required["minimumVersion"]?.string == target.settings.newestRelease, required["message"] == force["message"]
            {
                draft.forget(.requiredUpdate, on: platform)
            }
        }
    }
}
