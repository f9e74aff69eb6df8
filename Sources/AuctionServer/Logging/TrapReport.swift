internal import CTrapReport

/// Report on standard error when the program traps, in addition to Swift's backtrace: the route and body size of the request that
/// each event loop is handling, never its content.
package enum TrapReport {
    /// Installs the report; must be called once, before other threads are started.
    package static func install() {
        // Route indexes start at 1, as in `Exchange.notes`.
        for (index, route) in Routes.all.enumerated() {
            let name = "\(route.method) \(route.pattern)"
            // SAFETY: the text is copied during the call.
            unsafe name.withCString { unsafe trap_report_name_route(Int32(truncatingIfNeeded: index + 1), $0) }
        }
        trap_report_install()
    }
}
