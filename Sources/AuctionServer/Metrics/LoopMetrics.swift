internal import MicroHTTP

/// Metrics of one event loop; written by its own thread only.
struct LoopMetrics: Sendable {
    enum Gauge: Int, CaseIterable {
        case inFlight, eventSource, webSocket, waitingPolls
    }

    /// Status classes; `none` counts requests that ended without a response.
    static let classes = ["1xx", "2xx", "3xx", "4xx", "5xx", "none"]

    fileprivate let requests: CounterBlock
    fileprivate let latencies: CounterBlock
    fileprivate let gauges = CounterBlock(count: Gauge.allCases.count)
    fileprivate let lag = CounterBlock(count: Buckets.lag.width)

    /// - Parameter routes: number of routes plus one, as index 0 counts requests without a route.
    init(routes: Int) {
        requests = CounterBlock(count: routes * Self.classes.count)
        latencies = CounterBlock(count: routes * Buckets.latency.width)
    }

    /// Counts a request that was received completely.
    func began(_ exchange: Exchange, at now: Int64) {
        exchange.notes.beganAt = max(1, now)
        gauges.add(to: Gauge.inFlight.rawValue)
    }

    /// Counts a request whose response was queued; nil: it ended without a response.
    func finished(_ exchange: Exchange, status: Int?, at now: Int64) {
        gauges.add(-1, to: Gauge.inFlight.rawValue)
        let notes = exchange.notes
        count(notes.routeIndex, status)
        guard status != nil else { return }
        Buckets.latency.record(max(0, now - notes.beganAt), in: latencies, at: notes.routeIndex * Buckets.latency.width)
    }

    /// Counts a request that was refused before it was received completely.
    func refused(status: Int) { count(0, status) }

    func change(_ gauge: Gauge, by amount: Int64) { gauges.add(amount, to: gauge.rawValue) }

    /// Records the delay of a timer.
    func late(nanoseconds: Int64) { Buckets.lag.record(max(0, nanoseconds), in: lag) }

    private func count(_ route: Int, _ status: Int?) {
        let statusClass = status.map { min(max($0 / 100, 1), 5) - 1 } ?? Self.classes.count - 1
        requests.add(to: route * Self.classes.count + statusClass)
    }
}

extension [LoopMetrics] {
    func write(to text: inout MetricsText) {
        // Index 0 counts requests without a route. The path is not a label, since clients choose it freely.
        let names = [(method: "any", pattern: "none")] + Routes.all.map { ($0.method.rawValue, $0.pattern) }
        writeRequests(names, to: &text)
        writeGauges(to: &text)
        text.family("auction_loop_lag_seconds", .histogram, "How late each event loop's timer of one second was.")
        text.histogram("auction_loop_lag_seconds", [:], .lag, map(\.lag))
    }

    private func writeRequests(_ names: [(method: String, pattern: String)], to text: inout MetricsText) {
        let counts = map(\.requests)
        text.family(
            "auction_http_requests_total", .counter,
            "Requests by route, with WebSocket frames as the routes that they stand for; HEAD counts as GET.")
        for (route, name) in names.enumerated() {
            for (index, statusClass) in LoopMetrics.classes.enumerated() {
                let count = counts.sum(route * LoopMetrics.classes.count + index)
                guard count > 0 else { continue }
                text.sample(
                    "auction_http_requests_total",
                    ["route": name.pattern, "method": name.method, "status": statusClass], count)
            }
        }
        let latencies = map(\.latencies)
        text.family(
            "auction_http_request_seconds", .histogram,
            "From the whole request to its queued answer; the wait of a held long-poll is part of it.")
        for (route, name) in names.enumerated() {
            let start = route * Buckets.latency.width
            guard Buckets.latency.total(in: latencies, at: start) > 0 else { continue }
            text.histogram(
                "auction_http_request_seconds", ["route": name.pattern, "method": name.method], .latency, latencies, at: start)
        }
    }

    private func writeGauges(to text: inout MetricsText) {
        let gauges = map(\.gauges)
        func value(_ gauge: LoopMetrics.Gauge) -> Int64 { gauges.sum(gauge.rawValue) }
        text.single("auction_http_requests_in_flight", .gauge, "Requests without an answer yet.", value(.inFlight))
        text.family("auction_streams", .gauge, "Open streams.")
        text.sample("auction_streams", ["transport": "sse"], value(.eventSource))
        text.sample("auction_streams", ["transport": "websocket"], value(.webSocket))
        text.single("auction_long_polls_held", .gauge, "Long-polls that wait for an event.", value(.waitingPolls))
    }
}

extension StreamTransport {
    /// The gauge that counts open streams of this transport.
    var gauge: LoopMetrics.Gauge {
        switch self {
        case .serverSentEvents: .eventSource
        case .webSocket: .webSocket
        }
    }
}
