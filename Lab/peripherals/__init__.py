"""The lab's peripherals: a SensorTag and the contract probe, played by Bumble."""
