// Written by vectors.py; change that and run it again.

extension ConversionVector {
    static let t5400: [ConversionVector] = [
        ConversionVector(
            "d9f6cb84", calibration: "81b2f863febe4e8d591bc607bff6a615",
            [18.610433161258698, 102148.51369548283]
        ),
        ConversionVector(
            "ffffffff", calibration: "81b2f863febe4e8d591bc607bff6a615",
            [24.9894637465477, 197561.9298973549]
        ),
        ConversionVector("00000000", calibration: "81b2f863febe4e8d591bc607bff6a615", [24.9921875, nil]),
        ConversionVector(
            "ff7fffff", calibration: "81b2f863febe4e8d591bc607bff6a615",
            [114.2414168715477, 235585.9521119671]
        ),
        ConversionVector(
            "0080ffff", calibration: "81b2f863febe4e8d591bc607bff6a615",
            [-64.259765625, 164424.7910118103]
        ),
        ConversionVector(
            "00800100", calibration: "81b2f863febe4e8d591bc607bff6a615",
            [-64.259765625, 3277.4589881896973]
        ),
        ConversionVector("a8610000", calibration: "81b2f863febe4e8d591bc607bff6a615", [93.08602380752563, nil]),
        ConversionVector(
            "d9f6cb84", calibration: "ffffffffffffffffff7fff7fff7fff7f",
            [54.84681934118271, 165771.16182663906]
        ),
        ConversionVector(
            "ffffffff", calibration: "ffffffffffffffffff7fff7fff7fff7f",
            [63.995117247104645, 294900.75014114287]
        ),
        ConversionVector("00000000", calibration: "ffffffffffffffffff7fff7fff7fff7f", [63.9990234375, nil]),
        ConversionVector(
            "ff7fffff", calibration: "ffffffffffffffffff7fff7fff7fff7f",
            [191.99316412210464, 380913.2501907337]
        ),
        ConversionVector(
            "0080ffff", calibration: "ffffffffffffffffff7fff7fff7fff7f",
            [-63.9990234375, 233464.75004959106]
        ),
        ConversionVector(
            "00800100", calibration: "ffffffffffffffffff7fff7fff7fff7f",
            [-63.9990234375, 28674.249950408936]
        ),
        ConversionVector("a8610000", calibration: "ffffffffffffffffff7fff7fff7fff7f", [161.65378332138062, nil]),
        ConversionVector(
            "d9f6cb84", calibration: "ffffffffffffffff0080008000800080",
            [54.84681934118271, 101322.31155644648]
        ),
        ConversionVector(
            "ffffffff", calibration: "ffffffffffffffff0080008000800080",
            [63.995117247104645, 229366.25011062587]
        ),
        ConversionVector("00000000", calibration: "ffffffffffffffff0080008000800080", [63.9990234375, nil]),
        ConversionVector(
            "ff7fffff", calibration: "ffffffffffffffff0080008000800080",
            [191.99316412210464, 274421.12511825527]
        ),
        ConversionVector(
            "0080ffff", calibration: "ffffffffffffffff0080008000800080",
            [-63.9990234375, 159738.12504577637]
        ),
        ConversionVector(
            "00800100", calibration: "ffffffffffffffff0080008000800080",
            [-63.9990234375, -28669.125045776367]
        ),
        ConversionVector("a8610000", calibration: "ffffffffffffffff0080008000800080", [161.65378332138062, nil]),
        ConversionVector("e0b1409c", calibration: "0000000000000000000000000000ffff", [0.0, -0.046566128730773926]),
        ConversionVector("e0b1409c", calibration: "01000000000000000000000000000000", [-0.0011920928955078125, 0.0]),
        ConversionVector("e0b1409c", calibration: "00000100000000000000000000000000", [0.0009765625, 0.0]),
        ConversionVector("e0b1409c", calibration: "00000000010000000000000000000000", [0.0, 2.44140625]),
        ConversionVector("e0b1409c", calibration: "00000000000001000000000000000000", [0.0, -0.3725290298461914]),
        ConversionVector("e0b1409c", calibration: "00000000000000000100000000000000", [0.0, 0.056843418860808015]),
        ConversionVector("e0b1409c", calibration: "00000000000000000000010000000000", [0.0, 1.0]),
        ConversionVector("e0b1409c", calibration: "00000000000000000000000001000000", [0.0, -0.152587890625]),
        ConversionVector("e0b1409c", calibration: "00000000000000000000000000000100", [0.0, 0.046566128730773926]),
        ConversionVector(
            "eecec692", calibration: "7135abe568d3a5030cc161544bf9c6dd",
            [47.17329490184784, 145175.32680224485]
        ),
        ConversionVector(
            "e4ea10e0", calibration: "9a639b96087fb4023527b95af4f1a22c",
            [29.438372135162354, 137223.7096539211]
        ),
        ConversionVector(
            "f1d10356", calibration: "e767576c8d0ad8483ff0cd96340ec68c",
            [8.391227185726166, -26403.91227531568]
        ),
        ConversionVector(
            "6b72c429", calibration: "2f020b30c707d91d63faf13cb849f7d4",
            [12.986688911914825, 21084.796282932002]
        ),
        ConversionVector(
            "568253b8", calibration: "51979c8c281dadd91161734e6d42dff7",
            [-39.125134110450745, 2075.888031129624]
        ),
        ConversionVector(
            "f460684e", calibration: "a552ecbecd498a41d4efbdb704dbb87d",
            [79.02986550331116, 8872.390620675042]
        ),
        ConversionVector(
            "0477202e", calibration: "118ed05ca4a8ff27902c79a0e99333c6",
            [89.25047707557678, 787.5073637364258]
        ),
        ConversionVector(
            "d89de1c6", calibration: "aac97506a91f5c41c79acb785e6f1773",
            [-75.70835208892822, 39881.730240407516]
        ),
        ConversionVector(
            "80d9acfb", calibration: "7eeab7b8d01f5913190dfa467dfbaa1e",
            [10.913284301757812, 48980.84115474927]
        ),
        ConversionVector(
            "79af1533", calibration: "88270a357f272a88f7f2630dce2e7f26",
            [0.8248181343078613, 5658.448045966438]
        ),
        ConversionVector(
            "e25872f4", calibration: "7e0dd473c5fecf0948dff9c9bb7f9251",
            [33.64149832725525, 242913.8259607441]
        ),
        ConversionVector(
            "2634a61f", calibration: "99bf091ddbb856275e6160e9c63d888f",
            [46.2881578207016, 19257.93211884254]
        ),
        ConversionVector(
            "d4b7e309", calibration: "c685a593f52d85abf8dd0d2d97cb16c5",
            [-0.8024601936340332, 13659.48384526383]
        ),
        ConversionVector(
            "d0adb14d", calibration: "43495a9c779d6a2302c506d60a9d28a3",
            [15.567587852478027, 38791.44069894425]
        ),
        ConversionVector(
            "178950e7", calibration: "0c1a1498bb076cd754db2987c8bd7694",
            [25.920945405960083, -70936.49618376658]
        ),
        ConversionVector(
            "9dc0d4e9", calibration: "b4b3b7f2c0acb2b3e06ede1908ed2a46",
            [16.18343186378479, 150130.88397695046]
        ),
        ConversionVector(
            "4834742f", calibration: "30d869ef53154617f47d1c332012f296",
            [104.00313568115234, 17744.93125249792]
        ),
        ConversionVector(
            "b6269227", calibration: "4b6fdcb57dc7f0064ccdaa04064f7ee2",
            [62.293965458869934, 34249.571785625594]
        ),
        ConversionVector(
            "dab10dcb", calibration: "9cb43a106d75e16a2f2b606606be7466",
            [-51.07750177383423, 112949.02622655599]
        ),
        ConversionVector(
            "ebe60de9", calibration: "a7d2c0f309fd97c2793eb9fd941f024d",
            [40.29848176240921, 226249.17314139512]
        ),
    ]
}
