// A script of closures: reads who made a SensorTag.
import BlueZScript
import CoreBlueZ

BluetoothScript.runUntilEnd { script in
    script.central.firstPeripheral(where: { tag, _ in tag.name == "SensorTag" }) { tag, error in
        guard let tag else { return script.end(error) }
        tag.connectAndDiscover { _, error in
            if let error { return script.end(error) }
            tag.service(0x180A).characteristic(0x2A29).readValue { maker, error in
                if let maker { print("Made by", String(decoding: maker, as: UTF8.self).escapedForTerminal()) }
                script.end(error)
            }
        }
    }
}
