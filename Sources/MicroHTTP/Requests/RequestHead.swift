internal import CMicroHTTPDShims
internal import Glibc

/// A request's method, and its headers in the order sent. A read compares names in place, and copies only the values that are asked for.
/// Never copied, as each copy would count the references of its parts.
///
/// `@safe`: the bytes are libmicrohttpd's, which keeps them until the exchange ends or a stream takes its connection over; `Exchange` reads
/// none after the latter, and `forget` is called at the former. The bytes of a request that was not received by HTTP are in `own`.
@safe
struct RequestHead: ~Copyable {
    /// A header's name, and its value with the white space after it.
    @safe
    struct Field {
        let name: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer
    }

    private(set) var method = HTTPMethod.get
    private(set) var isVersion10 = false
    private(set) var fields: [Field] = []
    /// The lengths of the names, as bits, those from 63 together: of the headers that are asked for, most are absent.
    private var lengths: UInt64 = 0
    private var own: OwnBytes?
    /// Whether values have no white space around them that does not count: those of a request that was not received by HTTP.
    private var areValuesExact = false

    /// A head that was not received yet.
    init() {}

    /// The head that libmicrohttpd has parsed.
    @unsafe
    init(_ connection: OpaquePointer, method: String, isVersion10: Bool) {
        self.method = HTTPMethod(rawValue: method)
        self.isVersion10 = isVersion10
        fields.reserveCapacity(16)
        // SAFETY: the enumeration ends before the call returns.
        unsafe withUnsafeMutablePointer(to: &fields) { fields in
            unsafe micro_each_header(
                connection,
                { context, name, nameSize, value, valueSize in
                    guard let fields = unsafe context?.assumingMemoryBound(to: [Field].self) else { return 0 }
                    unsafe fields.pointee.append(
                        Field(
                            name: UnsafeRawBufferPointer(start: name, count: nameSize),
                            value: UnsafeRawBufferPointer(start: value, count: valueSize)))
                    return 1
                }, fields)
        }
        noteLengths()
    }

    /// The head of a request that was not received by HTTP.
    init(_ method: HTTPMethod, _ headers: [(name: String, value: String)]) {
        self.method = method
        var count = 0
        for header in headers { count += header.name.utf8.count + header.value.utf8.count }
        let own = OwnBytes.make(count)
        fields.reserveCapacity(headers.count)
        for (name, value) in headers {
            unsafe fields.append(Field(name: own.append(name.utf8Span.span), value: own.append(value.utf8Span.span)))
        }
        self.own = own
        areValuesExact = true
        noteLengths()
    }

    /// Headers that may be no text.
    init(_ headers: [(name: [UInt8], value: [UInt8])]) {
        let own = OwnBytes.make(headers.reduce(0) { $0 + $1.name.count + $1.value.count })
        for (name, value) in headers {
            unsafe fields.append(Field(name: own.append(name.span), value: own.append(value.span)))
        }
        self.own = own
        noteLengths()
    }

    /// Has no headers from now on: their bytes are about to be used for the next request.
    mutating func forget() { (fields, lengths) = ([], 0) }

    private mutating func noteLengths() {
        for field in fields { unsafe lengths |= Self.bit(field.name.count) }
    }

    private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

    /// False if no header has that name.
    private func mayHave(_ name: String) -> Bool { lengths & Self.bit(name.utf8.count) != 0 }

    /// The first value of a header; nil if it is absent.
    func first(_ name: String) -> String? {
        guard mayHave(name) else { return nil }
        for field in fields where unsafe isSameName(field.name, name) { return unsafe text(of: field) }
        return nil
    }

    /// Whether the first value of a header has the bytes of a text, which is not empty.
    func first(_ name: String, is text: String) -> Bool {
        for field in fields where unsafe isSameName(field.name, name) {
            let value = unsafe bytes(of: field)
            return unsafe text.utf8Span.span.withUnsafeBytes { bytes in
                guard value.count == bytes.count, let one = value.baseAddress, let other = bytes.baseAddress
                else { return false }
                return unsafe memcmp(one, other, bytes.count) == 0
            }
        }
        return false
    }

    /// Every value of a header.
    func all(_ name: String) -> [String] {
        var values: [String] = []
        guard mayHave(name) else { return values }
        for field in fields where unsafe isSameName(field.name, name) { unsafe values.append(text(of: field)) }
        return values
    }

    /// Every value of a header, joined by commas; nil if it is absent.
    func list(_ name: String) -> String? {
        guard mayHave(name) else { return nil }
        var list: String?
        for field in fields where unsafe isSameName(field.name, name) {
            let value = unsafe text(of: field)
            list = list.map { $0 + "," + value } ?? value
        }
        return list
    }

    @unsafe
    private func text(of field: Field) -> String {
        unsafe String(decoding: bytes(of: field), as: UTF8.self)
    }

    @unsafe
    private func bytes(of field: Field) -> UnsafeRawBufferPointer {
        areValuesExact ? unsafe field.value : unsafe withoutBlanksAfter(field.value)
    }
}

/// Bytes that stay where they are; the header counts them.
private final class OwnBytes: ManagedBuffer<Int, UInt8> {
    static func make(_ capacity: Int) -> OwnBytes {
        unsafe unsafeDowncast(create(minimumCapacity: capacity) { _ in 0 }, to: OwnBytes.self)
    }

    /// Appends bytes within the capacity; the result is valid as long as this object.
    @unsafe
    func append(_ new: Span<UInt8>) -> UnsafeRawBufferPointer {
        let start = unsafe UnsafeMutableRawPointer(withUnsafeMutablePointerToElements { unsafe $0 + header })
        let place = unsafe UnsafeMutableRawBufferPointer(start: start, count: new.count)
        unsafe new.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
        header += new.count
        return UnsafeRawBufferPointer(place)
    }
}

/// A header's value without the white space after it, which HTTP allows (RFC 9110, section 5.5) and libmicrohttpd keeps.
@unsafe
func withoutBlanksAfter(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = value.count
    while end > 0, unsafe isBlank(value[end - 1]) { end -= 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: value.prefix(end))
}
