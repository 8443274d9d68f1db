import CMicroHTTPD

/// The functions libmicrohttpd calls. Each only recovers its objects and calls a method; no decisions here.
///
/// For one connection, on the thread of its worker, in this order: connection started; then for every request the target (its first
/// line), the handler two or more times, completed; at last connection closed. Completed comes for aborted requests too,
/// and without the handler where libmicrohttpd itself refuses the header.
enum Callbacks {
    static func install(in settings: inout gatehouse_settings) {
        settings.logger = { context, format, message in
            guard let format, let message else { return }
            let line = String(cString: message)
            withCore(context) { $0.log(kind(of: String(cString: format)), String(line.dropLast(line.hasSuffix("\n") ? 1 : 0))) }
        }
        settings.accept = { context, _, _ in
            withCore(context) { $0.accepts() ? .YES : .NO }
        }
        settings.connection_changed = { context, connection, socketContext, event in
            guard let connection, let socketContext else { return }
            withCore(context) { core in
                if event == Int32(bitPattern: MHD_ConnectionNotificationCode.CONNECTION_NOTIFY_STARTED.rawValue) {
                    socketContext.pointee = UnsafeMutableRawPointer(core.connectionStarted(connection))
                } else if let state = socketContext.pointee {
                    socketContext.pointee = nil
                    core.connectionClosed(state.assumingMemoryBound(to: ConnectionState.self))
                }
            }
        }
        settings.target = { context, target, connection in
            guard let connection, let state = gatehouse_socket_context(connection) else { return nil }
            withCore(context) { $0.targetCame(target, state.assumingMemoryBound(to: ConnectionState.self)) }
            return state
        }
        settings.handler = { context, connection, target, method, version, piece, pieceCount, exchange in
            guard let connection, let target, let method, let version, let pieceCount, let state = exchange?.pointee else { return .NO }
            return withCore(context) { core in
                let state = state.assumingMemoryBound(to: ConnectionState.self)
                let exchange = Exchange(core: core, connection: connection, state: state, target: target)
                if state.pointee.step == .target { return exchange.begin(method: method, version: version) }
                if pieceCount.pointee > 0 {
                    let taken = exchange.take(UnsafeRawBufferPointer(start: piece, count: pieceCount.pointee))
                    pieceCount.pointee = 0
                    return taken
                }
                return exchange.finish()
            }
        }
        settings.completed = { context, _, exchange, reason in
            guard let state = exchange?.pointee else { return }
            exchange?.pointee = nil
            let isComplete = reason == Int32(bitPattern: MHD_RequestTerminationCode.REQUEST_TERMINATED_COMPLETED_OK.rawValue)
            withCore(context) { $0.completed(state.assumingMemoryBound(to: ConnectionState.self), isComplete: isComplete) }
        }
    }
}

/// What a complaint's format says before anything that differs: people read it in the log, where a C format would tell them nothing.
private func kind(of format: String) -> String {
    var kind = format.prefix { !"%(:\n".contains($0) }
    while let last = kind.last, " `'".contains(last) { kind.removeLast() }
    return String(kind)
}

/// The server outlives its daemon (`HTTPServer.stop`), so its pointer is valid in every callback without being retained.
@inline(__always)
private func withCore<Value>(_ context: UnsafeMutableRawPointer?, _ body: (ServerCore) -> Value) -> Value {
    Unmanaged<ServerCore>.fromOpaque(context!)._withUnsafeGuaranteedRef(body)
}
