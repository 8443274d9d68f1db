import GateFeeds
import GateJSON
import GateModel

/// A document that the API accepts as a gate is stored and read unchanged, and makes feeds: each strict JSON, the same bytes each time.
enum GateCheck {
    static func look(_ input: [UInt8]) {
        guard let json = try? JSONReader.read(input) else { return }
        for platform in ["ios", "android"].compactMap(PlatformKey.init(_:)) {
            let settings = PlatformSettings.standard(for: platform)
            guard let gate = try? Gate(json: json, settings: settings) else { continue }
            do {
                hold(try Gate(stored: gate.json) == gate, "another gate is kept")
                hold(try Gate(json: gate.json, settings: settings) == gate, "a gate that was taken is another one when it comes again")
            } catch { fatalError("a gate that was taken is not read back: \(error)") }
            var app = Sample.app()
            app.platforms[platform]?.gate = gate
            guard let feeds = try? FeedRenderer.render(app), let again = try? FeedRenderer.render(app) else { continue }
            hold(feeds.map(\.bytes) == again.map(\.bytes), "the same state has other bytes")
            for feed in feeds {
                do { _ = try JSONReader.read(feed.bytes, limits: .own) } catch { fatalError("\(feed.path) is no strict JSON: \(error)") }
            }
        }
    }
}
