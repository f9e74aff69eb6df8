import Testing

/// All of this target's tests, one after the other: many count connections, or time what a loop does on two cores.
@Suite(.serialized)
struct MicroHTTPTests {}
