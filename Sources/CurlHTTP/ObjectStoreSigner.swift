/// Who asks an S3-compatible store: requests are signed with it by libcurl itself (AWS Signature Version 4, CURLOPT_AWS_SIGV4(3)).
///
/// The secret is handed to libcurl and goes nowhere else: it is in no description, and what is sent is a signature.
package struct ObjectStoreSigner: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let accessKey: String
    let secretKey: String
    let region: String

    /// - Parameter region: such as `eu-central-1`; stores that have none take `us-east-1`.
    package init(accessKey: String, secretKey: String, region: String) {
        (self.accessKey, self.secretKey, self.region) = (accessKey, secretKey, region)
    }

    package var description: String { "signer of \(region)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
