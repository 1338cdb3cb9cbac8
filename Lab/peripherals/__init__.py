"""The lab's peripherals: SensorTags of both generations and the contract probe, played by Bumble."""
