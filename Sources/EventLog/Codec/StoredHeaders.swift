package import ExactJSON

/// Headers of a stored response as one JSON text: `[{"name":…,"value":…}]`; empty if there are none.
package enum StoredHeaders {
    /// The UTF-8 bytes of the text.
    package static func encode(_ headers: [ResponseHeader]) -> [UInt8] {
        if headers.isEmpty { return [] }
        var json = JSONWriter(reserving: 64 * headers.count)
        json.array { array in
            for header in headers {
                array.object { json in
                    json.member("name", header.name)
                    json.member("value", header.value)
                }
            }
        }
        return json.bytes
    }

    /// - Throws: `JSONError` if the bytes are no such text.
    package static func decode(_ bytes: [UInt8]) throws(JSONError) -> [ResponseHeader] {
        if bytes.isEmpty { return [] }
        guard case .array(let elements) = try JSONReader.read(bytes) else {
            throw JSONError(.invalidField, "The headers of a response must be an array.")
        }
        var headers: [ResponseHeader] = []
        for element in elements {
            var fields = try JSONFields(element)
            headers.append(ResponseHeader(name: try fields.string("name"), value: try fields.string("value")))
        }
        return headers
    }
}
