import BlueZJSONLine
import BlueZSimulator

extension JSONField<ServiceSpecification> {
    static var service: JSONField {
        .object("a service", ServiceSpecification(0), isStrict: true) { service, keys in
            keys.add("uuid", required: &service.uuid, .uuid)
            keys.add("primary", &service.isPrimary, unless: true, .flag)
            keys.add("handle", &service.handle, .number(from: 1))
            keys.add("characteristics", &service.characteristics, unless: [], .list(.characteristic))
        }
    }
}

extension JSONField<CharacteristicSpecification> {
    fileprivate static var characteristic: JSONField {
        .object("a characteristic", CharacteristicSpecification(0, []), isStrict: true) { characteristic, keys in
            keys.add("uuid", required: &characteristic.uuid, .uuid)
            keys.add("properties", required: &characteristic.properties, .properties)
            keys.addValue(&characteristic.value, of: characteristic.uuid)
            keys.add("handle", &characteristic.handle, .number(from: 1))
            keys.add("encrypted", &characteristic.needsEncryption, unless: false, .flag)
            keys.add("authenticated", &characteristic.needsAuthentication, unless: false, .flag)
            keys.add("readError", &characteristic.faults.readError, .error)
            keys.add("writeError", &characteristic.faults.writeError, .error)
            keys.add("delay", &characteristic.faults.delay, unless: .zero, .seconds())
            keys.add("notifications", &characteristic.notifications, .notifications)
            keys.add("responses", &characteristic.responses, unless: [], .list(.response))
            keys.add("descriptors", &characteristic.descriptors, unless: [], .list(.descriptor))
        }
    }
}

extension JSONField<DescriptorSpecification> {
    fileprivate static var descriptor: JSONField {
        .object("a descriptor", DescriptorSpecification(0), isStrict: true) { descriptor, keys in
            keys.add("uuid", required: &descriptor.uuid, .uuid)
            keys.addValue(&descriptor.value, of: descriptor.uuid)
            keys.add("writable", &descriptor.isWritable, unless: false, .flag)
        }
    }
}

extension JSONField<NotificationSeries> {
    fileprivate static var notifications: JSONField {
        .object("notifications", NotificationSeries([]), isStrict: true) { series, keys in
            keys.add("values", required: &series.values, .list(.hexadecimal))
            keys.add("interval", &series.interval, unless: .seconds(1), .seconds())
            keys.add("repeat", &series.repeats, unless: true, .flag)
        }
    }
}
