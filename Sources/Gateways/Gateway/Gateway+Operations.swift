import BlueZDBus
import BlueZJSONLine
import CoreBlueZ
import GatewayProtocol

extension Gateway {
    /// Performs an admitted request, which gets one response.
    func carryOut(_ operation: GatewayOperation, _ request: AdmittedRequest) {
        switch operation {
        case .hello: respond(request, .success(EmptyResult()))
        case .heard:
            policy.forgetPublished(at: .now)
            respond(request, .success(EmptyResult()))
        case .connect(let device, _, let lease, let timeout):
            connect(device, lease: lease, timeout: timeout, request)
        case .unpair(let device): unpair(device, request)
        case .renew(let links, let lease): renew(links, lease: lease, request)
        case .discover, .read, .write, .subscribe, .unsubscribe, .pair, .cancelPairing, .disconnect:
            guard let reference = operation.reference, let link = link(reference, of: request.client) else {
                return refuse(
                    request, GatewayFailure(.notConnected, text: "There is no such link, or its lease has ended"))
            }
            carryOut(operation, on: link, request)
        }
    }

    private func link(_ reference: LinkReference, of client: GatewayName) -> GatewayLink? {
        guard leases.lease(reference, of: client, at: .now) != nil, let link = links[reference.device],
            link.reference == reference, link.isUp
        else { return nil }
        return link
    }

    private func carryOut(_ operation: GatewayOperation, on link: GatewayLink, _ request: AdmittedRequest) {
        switch operation {
        case .discover: discover(link, request)
        case .read(_, let handle, let offset): read(link, handle, offset, request)
        case .write(_, let handle, let value, let type, let offset):
            write(link, handle, value, type, offset, request)
        case .subscribe(_, let handle): subscribe(link, handle, request)
        case .unsubscribe(_, let handle): unsubscribe(link, handle, request)
        case .pair(_, let timeout): pair(link, timeout: timeout, request)
        case .cancelPairing:
            link.pairing?.cancel()
            respond(request, .success(EmptyResult()))
        case .disconnect: disconnect(link, request)
        case .hello, .heard, .connect, .unpair, .renew: break
        }
    }

    /// Runs an operation, and responds with its result. The operation is cancelled at the request's deadline. Anything
    /// that CoreBlueZ has not sent by then is not sent. Operations begin in the order of their requests.
    ///
    /// - Parameters:
    ///   - link: the link whose end ends the operation.
    ///   - wasPaired: whether the device was paired, or pairing makes no difference.
    ///   - mayChange: whether the operation changes something, so that without a reply the outcome is unknown.
    ///   - body: the operation, which throws a `GatewayFailure` or a `BluetoothError`.
    @discardableResult func perform<Value: JSONObject & Hashable>(
        _ request: AdmittedRequest,
        on link: GatewayLink? = nil,
        wasPaired: Bool = true,
        mayChange: Bool = true,
        _ body: @escaping @BluetoothActor () async throws -> Value
    ) -> Task<Void, Never> {
        link?.requestBegan()
        let task = Task { @BluetoothActor [weak self] in
            // Runs on the actor's own thread; see `BluetoothActor.run`.
            let outcome = await BluetoothActor.run { () async -> Result<Value, GatewayFailure> in
                do {
                    return .success(try await body())
                } catch {
                    return .failure(GatewayFailure(any: error, wasPaired: wasPaired, mayHaveChanged: mayChange))
                }
            }
            self?.respond(request, outcome)
            link?.requestEnded()
        }
        let timer = BluetoothActor.after(max(request.notAfter - BootInstant.now, .zero)) { task.cancel() }
        Task { @BluetoothActor in
            await task.value
            timer.cancel()
        }
        return task
    }
}
