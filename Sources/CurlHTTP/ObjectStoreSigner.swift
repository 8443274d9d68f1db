/// The credentials for an S3-compatible store, with which libcurl itself signs the requests (AWS Signature Version 4,
/// CURLOPT_AWS_SIGV4(3)).
///
/// The secret is handed to libcurl and goes nowhere else: no description contains it, and only a signature is sent.
package struct ObjectStoreSigner: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let accessKey: String
    let secretKey: String
    let region: String

    /// - Parameter region: such as `eu-central-1`; stores without regions take `us-east-1`.
    package init(accessKey: String, secretKey: String, region: String) {
        (self.accessKey, self.secretKey, self.region) = (accessKey, secretKey, region)
    }

    package var description: String { "signer of \(region)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
