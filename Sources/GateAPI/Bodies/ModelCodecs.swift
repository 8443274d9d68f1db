import GateJSON
import GateModel

// The model's values in bodies.

extension JSONCodec where Value == String {
    /// An app's or a platform's key that the body does not check: text that cannot be a key is not found (404), like any missing one.
    static var key: JSONCodec { string(AppKey.lengths, pattern: AppKey.pattern) }
}

extension JSONCodec where Value == AppScope {
    /// Keys of apps, or `null` for all.
    static var scope: JSONCodec {
        JSONCodec(.nullable(.array(of: .appKey))) { value, _ throws(ModelError) in
            try AppScope(json: value)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec {
    /// One value for each platform, by its key.
    static func platforms<Element>(of element: JSONCodec<Element>) -> JSONCodec where Value == [PlatformKey: Element] {
        map(of: element, names: AppKey.pattern) { name throws(ModelError) in
            try PlatformKey(validating: name)
        } name: {
            $0.text
        }
    }
}
