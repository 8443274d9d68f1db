package import GateJSON
package import GateModel

/// An app as the admin API shows it: without its gates, which are its targets'.
package struct AppBody: APIBody {
    package var key: AppKey
    package var name: String
    package var aliases: [Alias]
    package var platforms: [PlatformKey: PlatformSettings]

    package init(_ app: App) {
        key = app.key
        name = app.name
        aliases = app.aliases
        platforms = app.platforms.mapValues(\.settings)
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An app")
        key = try AppKey(validating: reader.string("key"))
        name = try reader.string("name")
        aliases = try reader.list("aliases") { json throws(ModelError) in
            var known = JSONObject()
            for name in ["path", "feed", "platform"] { known[name] = json.object?[name] }
            return try Alias(json: .object(known))
        }
        platforms = try reader.document("platforms") { json throws(ModelError) in
            guard let object = json.object else { throw .malformed("platforms is an object, not \(json.kindInWords).") }
            var platforms: [PlatformKey: PlatformSettings] = [:]
            for (name, value) in object.members {
                do throws(ModelError) {
                    platforms[try PlatformKey(validating: name)] = try PlatformSettings(lenient: value)
                } catch { throw error.within(JSONPointer.member(name)) }
            }
            return platforms
        }
    }

    package var json: JSONValue {
        var settings = JSONObject()
        for key in platforms.keys.sorted() { settings[key.text] = platforms[key]?.json }
        return [
            "key": .string(key.text), "name": .string(name), "aliases": .array(aliases.map(\.json)), "platforms": .object(settings),
        ]
    }
}
