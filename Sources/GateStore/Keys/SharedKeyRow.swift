/// A row of the table `shared_keys`, as it lies there.
struct SharedKeyRow {
    let name: String
    let revision: Int
    let sealed: [UInt8]
}
