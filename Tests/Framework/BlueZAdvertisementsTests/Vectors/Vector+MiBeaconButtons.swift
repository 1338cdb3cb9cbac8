@testable import BlueZAdvertisements

extension Vector {
    /// The second half of the advertisements in the tests of xiaomi-ble (tests/test_parser.py).
    static let miBeaconButtons = [
        mi(
            "test_Xiaomi_YLYK01YL", "503053013f7450e94124f8011003000000", "product 339", "button press", counter: 63,
            address: "F8:24:41:E9:50:74"),
        mi(
            "test_Xiaomi_YLKG07YL_press", "5830b603d28b98c54124f8c3491476757e00000099", "product 950", "dimmer press 1",
            counter: 210, address: "F8:24:41:C5:98:8B", key: "b853075158487ca39a5b5ea9"),
        mi(
            "test_Xiaomi_YLKG07YL_rotate", "5830b603368b98c54124f88bb8f2661351000000d6", "product 950",
            "dimmer rotate_left 1", counter: 54, address: "F8:24:41:C5:98:8B", key: "b853075158487ca39a5b5ea9"),
        mi(
            "test_Xiaomi_K9B", "504068150101681538c1a4011003000000", "product 5480", "button press", counter: 1,
            address: "A4:C1:38:15:68:01"),
        mi(
            "test_Xiaomi_HS1BB_MI_obj4803", "5859eb2a9ee98e0538c1a4d07ad3e338000033635d10",
            "product 10987, battery 100 %", counter: 158, address: "A4:C1:38:05:8E:E9",
            key: "7475a4a77584401780ffc3ee62dd353c"),
        mi(
            "test_Xiaomi_HS1BB_MI_obj4818", "5859eb2ac1e98e0538c1a40759530f8d380000b77a70f8",
            "product 10987, idleTime 60 s", counter: 193, address: "A4:C1:38:05:8E:E9",
            key: "7475a4a77584401780ffc3ee62dd353c"),
        mi(
            "test_Xiaomi_MS1BB_MI_obj4a08", "4859eb2ac2fce02ca0b43af2380000a2d9f05f",
            "product 10987, illuminance 228 lx", "motion detected", counter: 194, address: "A4:C1:38:05:8E:E9",
            key: "7475a4a77584401780ffc3ee62dd353c"),
        mi(
            "test_Xiaomi_MS1BB_MI_obj4804", "585989189a67e56638c1a49dd97af3260000c8a60bd5",
            "product 6281, opening true", counter: 154, address: "A4:C1:38:66:E5:67",
            key: "0fdcc30fe9289254876b5ef7c11ef1f0"),
        mi(
            "test_Xiaomi_MS1BB_MI_obj4a12", "585989187567e56638c1a469ddf3a1260000a24a1b45",
            "product 6281, opening false", counter: 117, address: "A4:C1:38:66:E5:67",
            key: "0fdcc30fe9289254876b5ef7c11ef1f0"),
        mi(
            "test_Xiaomi_MS1BB_MI_obj4a1a", "505989180167e56638c1a41a4a0101", "product 6281, leftOpen true", counter: 1,
            address: "A4:C1:38:66:E5:67"),
        mi(
            "test_Xiaomi_MS1BB_MI_obj4a13", "585989189167e56638c1a4d6120d6d2600006fbc0cb4", "product 6281",
            "button press", counter: 145, address: "A4:C1:38:66:E5:67", key: "0fdcc30fe9289254876b5ef7c11ef1f0"),
        mi(
            "test_Xiaomi_RS1BB_MI_obj4806", "58590f3f4a674cb938c1a4d6e57b83040000d01e0b4b", "product 16143, wet false",
            counter: 74, address: "A4:C1:38:B9:4C:67", key: "33ede53321bc73c790a8daae4581f3d5"),
        mi(
            "test_Xiaomi_XMWXKG01YL", "585949194f73128783eddc0b34380a0200008d49ae28", "product 6473", "button press #2",
            counter: 79, address: "DC:ED:83:87:12:73", key: "b93eb3787eabda352edd94b667f5d5a9"),
        mi(
            "test_Xiaomi_XMZNMS08LM_door", "4855390e339c71c0241fffee8053000002b4c539", "product 3641", "door closed",
            counter: 51, address: "EE:89:73:44:BE:98", key: "2c3795afa33019a8afdc17ba99e6f217"),
        mi(
            "test_Xiaomi_XMZNMS08LM_lock", "4855390e2fdf9d3fdd9a6637131529f87b530000bcc34021",
            "product 3641, keyIdentifier 0, lockMethod manual", "lock unlocked_inside", counter: 47,
            address: "EE:89:73:44:BE:98", key: "2c3795afa33019a8afdc17ba99e6f217"),
        mi(
            "test_Xiaomi_DSL_C08", "504080030180030a38c1a408000100", "product 896", counter: 1,
            problem: .unknownObject(0x0008), address: "A4:C1:38:0A:03:80"),
        mi(
            "test_Xiaomi_RTCGQ02LM_light_and_motion", "58598d0a8c778e203cc2185a273628ec32060000c4264015",
            "product 2701, light true", "motion detected", counter: 140, address: "18:C2:3C:20:8E:77",
            key: "4960bb9f8711b4ffd7df1756d11427ae"),
        mi(
            "test_Xiaomi_RTCGQ02LM_timeout_motion", "48598d0a927953750fed0f990600005cad2c29",
            "product 2701, motion false", counter: 146, address: "18:C2:3C:20:8E:77",
            key: "4960bb9f8711b4ffd7df1756d11427ae"),
        mi(
            "test_Xiaomi_XMPIRO2SXS", "485931350b64799117331ef4020000c5d2f6ac", "product 13617, illuminance 51 lx",
            "motion detected", counter: 11, address: "DC:8E:95:2D:EA:43", key: "685d647dc5e7bc9bcfcf5a1357bd2114"),
        mi(
            "test_Xiaomi_XMOSB01XS_ILLUMINANCE", "485983460ddc213ce981da7ae202004441f88c",
            "product 18051, illuminance 38 lx", counter: 13, address: "0C:43:14:A1:41:1E",
            key: "0a4552cb19a639b72b8ed09bde6d5bfa"),
        mi(
            "test_Xiaomi_XMOSB01XS_OCCUPANCY", "585983461fbdb1c46748d49d1efd8c040000e57e873a",
            "product 18051, occupancy false", counter: 31, address: "D4:48:67:C4:B1:BD",
            key: "920ce119b34410d38251ccea54c0f915"),
        mi(
            "test_Xiaomi_PTX_press", "5859bb3804adb9a538c1a4dc10b50400002c122fb6", "product 14523", "button press",
            counter: 4, address: "A4:C1:38:A5:B9:AD", key: "a74510b40386d35ae6227a7451efc76e"),
        mi(
            "test_Xiaomi_XMWXKG01LM_press", "58598723350537243cc218d67794020000cb2de309", "product 9095",
            "button press", counter: 53, address: "18:C2:3C:24:37:05", key: "7202a2d4201bbf82ea5bb3705657c32a"),
        mi(
            "test_Xiaomi_XMWS01XS_press", "5859685952116e205fb9083026548d020000ce31cfc3", "product 22888",
            "button press", counter: 82, address: "08:B9:5F:20:6E:11", key: "59ba8eef0f5351bb09d6896762d5afa5"),
        mi(
            "test_Xiaomi_XMWS01XS_double_press", "5859685951116e205fb908d91bd58502000007cca849", "product 22888",
            "button double_press #2", counter: 81, address: "08:B9:5F:20:6E:11", key: "59ba8eef0f5351bb09d6896762d5afa5"
        ),
        mi(
            "test_Xiaomi_XMWS01XS_long_press", "5859685953116e205fb908f3785181020000eac183f4", "product 22888",
            "button long_press #2", counter: 83, address: "08:B9:5F:20:6E:11", key: "59ba8eef0f5351bb09d6896762d5afa5"),
        mi(
            "test_Xiaomi_ES3_illuminance", "4859fb50d986d27e8f5313e900000030ad6da8",
            "product 20731, illuminance 173 lx", counter: 217, address: "A4:C1:38:C7:C3:76",
            key: "b26295a7a08fbac306c8706ade7f0fe4"),
        mi(
            "test_Xiaomi_ES3_occupancy_on", "5859fb50da76c3c738c1a4aabc4c16000000c60c1646",
            "product 20731, occupancy true", counter: 218, address: "A4:C1:38:C7:C3:76",
            key: "b26295a7a08fbac306c8706ade7f0fe4"),
        mi(
            "test_Xiaomi_ES3_occupancy_off", "5859fb50328a88a438c1a4458a85b796000048fe13ba",
            "product 20731, occupancy false", counter: 50, address: "A4:C1:38:A4:88:8A",
            key: "fb352ea2139ab095877a9e2ae600c912"),
        mi(
            "test_Xiaomi_KS1_double_press", "5859613ab4e6fea138c1a45905b5b90900006b8211cd", "product 14945",
            "button double_press #2", counter: 180, address: "A4:C1:38:A1:FE:E6",
            key: "8bdff7d0f70fa7f5c68f42157b5fd65b"),
        mi(
            "test_Xiaomi_KS1_long_press", "5859613ab4e6fea138c1a45a05b5b9090000b43ff116", "product 14945",
            "button long_press #2", counter: 180, address: "A4:C1:38:A1:FE:E6", key: "8bdff7d0f70fa7f5c68f42157b5fd65b"),
        mi(
            "test_Xiaomi_KS2_button_press", "58590b52b4e6fea138c1a4308fa80900000de1ebdb", "product 21003",
            "button press", counter: 180, address: "A4:C1:38:A1:FE:E6", key: "8bdff7d0f70fa7f5c68f42157b5fd65b"),
        mi(
            "test_Xiaomi_KS2_double_press", "58590b52b4e6fea138c1a4318fa8090000ff75594b", "product 21003",
            "button double_press", counter: 180, address: "A4:C1:38:A1:FE:E6", key: "8bdff7d0f70fa7f5c68f42157b5fd65b"),
        mi(
            "test_Xiaomi_KS2_long_press", "58590b52b4e6fea138c1a4328fa8090000856f02bf", "product 21003",
            "button long_press", counter: 180, address: "A4:C1:38:A1:FE:E6", key: "8bdff7d0f70fa7f5c68f42157b5fd65b"),
        mi(
            "test_Xiaomi_KS2_temperature", "48590b52b3c1b85c50f35c570900004a9ed6b8",
            "product 21003, temperature 26.2 °C", counter: 179, address: "A4:C1:38:A1:FE:E6",
            key: "8bdff7d0f70fa7f5c68f42157b5fd65b"),
        mi(
            "test_Xiaomi_KS2_humidity", "58590b526ce6fea138c1a4430540670b00004c4445f1", "product 21003, humidity 71 %",
            counter: 108, address: "A4:C1:38:A1:FE:E6", key: "8bdff7d0f70fa7f5c68f42157b5fd65b"),
        mi(
            "test_Xiaomi_M2456B1_charging_state", "4859fc59c32705ff45020000d6d291b3", "product 23036", counter: 195,
            problem: .unknownObject(0x5422), address: "04:34:C3:75:6F:6D", key: "05eecf799ee981b3b73664e114b9373b"),
        mi(
            "test_Xiaomi_ES5BB_illuminance", "48590f6abc7a1f20cfb0b0971c00009dad6cca",
            "product 27151, illuminance 8 lx", counter: 188, address: "E8:B5:27:74:91:EE",
            key: "068a081b4e5aa7295ebf263585adf4f1"),
        mi(
            "test_Xiaomi_ES5BB_occupancy", "58590f6a11ee917427b5e83567ac0e1c0000f681b610",
            "product 27151, occupancy true", counter: 17, address: "E8:B5:27:74:91:EE",
            key: "068a081b4e5aa7295ebf263585adf4f1"),
        mi(
            "test_Xiaomi_ES5BB_duration_detected", "58590f6abdee917427b5e885884d061c0000c263fbd0",
            "product 27151, durationDetected 1 min", counter: 189, address: "E8:B5:27:74:91:EE",
            key: "068a081b4e5aa7295ebf263585adf4f1"),
        mi(
            "test_Xiaomi_ES5BB_duration_cleared", "58590f6ac1ee917427b5e8bb7b2c201c0000f252a862",
            "product 27151, durationCleared 1 min", counter: 193, address: "E8:B5:27:74:91:EE",
            key: "068a081b4e5aa7295ebf263585adf4f1"),
        mi(
            "test_Xiaomi_PS1BB_pressure_present_duration", "59584c3f2012efbe38c1a4bbacc927535b030000004cdc48fd",
            "product 16204, durationDetected 7800 s", counter: 32, address: "A4:C1:38:BE:EF:12",
            key: "8b72476b60fe2a0b63bf58d588fe4ea1"),
        mi(
            "test_Xiaomi_PS1BB_pressure_state_occupied", "58594c3f1012efbe38c1a47f7b3e9500000035019b75",
            "product 16204, occupancy true", counter: 16, address: "A4:C1:38:BE:EF:12",
            key: "8b72476b60fe2a0b63bf58d588fe4ea1"),
        mi(
            "test_Xiaomi_PS1BB_pressure_state_clear", "58594c3f1312efbe38c1a418e36bcb000000e6fab951",
            "product 16204, occupancy false", counter: 19, address: "A4:C1:38:BE:EF:12",
            key: "8b72476b60fe2a0b63bf58d588fe4ea1"),
        mi(
            "test_Xiaomi_PS1BB_pressure_not_present_duration", "59584c3f2112efbe38c1a4558db5277810330000001906bc63",
            "product 16204, durationCleared 120 s", counter: 33, address: "A4:C1:38:BE:EF:12",
            key: "8b72476b60fe2a0b63bf58d588fe4ea1"),
        mi(
            "test_Xiaomi_PS1BB_battery", "59584c3f2212efbe38c1a4da2cec2100000029c7c0c7", "product 16204, battery 100 %",
            counter: 34, address: "A4:C1:38:BE:EF:12", key: "8b72476b60fe2a0b63bf58d588fe4ea1"),
    ]
}
