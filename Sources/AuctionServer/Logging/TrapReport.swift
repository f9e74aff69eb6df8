internal import CTrapReport

/// What is written to standard error, beside Swift's backtrace, when the program traps: the route and the size of the request that
/// each event loop is handling, never its content.
public enum TrapReport {
    /// Called once, before there are other threads.
    public static func install() {
        // From 1, as exchanges know them.
        for (index, route) in Routes.all.enumerated() {
            let name = "\(route.method) \(route.pattern)"
            // Safe: the text is copied during the call.
            unsafe name.withCString { unsafe trap_report_name_route(Int32(truncatingIfNeeded: index + 1), $0) }
        }
        trap_report_install()
    }
}
