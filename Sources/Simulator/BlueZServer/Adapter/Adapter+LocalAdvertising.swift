extension Adapter {
    /// The adapter's current advertisements.
    package var outgoingAdvertisements: [OutgoingAdvertisement] { advertising.kernel.outgoing }

    /// Makes the kernel refuse the next advertisements and their changes.
    package func refuseAdvertisements(_ times: Int) {
        advertising.kernel.refusals = max(0, times)
    }

    /// Releases all advertisements, as bluetoothd does when it ends in an orderly way.
    package func releaseAdvertisements() {
        advertising.releaseAll()
        advertising.kernel.removeAll()
    }
}
