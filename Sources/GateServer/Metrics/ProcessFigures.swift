/// The machine's resources that the process uses, as far as the system tells.
package struct ProcessFigures: Sendable {
    /// Of all threads, in user and kernel mode.
    package var cpuSeconds: Double?
    package var residentBytes: Int?
    package var virtualBytes: Int?
    package var openDescriptors: Int?
    package var mostDescriptors: Int?
    /// Seconds since 1970.
    package var startTime: Double?
    /// How many bytes an unprivileged program may still write beside the database.
    package var freeDiskBytes: Int?

    package init() {}

    /// Names, types and help texts as in Prometheus' own client libraries.
    func write(to text: inout MetricsText) {
        func add(_ name: String, _ type: String, _ help: String, _ value: (some CustomStringConvertible)?) {
            guard let value else { return }
            text.begin(name, type, help)
            text.sample(name, [], value)
        }
        add("process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.", cpuSeconds)
        add("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", residentBytes)
        add("process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes.", virtualBytes)
        add("process_open_fds", "gauge", "Number of open file descriptors.", openDescriptors)
        add("process_max_fds", "gauge", "Maximum number of open file descriptors.", mostDescriptors)
        add("process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.", startTime)
        add("gatehouse_disk_free_bytes", "gauge", "Free bytes on the data folder's file system.", freeDiskBytes)
    }
}
