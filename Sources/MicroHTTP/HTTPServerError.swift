/// Why a listener could not be started, or given another certificate.
package struct HTTPServerError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Not a numeric address, or none of this machine.
        case badAddress
        /// Another program, or another listener of this one, has the address and port.
        case addressInUse
        /// The system refused for another reason, such as a port below 1024 without the privilege.
        case cannotListen
        /// The loaded libmicrohttpd is one this code was not written for.
        case unsupportedLibrary
        /// libmicrohttpd would not start, or the certificate and key were not accepted.
        case cannotStart
        /// A new certificate and key that should replace others are not PEM, or do not belong together.
        case invalidCertificate
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
