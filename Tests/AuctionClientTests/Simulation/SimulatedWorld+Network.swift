import Foundation

@testable import AuctionClientCore

extension SimulatedWorld {
    // MARK: - Towards the service

    /// A request leaves the device.
    func transmit(_ call: HTTPCall, _ origin: Origin, isStream: Bool) {
        if noNetworkUntil > now { return schedule(.deliver(.failed(.notSent("no network")), origin), in: delay(1, 20)) }
        if portalUntil > now { return portal(origin, isStream: isStream) }
        if silentUntil > now {
            // Lost, or kept somewhere until the network works again.
            if chance(40) { schedule(.request(call, origin, isStream: isStream), at: silentUntil + delay(0, 3000)) }
            return
        }
        let isLate = !isHealed && chance(3)
        schedule(.request(call, origin, isStream: isStream), in: isLate ? delay(1000, 20_000) : delay(2, 60))
    }

    /// A network's sign-in page responds instead of the service.
    private func portal(_ origin: Origin, isStream: Bool) {
        let statuses = [200, 302, 403, 511]
        let head = HTTPHead(
            status: statuses[Int(random.next() % 4)], headers: [HTTPHeader("Content-Type", "text/html; charset=utf-8")])
        let page = Array("<html>Welcome</html>".utf8)
        if isStream {
            schedule(.deliver(.head(head), origin), in: 5)
            schedule(.deliver(.bytes(page), origin), in: 6)
            schedule(.deliver(.ended, origin), in: 7)
        } else {
            schedule(.deliver(.response(HTTPResponse(head: head, body: page)), origin), in: 5)
        }
    }

    /// A request reaches the service.
    func receive(_ call: HTTPCall, _ origin: Origin, isStream: Bool) {
        if downUntil > now { return schedule(.deliver(.failed(.notSent("refused")), origin), in: delay(1, 10)) }
        let time = now + service.clockOffset
        if overloadedUntil > now, !isStream || chance(50) {
            let seconds = delay(1, 4)
            let response = SimulatedService.problem(503, "service.overloaded", retryAfter: seconds, at: time)
            return isStream ? stream(response, origin) : respond(response, origin)
        }
        if isStream { return openStream(call, origin) }
        var response = service.respond(to: call, at: now)
        if call.method == "POST", !isHealed, chance(6) {
            response = SimulatedService.problem(503, "service.outcome_unknown", retryAfter: chance(50) ? 1 : nil, at: time)
        }
        let wait = SimulatedService.number("wait", in: call)
        let isEmpty =
            call.target.contains("wait=") && response.head.status == 200
            && SimulatedService.number("after", in: call) == service.seq
        if isEmpty, wait > 0 { return hold(call, origin, seconds: wait) }
        respond(response, origin)
        pumpAll()
    }

    /// A poll without anything new is answered later.
    private func hold(_ call: HTTPCall, _ origin: Origin, seconds: Int64) {
        var later = call
        later.target = call.target.replacingOccurrences(of: "wait=\(seconds)", with: "wait=0")
        schedule(.request(later, origin, isStream: false), in: delay(100, UInt64(seconds) * 1000))
    }

    private func respond(_ response: HTTPResponse, _ origin: Origin) {
        if silentUntil > now { return }
        if !isHealed {
            if chance(4) { return schedule(.deliver(.failed(.interrupted("reset")), origin), in: delay(2, 60)) }
            // A response that comes twice, the second time when another request may be current.
            if chance(4) { schedule(.deliver(.response(response), origin), in: delay(60, 15_000)) }
        }
        schedule(.deliver(.response(response), origin), in: delay(2, 60))
    }

    // MARK: - Streams

    private func stream(_ response: HTTPResponse, _ origin: Origin) {
        schedule(.deliver(.head(response.head), origin), in: 3)
        schedule(.deliver(.bytes(response.body), origin), in: 4)
        schedule(.deliver(.ended, origin), in: 5)
    }

    private func openStream(_ call: HTTPCall, _ origin: Origin) {
        let after = SimulatedService.number("after", in: call)
        guard service.accepts(call, at: now), after <= service.seq else {
            return stream(service.respond(to: call, at: now), origin)
        }
        let head = HTTPHead(status: 200, headers: [HTTPHeader("Content-Type", "text/event-stream")])
        schedule(.deliver(.head(head), origin), in: 3)
        streams[origin] = Stream(cursor: after, lastAt: now + 4, isSilent: hasBufferingProxy || silentUntil > now)
        push(": auction-room\nretry: 2000\nid: \(after)\n\n", origin)
        pump(origin)
        schedule(.notice(origin), in: 15_000)
    }

    func pumpAll() {
        for origin in streams.keys.sorted(by: { "\($0)" < "\($1)" }) { pump(origin) }
    }

    private func pump(_ origin: Origin) {
        while let stream = streams[origin], stream.cursor < service.seq {
            streams[origin]?.cursor += 1
            let event = service.events[Int(stream.cursor)]
            // Something on the way loses a piece, or sends it again.
            if !isHealed, chance(1) { continue }
            let text = "id: \(stream.cursor + 1)\nevent: something\ndata: \(event)\n\n"
            push(text, origin)
            if !isHealed, chance(1) { push(text, origin) }
            if !isHealed, chance(2) { cut(origin) }
        }
    }

    func sendNotice(_ origin: Origin) {
        guard streams[origin] != nil else { return }
        let time = SimulatedRoom.time(now + service.clockOffset)
        push("event: notice\ndata: {\"notice\":\"presence\",\"viewers\":1,\"serverTime\":\"\(time)\"}\n\n", origin)
        schedule(.notice(origin), in: 15_000)
    }

    /// Bytes arrive in the order in which they were sent, in one piece or two.
    private func push(_ text: String, _ origin: Origin) {
        guard var stream = streams[origin], !stream.isSilent else { return }
        let bytes = Array(text.utf8)
        stream.lastAt = max(stream.lastAt, now + delay(1, 40))
        if chance(10) {
            let middle = Int(random.next() % UInt64(bytes.count))
            schedule(.deliver(.bytes(Array(bytes[..<middle])), origin), at: stream.lastAt)
            stream.lastAt += delay(0, 30)
            schedule(.deliver(.bytes(Array(bytes[middle...])), origin), at: stream.lastAt)
        } else {
            schedule(.deliver(.bytes(bytes), origin), at: stream.lastAt)
        }
        streams[origin] = stream
    }

    func cut(_ origin: Origin) {
        guard let stream = streams.removeValue(forKey: origin), !stream.isSilent else { return }
        schedule(.deliver(chance(50) ? .ended : .failed(.interrupted("reset")), origin), at: max(now, stream.lastAt) + 1)
    }

    // MARK: - Faults

    func breakSomething() {
        guard !isHealed else { return }
        let until = now + delay(500, 20_000)
        switch random.next() % 9 {
        case 0: noNetworkUntil = until
        case 1, 2:
            silentUntil = until
            for origin in streams.keys { streams[origin]?.isSilent = true }
        case 3: portalUntil = until
        case 4:
            // Killed and started again: what was not answered is not, and every stream ends.
            downUntil = min(until, now + 4000)
            cutAll()
        case 5: overloadedUntil = min(until, now + 6000)
        case 6: service.clockOffset += delay(0, 20_000_000) - 10_000_000 + (service.clockOffset < 20_000_000 ? 10_000_000 : 0)
        case 7: asleepUntil = until
        default:
            isPaused = true
            feed(.pause)
            schedule(.wake, at: until)
        }
        if noNetworkUntil == until {
            cutAll()
            schedule(.wake, at: until + 1)
        }
    }

    private func cutAll() {
        for origin in streams.keys.sorted(by: { "\($0)" < "\($1)" }) { cut(origin) }
    }

    /// From now on everything works.
    func heal() {
        isHealed = true
        noNetworkUntil = 0
        silentUntil = 0
        portalUntil = 0
        downUntil = 0
        overloadedUntil = 0
        asleepUntil = 0
        wake()
        // Something happens, so that a stream that is dead without knowing it is not taken for a live one.
        service.act(0, at: now + service.clockOffset)
        pumpAll()
        for index in bids.indices where bids[index].exchange == nil { schedule(.resend(index), in: delay(1, 5000)) }
    }
}
