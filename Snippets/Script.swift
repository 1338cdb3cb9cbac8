// A script of closures: reads who made the first device that is found.
import BluetoothScript
import CoreBlueZ
import PrintableText

BluetoothScript.runUntilEnd { script in
    script.central.firstPeripheral { device, error in
        guard let device else { return script.end(error) }
        device.connect { error in
            if let error { return script.end(error) }
            device.discoverServices { _, error in
                if let error { return script.end(error) }
                device.service(0x180A).characteristic(0x2A29).readValue { maker, error in
                    if let maker { print("made by", String(decoding: maker, as: UTF8.self).escapedForTerminal()) }
                    script.end(error)
                }
            }
        }
    }
}
