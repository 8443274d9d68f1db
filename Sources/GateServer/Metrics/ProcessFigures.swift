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
        text.add("process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.", cpuSeconds)
        text.add("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", residentBytes)
        text.add("process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes.", virtualBytes)
        text.add("process_open_fds", "gauge", "Number of open file descriptors.", openDescriptors)
        text.add("process_max_fds", "gauge", "Maximum number of open file descriptors.", mostDescriptors)
        text.add("process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.", startTime)
        text.add("gatehouse_disk_free_bytes", "gauge", "Free bytes on the data folder's file system.", freeDiskBytes)
    }
}
