package import GateJSON
package import GateModel

/// Says what many phones of one target show: versions by client libraries, once by the feed that is the same for everybody and once by the
/// feed made for the version.
///
/// Each document is rendered and read once, so the work grows with the number of versions times that of libraries, both of which are
/// limited.
package struct MatrixSimulator {
    package struct Question: Sendable {
        /// Nil for every library that the platform's apps use or, if that is not known, for all that read its feeds.
        package let client: ClientLibrary?
        /// Nil for the usual one; only Gandalf may have a release.
        package let release: GandalfRelease?
        /// At most ``SimulationMatrix/mostVersions``; if empty, ``ProposedVersions`` chooses.
        package let versions: [String]
        package let seen: Bool
        /// The person's language; nil for none in particular.
        package let locale: String?

        package init(client: ClientLibrary?, release: GandalfRelease? = nil, versions: [String], seen: Bool, locale: String?) {
            self.client = client
            self.release = release
            self.versions = versions
            self.seen = seen
            self.locale = locale
        }
    }

    package let clients: [ClientLibrary]
    /// Without duplicates, in the order in which they were given.
    package let versions: [String]
    package let cells: [SimulationMatrix.Cell]

    /// - Parameters:
    ///   - target: as it stands at the simulated moment, including a draft.
    ///   - polledFor: the libraries that seem to be in use, if the platform's settings do not name them.
    ///   - polledVersions: the versions that polls named, the most polled first.
    /// - Throws: `invalid_client`, `invalid_release` and `invalid_version` (422); `unpublishable_feed` if a feed must not reach phones at
    ///   all.
    package init(
        _ target: Target,
        _ question: Question,
        polledFor: [ClientLibrary]? = nil,
        polledVersions: [String] = []
    ) throws(ModelError) {
        clients = try Self.clients(of: target, question, polledFor: polledFor)
        let scheme = target.settings.versionScheme
        if question.versions.isEmpty {
            versions = ProposedVersions.of(target.gate, target.settings, on: target.key.platform, polled: polledVersions)
        } else {
            var named: Set<String> = []
            versions = question.versions.filter { named.insert($0).inserted }
            let countsCodes = scheme == .code && clients.contains { SimulatedPhone.countsCodes($0, on: target.key.platform) }
            for (index, version) in question.versions.enumerated() {
                let field = "/versions/\(index)"
                if countsCodes { try scheme.validate(version, field: field) } else { try SimulatedPhone.checkName(version, field: field) }
            }
        }
        var columns: [ClientLibrary: MatrixColumn] = [:]
        do throws(FeedError) {
            let documents = try FeedRenderer.documents(of: target.gate, target.settings, target.key.platform)
            for library in clients { columns[library] = MatrixColumn(library, of: target, documents, question) }
        } catch { throw .unpublishable(error) }
        var cells: [SimulationMatrix.Cell] = []
        cells.reserveCapacity(versions.count * clients.count)
        for version in versions {
            for library in clients {
                if let cell = try columns[library]?.cell(version) { cells.append(cell) }
            }
        }
        self.cells = cells
    }

    /// - Throws: `invalid_client`, `invalid_release`.
    private static func clients(of target: Target, _ question: Question, polledFor: [ClientLibrary]?) throws(ModelError) -> [ClientLibrary]
    {
        let settings = target.settings
        let reading = Simulator.likeliest(
            ClientLibrary.reading(target.key.platform, scheme: settings.versionScheme),
            of: target,
            used: settings.clients ?? polledFor
        )
        // Libraries that read the gate itself can read that of any platform.
        let readers = reading + [.gatekit, .openFeature]
        let release = question.release
        if let client = question.client {
            guard readers.contains(client) else { throw .otherClient(client, than: readers, of: target.key) }
            guard release == nil || client == .gandalf else { throw .otherRelease }
            return [client]
        }
        guard release == nil else { throw .otherRelease }
        let used = settings.clients.map { clients in readers.filter(clients.contains) } ?? reading
        return used.isEmpty ? reading : used
    }
}
