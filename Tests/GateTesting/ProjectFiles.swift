import Foundation

/// Where the project's own files are.
package enum ProjectFiles {
    package static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path

    package static let migrations = root + "/Migrations"
}
