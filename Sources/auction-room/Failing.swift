internal import ArgumentParser
internal import AuctionClientCore
internal import AuctionServer
internal import EventLog
internal import MicroHTTP

extension ExitCode {
    /// EX_UNAVAILABLE: the address is taken, or the log is in use or out of reach.
    static let unavailable = ExitCode(69)
    /// EX_IOERR: the log failed.
    static let ioError = ExitCode(74)
    /// EX_CONFIG: an option or variable is invalid.
    static let configuration = ExitCode(78)

    /// The exit code for an error of the log.
    static func of(_ error: EventLogError) -> ExitCode {
        error.code == .unavailable || error.code == .locked ? .unavailable : .ioError
    }
}

/// Calls `body`; prints an error as one line and exits with its code.
/// - Parameter log: the exit code for an error of the log.
func failing<Value>(_ body: () throws -> Value, log: (EventLogError) -> ExitCode = ExitCode.of) throws -> Value {
    do {
        return try body()
    } catch let error as ConfigurationError {
        throw complaining(error, .configuration)
    } catch let error as ServerError {
        throw complaining(error, .configuration)
    } catch let error as HTTPServerError {
        throw complaining(error, .unavailable)
    } catch let error as EventLogError {
        throw complaining(error, log(error))
    } catch let error where error is AuctionError || error is StopReason || error is MoneyError {
        throw complaining(error, .failure)
    }
}

private func complaining(_ error: any Error, _ code: ExitCode) -> ExitCode {
    // The errors of the client contain texts of the server and of the command line.
    complain("\(error)".printable)
    return code
}

/// Writes one line to standard error.
func complain(_ message: String) { StandardStreams.report(Array("auction-room: \(message)\n".utf8)) }
