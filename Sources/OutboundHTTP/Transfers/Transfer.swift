internal import CCurl
internal import CCurlShims
internal import IPAddresses

/// What all transfers of a client have in common.
struct TransferSettings: Sendable {
    let limits: OutboundLimits
    /// A file of certificates in PEM; nil: the system's.
    let authorities: String?
    /// Addresses of a host in place of the system's.
    let resolve: (@Sendable (String) -> [String])?
}

/// One request in libcurl.
///
/// Used on the client's thread only, where libcurl calls it back. `@safe`: the handles are valid as long as the object; the object
/// outlives the callbacks, as the loop keeps it until the transfer was removed.
@safe final class Transfer {
    let job: OutboundJob
    let handle: UnsafeMutableRawPointer
    private var lines = CurlList()
    private var names = CurlList()
    private let errorText: UnsafeMutablePointer<CChar>
    private var received: ReceivedBytes
    /// The first address that the policy did not allow.
    private var refusal: DestinationRefusal?

    /// Names the transfer in libcurl's messages.
    var id: UInt { unsafe UInt(bitPattern: handle) }

    init(_ job: OutboundJob, _ settings: TransferSettings) throws(OutboundFailure) {
        let limits = settings.limits
        guard let handle = unsafe curl_easy_init() else { throw .resources("no handle of libcurl") }
        self.job = job
        unsafe self.handle = handle
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let bodyLimit = min(job.request.responseLimit ?? limits.responseBytes, limits.responseBytes)
        received = ReceivedBytes(headLimit: limits.headBytes, bodyLimit: max(0, bodyLimit))
        let totalTime = min(job.request.timeout ?? limits.totalTime, limits.totalTime)
        guard
            setDestination(settings), setBounds(totalTime: totalTime, connectTime: min(limits.connectTime, totalTime)),
            setCallbacks(), setHeaders(), setMethod()
        else { throw .resources("libcurl lacks an option") }
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe errorText.deallocate()
    }

    /// What the transfer's end means.
    func result(_ code: CURLcode) -> Result<OutboundResponse, OutboundFailure> {
        if received.end == .headTooLong { return .failure(.response("its head is too long")) }
        guard code == CURLE_OK || received.end == .bodyIsCut else {
            // Of several addresses those that are allowed were tried.
            if let refusal { return .failure(.refused(refusal)) }
            return .failure(OutboundFailure(code, unsafe String(cString: errorText)))
        }
        var (status, microseconds) = (0, curl_off_t(0))
        unsafe outbound_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        unsafe outbound_get_size(handle, CURLINFO_TOTAL_TIME_T, &microseconds)
        return .success(
            OutboundResponse(
                status: status, headers: received.headers, body: received.body, wasCut: received.end == .bodyIsCut,
                duration: .microseconds(Int64(microseconds))))
    }

    // MARK: Options

    private func set(_ option: CURLoption, _ number: Int) -> Bool {
        unsafe outbound_set_number(handle, option, number) == CURLE_OK
    }

    /// libcurl copies texts.
    private func set(_ option: CURLoption, _ text: String) -> Bool {
        unsafe outbound_set_pointer(handle, option, text) == CURLE_OK
    }

    private func setDestination(_ settings: TransferSettings) -> Bool {
        if let addresses = settings.resolve?(job.url.host), !addresses.isEmpty {
            names.append("\(job.url.host):\(job.url.port):\(addresses.joined(separator: ","))")
            guard unsafe outbound_set_pointer(handle, CURLOPT_RESOLVE, names.first) == CURLE_OK else { return false }
        }
        return set(CURLOPT_URL, job.request.url) && set(CURLOPT_PROTOCOLS_STR, "http,https")
            && set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
            // The path as it is given, which receivers compare.
            && set(CURLOPT_PATH_AS_IS, 1) && set(CURLOPT_FOLLOWLOCATION, 0)
            // No proxy, whatever the environment says: it would resolve the name and connect.
            && set(CURLOPT_PROXY, "")
            && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            && set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            && set(CURLOPT_SSL_VERIFYPEER, 1) && set(CURLOPT_SSL_VERIFYHOST, 2)
            && settings.authorities.map { set(CURLOPT_CAINFO, $0) } ?? true
    }

    private func setBounds(totalTime: Duration, connectTime: Duration) -> Bool {
        set(CURLOPT_TIMEOUT_MS, totalTime.milliseconds) && set(CURLOPT_CONNECTTIMEOUT_MS, connectTime.milliseconds)
            // The alternative to signals is a thread that resolves; and when the time is over, it is not waited for: it ends by itself.
            && set(CURLOPT_NOSIGNAL, 1) && set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setHeaders() -> Bool {
        // Without it libcurl waits for `100 Continue` before it sends a long body.
        for header in job.request.headers + [.init("Expect", "")] {
            let line =
                header.value.isEmpty ? header.name + (header.name == "Expect" ? ":" : ";") : "\(header.name): \(header.value)"
            lines.append(line)
        }
        return unsafe outbound_set_pointer(handle, CURLOPT_HTTPHEADER, lines.first) == CURLE_OK
    }

    private func setMethod() -> Bool {
        guard job.request.method == .post else { return set(CURLOPT_HTTPGET, 1) }
        let body = job.request.body
        // The size first: then that many bytes are copied.
        return unsafe set(CURLOPT_POST, 1)
            && outbound_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK
            && body.withUnsafeBytes { bytes in
                unsafe outbound_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(errorText))
                    == CURLE_OK
            }
    }

    // MARK: Callbacks

    private func setCallbacks() -> Bool {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe outbound_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
            && outbound_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context) == CURLE_OK
            && outbound_set_socket_opener(handle) { context, _, address in
                guard let context = unsafe context, let address = unsafe address else { return CURL_SOCKET_BAD }
                return unsafe Transfer.from(context).openSocket(address)
            } == CURLE_OK
            && outbound_set_pointer(handle, CURLOPT_PREREQDATA, context) == CURLE_OK
            && outbound_set_request_check(handle) { context, address, _, _, _ in
                guard let context = unsafe context, let address = unsafe address else { return CURL_PREREQFUNC_ABORT }
                let isAllowed = unsafe Transfer.from(context).mayUseConnection(to: String(cString: address))
                return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            } == CURLE_OK
            && outbound_set_pointer(handle, CURLOPT_HEADERDATA, context) == CURLE_OK
            && outbound_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                guard let context = unsafe context else { return 0 }
                let line = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
                return unsafe Transfer.from(context).received.takeLine(line) ? count : 0
            } == CURLE_OK
            && outbound_set_pointer(handle, CURLOPT_WRITEDATA, context) == CURLE_OK
            && outbound_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                guard let context = unsafe context else { return 0 }
                let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
                return unsafe Transfer.from(context).received.takeBody(part) ? count : 0
            } == CURLE_OK
    }

    private static func from(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// The only place where a connection begins, so no answer of DNS is connected to unchecked.
    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var (high, low): (UInt64, UInt64) = (0, 0)
        guard unsafe outbound_address(address, &high, &low) == 1, allows(IPAddress(bits: UInt128(high) << 64 | UInt128(low)))
        else {
            return CURL_SOCKET_BAD
        }
        return unsafe outbound_open_socket(address)
    }

    /// A connection that was opened for another request may be used again: that one's policy may have allowed more.
    private func mayUseConnection(to text: String) -> Bool {
        guard let address = IPAddress(text.prefix { $0 != "%" }) else { return false }
        return allows(address)
    }

    private func allows(_ address: IPAddress) -> Bool {
        do throws(DestinationRefusal) {
            try job.request.policy.check(address, of: job.url)
            return true
        } catch {
            refusal = refusal ?? error
            return false
        }
    }
}

/// A list of texts as libcurl reads it while a transfer is in progress. `@safe`: the list is freed once, by its owner.
@safe private struct CurlList: ~Copyable {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init() {}

    deinit { unsafe curl_slist_free_all(first) }

    /// Copies the text. Without memory for it the list stays as it is.
    mutating func append(_ text: String) {
        if let longer = unsafe curl_slist_append(first, text) { unsafe first = longer }
    }
}

extension Duration {
    /// At least one, as libcurl takes none for no bound.
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
