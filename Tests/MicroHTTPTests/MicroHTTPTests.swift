import Testing

/// Runs this target's tests serially: many count connections, or measure times of a loop on two cores.
@Suite(.serialized)
struct MicroHTTPTests {}
