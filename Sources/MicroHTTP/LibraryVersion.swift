import CMicroHTTPD

/// The libmicrohttpd that is loaded, which need not be the one compiled against.
struct LibraryVersion {
    /// As the library says it: `0.9.75`.
    let text: String

    static let loaded = LibraryVersion(text: String(cString: MHD_get_version()))

    /// 0.9.70 and on, and all of 1.x. What older and newer ones do with the cases of the edge's table is not known.
    var isSupported: Bool {
        isVersion1 || numbers.count >= 3 && numbers[0] == 0 && numbers[1] == 9 && numbers[2] >= 70
    }

    /// True where requests lie in memory as they came, so that `RequestHead` can tell from the distances between its parts
    /// whether a NUL or a fold was in them. 1.x refuses those by itself.
    var leavesFieldsInPlace: Bool { !isVersion1 }

    private var isVersion1: Bool { numbers.first == 1 }

    private var numbers: [Int] {
        text.split(separator: ".").map { Int($0.prefix { $0.isASCII && $0.isNumber }) ?? -1 }
    }
}
