import CurlHTTP

/// Where feeds are published: `s3://bucket/prefix`, at an endpoint. An object's URL has the bucket in its path, a form that every store
/// understands.
///
/// There is always a prefix: the notes that publishers leave for one another lie beside it (``BucketNote``), where no feed can have its
/// address and a CDN that serves the prefix does not look.
package struct BucketAddress: Sendable, Hashable, CustomStringConvertible {
    package let bucket: String
    /// Without slashes at its ends; never empty.
    package let prefix: String
    /// Without a slash at its end.
    package let endpoint: String
    package let region: String

    /// - Parameters:
    ///   - text: `s3://bucket/prefix`.
    ///   - endpoint: the store's URL; nil for Amazon's of that region.
    ///   - region: such as `eu-central-1`.
    /// - Throws: ``ObjectStoreError/Code/address`` for anything else, and for plain http to another machine: whoever overhears a signed
    ///   request can repeat it for a quarter of an hour, and so put an older feed over a newer one.
    package init(_ text: String, endpoint: String?, region: String) throws(ObjectStoreError) {
        guard text.hasPrefix("s3://") else { throw Self.fault("\"\(text)\" is not a bucket; write s3://bucket/prefix") }
        let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var prefix = parts.count == 2 ? parts[1] : ""
        if prefix.hasSuffix("/") { prefix.removeLast() }
        guard Self.isBucket(parts[0]) else {
            throw Self.fault("\"\(parts[0])\" is not a bucket name: 3 to 63 of a-z, 0-9, . and -, with a letter or digit at both ends")
        }
        guard !prefix.isEmpty else {
            throw Self.fault(
                "\"\(text)\" names no prefix; write one such as \(text)\(text.hasSuffix("/") ? "" : "/")production: what lies beside it is not a feed"
            )
        }
        guard Self.isPrefix(prefix) else {
            throw Self.fault(
                "\"\(prefix)\" is not a prefix: at most 512 of A-Z, a-z, 0-9, -, _, ., ~ and /, and no part is empty, . or .., or ends with \(BucketNote.suffix)"
            )
        }
        guard (1...64).contains(region.utf8.count), region.utf8.allSatisfy({ Self.isLowercaseOrDigit($0) || $0 == UInt8(ascii: "-") })
        else {
            throw Self.fault("\"\(region)\" is not a region; write one such as eu-central-1 into AWS_REGION")
        }
        var server = endpoint ?? "https://s3.\(region).amazonaws.com"
        while server.hasSuffix("/") { server.removeLast() }
        // Not repeated: there may be a password in it.
        guard !server.contains("@") else {
            throw Self.fault(
                "The endpoint has a user's name in it; write a URL such as https://s3.example.com, and the key into AWS_ACCESS_KEY_ID"
            )
        }
        guard let url = ServerURL(server), url.isBare, url.scheme == "https" || url.scheme == "http" else {
            throw Self.fault("\"\(server)\" is not an endpoint; write a URL such as https://s3.example.com")
        }
        guard url.scheme == "https" || Loopback.contains(url.host) else {
            throw Self.fault(
                "The endpoint \(server) is plain http on another machine; use https, so that nobody can send an older feed again"
            )
        }
        (bucket, self.prefix, self.endpoint, self.region) = (parts[0], prefix, server, region)
    }

    /// The URL of an object.
    /// - Parameter path: appended to the prefix; a document's path begins with a slash.
    package func url(of path: String) -> String { "\(endpoint)/\(bucket)/\(prefix)\(Self.encoded(path))" }

    package var description: String { "s3://\(bucket)/\(prefix)" }

    private static func fault(_ sentence: String) -> ObjectStoreError { ObjectStoreError(.address, sentence + ".") }

    /// Amazon S3 user guide, "Bucket naming rules".
    private static func isBucket(_ name: String) -> Bool {
        guard (3...63).contains(name.utf8.count), let first = name.utf8.first, let last = name.utf8.last else { return false }
        return isLowercaseOrDigit(first) && isLowercaseOrDigit(last)
            && name.utf8.allSatisfy { isLowercaseOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    private static func isPrefix(_ prefix: String) -> Bool {
        prefix.utf8.count <= 512 && prefix.utf8.allSatisfy { isUnreserved($0) || $0 == UInt8(ascii: "/") }
            && prefix.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !["", ".", ".."].contains($0) && !$0.hasSuffix(BucketNote.suffix)
            }
    }

    private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 || byte &- 0x30 < 10 }

    /// RFC 3986 section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
    }

    /// A path as Signature Version 4 requires it: everything except unreserved characters and slashes is percent-encoded, in upper case.
    private static func encoded(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if isUnreserved(byte) || byte == UInt8(ascii: "/") {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
