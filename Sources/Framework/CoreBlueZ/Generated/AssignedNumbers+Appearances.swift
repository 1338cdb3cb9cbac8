extension AssignedNumbers {
    /// Appearances. Written by `Scripts/measure numbers`.
    static var appearances: String {
        """
        0000Unknown~0040Phone~0080Computer~0081Desktop Workstation~0082Server Class Computer~0083Laptop~0084Handheld P\
        C PDA~0085Palm Size PC PDA~0086Wearable Computer~0087Tablet~0088Docking Station~0089All In One~008ABlade Serve\
        r~008BConvertible~008CDetachable~008DIOT Gateway~008EMini PC~008FStick PC~00C0Watch~00C1Sports Watch~00C2Smart\
        watch~0100Clock~0140Display~0180Remote Control~01C0Eye Glasses~0200Tag~0240Keyring~0280Media Player~02C0Barcod\
        e Scanner~0300Thermometer~0301Ear Thermometer~0340Heart Rate Sensor~0341Heart Rate Belt~0380Blood Pressure~038\
        1Arm Blood Pressure~0382Wrist Blood Pressure~03C0Human Interface Device~03C1Keyboard~03C2Mouse~03C3Joystick~03\
        C4Gamepad~03C5Digitizer Tablet~03C6Card Reader~03C7Digital Pen~03C8Barcode Scanner~03C9Touchpad~03CAPresentati\
        on Remote~0400Glucose Meter~0440Running Walking Sensor~0441In Shoe Running Walking Sensor~0442On Show Running\
         Walking Sensor~0443On Hip Running Walking Sensor~0480Cycling~0481Cycling Computer~0482Speed Sensor~0483Cadenc\
        e Sensor~0484Power Sensor~0485Speed And Cadence Sensor~04C0Control Device~04C1Switch~04C2Multi Switch~04C3Butt\
        on~04C4Slider~04C5Rotary Switch~04C6Touch Panel~04C7Single Switch~04C8Double Switch~04C9Triple Switch~04CABatt\
        ery Switch~04CBEnergy Harvesting Switch~04CCPush Button~0500Network Device~0501Access Point~0502Mesh Device~05\
        03Mesh Network Proxy~0540Sensor~0541Motion Sensor~0542Air Quality Sensor~0543Temperature Sensor~0544Humidity S\
        ensor~0545Leak Sensor~0546Smoke Sensor~0547Occupancy Sensor~0548Contact Sensor~0549Carbon Monoxide Sensor~054A\
        Carbon Dioxide Sensor~054BAmbient Light Sensor~054CEnergy Sensor~054DColor Light Sensor~054ERain Sensor~054FFi\
        re Sensor~0550Wind Sensor~0551Proximity Sensor~0552Multi Sensor~0553Flush Mounted Sensor~0554Ceiling Mounted S\
        ensor~0555Wall Mounted Sensor~0556Multisensor~0557Energy Meter~0558Flame Detector~0559Vehicle Tire Pressure Se\
        nsor~0580Light Fixtures~0581Wall Light~0582Ceiling Light~0583Floor Light~0584Cabinet Light~0585Desk Light~0586\
        Troffer Light~0587Pendant Light~0588In Ground Light~0589Flood Light~058AUnderwater Light~058BBollard With Ligh\
        t~058CPathway Light~058DGarden Light~058EPole Top Light~058FSpotlight~0590Linear Light~0591Street Light~0592Sh\
        elves Light~0593Bay Light~0594Emergency Exit Light~0595Light Controller~0596Light Driver~0597Bulb~0598Low Bay\
         Light~0599High Bay Light~05C0Fan~05C1Ceiling Fan~05C2Axial Fan~05C3Exhaust Fan~05C4Pedestal Fan~05C5Desk Fan~\
        05C6Wall Fan~0600HVAC~0601Thermostat~0602Humidifier~0603Dehumidifier~0604Heater~0605Radiator~0606Boiler~0607He\
        at Pump~0608Infrared Heater~0609Radiant Panel Heater~060AFan Heater~060BAir Curtain~0640Air Conditioning~0680H\
        umidifier~06C0Heating~06C1Radiator~06C2Boiler~06C3Heat Pump~06C4Infrared Heater~06C5Radiant Panel Heater~06C6F\
        an Heater~06C7Air Curtain~0700Access Control~0701Access Door~0702Garage Door~0703Emergency Exit Door~0704Acces\
        s Lock~0705Elevator~0706Window~0707Entrance Gate~0708Door Lock~0709Locker~0740Motorized Device~0741Motorized G\
        ate~0742Awning~0743Blinds Or Shades~0744Curtains~0745Screen~0780Power Device~0781Power Outlet~0782Power Strip~\
        0783Plug~0784Power Supply~0785LED Driver~0786Fluorescent Lamp Gear~0787HID Lamp Gear~0788Charge Case~0789Power\
         Bank~07C0Light Source~07C1Incandescent Light Bulb~07C2LED Lamp~07C3HID Lamp~07C4Fluorescent Lamp~07C5LED Arra\
        y~07C6Multi Color LED Array~07C7Low Voltage Halogen~07C8Organic Light Emitting Diode~0800Window Covering~0801W\
        indow Shades~0802Window Blinds~0803Window Awning~0804Window Curtain~0805Exterior Shutter~0806Exterior Screen~0\
        840Audio Sink~0841Standalone Speaker~0842Soundbar~0843Bookshelf Speaker~0844Standmounted Speaker~0845Speakerph\
        one~0880Audio Source~0881Microphone~0882Alarm~0883Bell~0884Horn~0885Broadcasting Device~0886Service Desk~0887K\
        iosk~0888Broadcasting Room~0889Auditorium~08C0Motorized Vehicle~08C1Car~08C2Large Goods Vehicle~08C3Two Wheele\
        d Vehicle~08C4Motorbike~08C5Scooter~08C6Moped~08C7Three Wheeled Vehicle~08C8Light Vehicle~08C9Quad Bike~08CAMi\
        nibus~08CBBus~08CCTrolley~08CDAgricultural Vehicle~08CECamper Caravan~08CFRecreational Vehicle Motor Home~0900\
        Domestic Appliance~0901Refrigerator~0902Freezer~0903Oven~0904Microwave~0905Toaster~0906Washing Machine~0907Dry\
        er~0908Coffee Maker~0909Clothes Iron~090ACurling Iron~090BHair Dryer~090CVacuum Cleaner~090DRobotic Vacuum Cle\
        aner~090ERice Cooker~090FClothes Steamer~0940Wearable Audio Device~0941Earbud~0942Headset~0943Headphones~0944N\
        eck Band~0980Aircraft~0981Light Aircraft~0982Microlight~0983Paraglider~0984Large Passenger Aircraft~09C0AV Equ\
        ipment~09C1Amplifier~09C2Receiver~09C3Radio~09C4Tuner~09C5Turntable~09C6CD Player~09C7DVD Player~09C8Bluray Pl\
        ayer~09C9Optical Disc Player~09CASet Top Box~0A00Display Equipment~0A01Television~0A02Monitor~0A03Projector~0A\
        40Hearing Aid~0A41In Ear Hearing Aid~0A42Behind Ear Hearing Aid~0A43Cochlear Implant~0A80Gaming~0A81Home Video\
         Game Console~0A82Portable Handheld Console~0AC0Signage~0AC1Digital Signage~0AC2Electronic Label~0C40Pulse Oxi\
        meter~0C41Fingertip Pulse Oximeter~0C42Wrist Worn Pulse Oximeter~0C80Weight Scale~0CC0Personal Mobility Device\
        ~0CC1Powered Wheelchair~0CC2Mobility Scooter~0D00Continuous Glucose Monitor~0D40Insulin Pump~0D41Insulin Pump\
         Durable Pump~0D42Insulin Pump Patch Pump~0D43Insulin Pen~0D80Medication Delivery~0DC0Spirometer~0DC1Handheld\
         Spirometer~1440Outdoor Sports Activity~1441Location Display~1442Location And Navigation Display~1443Location\
         Pod~1444Location And Navigation Pod~
        """
    }
}
