/// A row of the table `shared_keys`, as stored.
struct SharedKeyRow {
    let name: String
    let revision: Int
    let sealed: [UInt8]
}
