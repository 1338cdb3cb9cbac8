extension AssignedNumbers {
    /// Company identifiers. Written by `Scripts/measure numbers`.
    static var companies1: String {
        """
        0000Ericsson AB~0001Nokia Mobile Phones~0002Intel Corp.~0003IBM Corp.~0004Toshiba Corp.~00053Com~0006Microsoft\
        ~0007Lucent~0008Motorola~0009Infineon Technologies AG~000AQualcomm Technologies International, Ltd. (QTIL)~000\
        BSilicon Wave~000CDigianswer A/S~000DTexas Instruments Inc.~000EParthus Technologies Inc.~000FBroadcom Corpora\
        tion~0010Mitel Semiconductor~0011Widcomm, Inc.~0012Zeevo, Inc.~0013Atmel Corporation~0014Mitsubishi Electric C\
        orporation~0015RTX A/S~0016KC Technology Inc.~0017Newlogic~0018Transilica, Inc.~0019Rohde & Schwarz GmbH & Co.\
         KG~001ATTPCom Limited~001BSignia Technologies, Inc.~001CConexant Systems Inc.~001DQualcomm~001EInventel~001FA\
        VM Berlin~0020BandSpeed, Inc.~0021Mansella Ltd~0022NEC Corporation~0023WavePlus Technology Co., Ltd.~0024Alcat\
        el~0025NXP B.V.~0026C Technologies~0027Open Interface~0028R F Micro Devices~0029Hitachi Ltd~002ASymbol Technol\
        ogies, Inc.~002BTenovis~002CMacronix International Co. Ltd.~002DGCT Semiconductor~002ENorwood Systems~002FMewT\
        el Technology Inc.~0030ST Microelectronics~0031Synopsys, Inc.~0032Red-M (Communications) Ltd~0033Commil Ltd~00\
        34Computer Access Technology Corporation (CATC)~0035Eclipse (HQ Espana) S.L.~0036Renesas Electronics Corporati\
        on~0037Mobilian Corporation~0038Syntronix Corporation~0039Integrated System Solution Corp.~003APanasonic Holdi\
        ngs Corporation~003BGennum Corporation~003CBlackBerry Limited~003DIPextreme, Inc.~003ESystems and Chips, Inc~0\
        03FBluetooth SIG, Inc~0040Seiko Epson Corporation~0041Integrated Silicon Solution Taiwan, Inc.~0042CONWISE Tec\
        hnology Corporation Ltd~0043PARROT AUTOMOTIVE SAS~0044Socket Mobile~0045Atheros Communications, Inc.~0046Media\
        Tek, Inc.~0047Bluegiga~0048Marvell Technology Group Ltd.~00493DSP Corporation~004AAccel Semiconductor Ltd.~004\
        BContinental Automotive Systems~004CApple, Inc.~004DStaccato Communications, Inc.~004EAvago Technologies~004FA\
        PT Ltd.~0050SiRF Technology, Inc.~0051Tzero Technologies, Inc.~0052J&M Corporation~0053Free2move AB~00543DiJoy\
         Corporation~0055Plantronics, Inc.~0056Sony Ericsson Mobile Communications~0057Harman International Industries\
        , Inc.~0058Vizio, Inc.~0059Nordic Semiconductor ASA~005AEM Microelectronic-Marin SA~005BRalink Technology Corp\
        oration~005CBelkin International, Inc.~005DRealtek Semiconductor Corporation~005EStonestreet One, LLC~005FWice\
        ntric, Inc.~0060RivieraWaves S.A.S~0061RDA Microelectronics~0062Gibson Guitars~0063MiCommand Inc.~0064Band XI\
         International, LLC~0065HP, Inc.~00669Solutions Oy~0067GN Audio A/S~0068General Motors~0069A&D Engineering, In\
        c.~006AMindTree Ltd.~006BPolar Electro OY~006CBeautiful Enterprise Co., Ltd.~006DBriarTek, Inc~006ESummit Data\
         Communications, Inc.~006FSound ID~0070Monster, LLC~0071connectBlue AB~0072ShangHai Super Smart Electronics Co\
        . Ltd.~0073Group Sense Ltd.~0074Zomm, LLC~0075Samsung Electronics Co. Ltd.~0076Creative Technology Ltd.~0077La\
        ird Connectivity LLC~0078Nike, Inc.~0079lesswire AG~007AMStar Semiconductor, Inc.~007BHanlynn Technologies~007\
        CA & R Cambridge~007DSeers Technology Co., Ltd.~007ESports Tracking Technologies Ltd.~007FAutonet Mobile~0080D\
        eLorme Publishing Company, Inc.~0081WuXi Vimicro~0082DSEA A/S~0083TimeKeeping Systems, Inc.~0084Ludus Helsinki\
         Ltd.~0085BlueRadios, Inc.~0086Equinux AG~0087Garmin International, Inc.~0088Ecotest~0089GN Hearing A/S~008AJa\
        wbone~008BTopcon Positioning Systems, LLC~008CGimbal Inc.~008DZscan Software~008EQuintic Corp~008FTelit Wirele\
        ss Solutions GmbH~0090Funai Electric Co., Ltd.~0091Advanced PANMOBIL systems GmbH & Co. KG~0092ThinkOptics, In\
        c.~0093Universal Electronics, Inc.~0094Airoha Technology Corp.~0095NEC Lighting, Ltd.~0096ODM Technology, Inc.\
        ~0097ConnecteDevice Ltd.~0098zero1.tv GmbH~0099i.Tech Dynamic Global Distribution Ltd.~009AAlpwise~009BJiangsu\
         Toppower Automotive Electronics Co., Ltd.~009CColorfy, Inc.~009DGeoforce Inc.~009EBose Corporation~009FSuunto\
         Oy~00A0Kensington Computer Products Group~00A1SR-Medizinelektronik~00A2Vertu Corporation Limited~00A3Meta Wat\
        ch Ltd.~00A4LINAK A/S~00A5OTL Dynamics LLC~00A6Panda Ocean Inc.~00A7Visteon Corporation~00A8ARP Devices Limite\
        d~00A9MARELLI EUROPE S.P.A.~00AACAEN RFID srl~00ABIngenieur-Systemgruppe Zahn GmbH~00ACGreen Throttle Games~00\
        ADPeter Systemtechnik GmbH~00AEOmegawave Oy~00AFCinetix~00B0Passif Semiconductor Corp~00B1Saris Cycling Group,\
         Inc~00B2Bekey A/S~00B3Clarinox Technologies Pty. Ltd.~00B4BDE Technology Co., Ltd.~00B5Swirl Networks~00B6Mes\
        o international~00B7TreLab Ltd~00B8Qualcomm Innovation Center, Inc. (QuIC)~00B9Johnson Controls, Inc.~00BAStar\
        key Hearing Technologies~00BBS-Power Electronics Limited~00BCAce Sensor Inc~00BDAplix Corporation~00BEAAMP of\
         America~00BFStalmart Technology Limited~00C0AMICCOM Electronics Corporation~00C1Shenzhen Excelsecu Data Techn\
        ology Co.,Ltd~00C2Geneq Inc.~00C3adidas AG~00C4LG Electronics~00C5Onset Computer Corporation~00C6Selfly BV~00C\
        7Quuppa Oy.~00C8GeLo Inc~00C9Evluma~00CAMC10~00CBBinauric SE~00CCBeats Electronics~00CDMicrochip Technology In\
        c.~00CEEve Systems GmbH~00CFARCHOS SA~00D0Dexcom, Inc.~00D1Polar Electro Europe B.V.~00D2Dialog Semiconductor\
         B.V.~00D3Taixingbang Technology (HK) Co,. LTD.~00D4Kawantech~00D5Austco Communication Systems~00D6Timex Group\
         USA, Inc.~00D7Qualcomm Technologies, Inc.~00D8Qualcomm Connected Experiences, Inc.~00D9Voyetra Turtle Beach~0\
        0DAtxtr GmbH~00DBSnuza (Pty) Ltd~00DCProcter & Gamble~00DDHosiden Corporation~00DEMuzik LLC~00DFMisfit Wearabl\
        es Corp~00E0Google~00E1Danlers Ltd~00E2Semilink Inc~00E3inMusic Brands, Inc~00E4L.S. Research, Inc.~00E5Eden S\
        oftware Consultants Ltd.~00E6Freshtemp~00E7KS Technologies~00E8ACTS Technologies~00E9Vtrack Systems~00EAwww.vt\
        racksystems.com~00EBServer Technology Inc.~00ECBioResearch Associates~00EDJolly Logic, LLC~00EEAbove Average O\
        utcomes, Inc.~00EFBitsplitters GmbH~00F0PayPal, Inc.~00F1Witron Technology Limited~00F2Morse Project Inc.~00F3\
        Kent Displays Inc.~00F4Nautilus Inc.~00F5Smartifier Oy~00F6Elcometer Limited~00F7VSN Technologies, Inc.~00F8Ac\
        eUni Corp., Ltd.~00F9StickNFind~00FACrystal Alarm AB~00FBKOUKAAM a.s.~00FCDelphi Corporation~00FDValenceTech L\
        imited~00FEStanley Black and Decker~00FFTypo Products, LLC~0100TomTom International BV~0101Fugoo, Inc.~0102Kei\
        ser Corporation~0103Bang & Olufsen A/S~0104PLUS Location Systems Pty Ltd~0105Ubiquitous Computing Technology C\
        orporation~0106Innovative Yachtter Solutions~0107Demant A/S~0108Chicony Electronics Co., Ltd.~0109Atus BV~010A\
        Codegate Ltd~010BERi, Inc~010CTransducers Direct, LLC~010DDENSO TEN Limited~010EAudi AG~010FHiSilicon Technolo\
        gies CO., LIMITED~0110Nippon Seiki Co., Ltd.~0111Steelseries ApS~0112Visybl Inc.~0113Openbrain Technologies, C\
        o., Ltd.~0114Xensr~0115e.solutions~011610AK Technologies~0117Wimoto Technologies Inc~0118Radius Networks, Inc.\
        ~0119Wize Technology Co., Ltd.~011AQualcomm Labs, Inc.~011BHewlett Packard Enterprise~011CBaidu~011DArendi AG~\
        011ESkoda Auto a.s.~011FVolkswagen AG~0120Porsche AG~0121Sino Wealth Electronic Ltd.~0122AirTurn, Inc.~0123Kin\
        sa, Inc~0124HID Global~0125SEAT es~0126Promethean Ltd.~0127Salutica Allied Solutions~0128GPSI Group Pty Ltd~01\
        29Nimble Devices Oy~012AChangzhou Yongse Infotech Co., Ltd.~012BSportIQ~012CTEMEC Instruments B.V.~012DSony Co\
        rporation~012EASSA ABLOY~012FClarion Co. Inc.~0130Warehouse Innovations~0131Cypress Semiconductor~0132MADS Inc\
        ~0133Blue Maestro Limited~0134Resolution Products, Ltd.~0135Aireware LLC~0136Silvair, Inc.~0137Prestigio Plaza\
         Ltd.~0138NTEO Inc.~0139Focus Systems Corporation~013ATencent Holdings Ltd.~013BAllegion~013CMurata Manufactur\
        ing Co., Ltd.~013DWirelessWERX~013ENod, Inc.~013FB&B Manufacturing Company~0140Alpine Electronics (China) Co.,\
         Ltd~0141FedEx Services~0142Grape Systems Inc.~0143Bkon Connect~0144Lintech GmbH~0145Novatel Wireless~0146Ciri\
        ght~0147Mighty Cast, Inc.~0148Ambimat Electronics~0149Perytons Ltd.~014ATivoli Audio, LLC~014BMaster Lock~014C\
        Mesh-Net Ltd~014DHUIZHOU DESAY SV AUTOMOTIVE CO., LTD.~014ETangerine, Inc.~014FB&W Group Ltd.~0150Pioneer Corp\
        oration~0151OnBeep~0152Vernier Software & Technology~0153ROL Ergo~0154Pebble Technology~0155NETATMO~0156Accumu\
        late AB~0157Anhui Huami Information Technology Co., Ltd.~0158Inmite s.r.o.~0159ChefSteps, Inc.~015Amicas AG~01\
        5BBiomedical Research Ltd.~015CPitius Tec S.L.~015DEstimote, Inc.~015EUnikey Technologies, Inc.~015FTimer Cap\
         Co.~0160AwoX~0161yikes~0162MADSGlobalNZ Ltd.~0163PCH International~0164Qingdao Yeelink Information Technology\
         Co., Ltd.~0165Milwaukee Electric Tools~0166MISHIK Pte Ltd~0167Ascensia Diabetes Care US Inc.~0168Spicebox LLC\
        ~0169emberlight~016AEmerson Digital Cold Chain, Inc.~016BQblinks~016CMYSPHERA~016DLifeScan Inc~016EVolantic AB\
        ~016FPodo Labs, Inc~0170Roche Diabetes Care AG~0171Amazon.com Services LLC~0172Connovate Technology Private Li\
        mited~0173Kocomojo, LLC~0174Everykey Inc.~0175Dynamic Controls~0176SentriLock~0177I-SYST inc.~0178CASIO COMPUT\
        ER CO., LTD.~0179LAPIS Semiconductor Co.,Ltd~017ATelemonitor, Inc.~017Btaskit GmbH~017CMercedes-Benz Group AG~\
        017DBatAndCat~017EBluDotz Ltd~017FXTel Wireless ApS~0180Gigaset Communications GmbH~0181Gecko Health Innovatio\
        ns, Inc.~0182HOP Ubiquitous~0183Walt Disney~0184Nectar~0185bel'apps LLC~0186CORE Lighting Ltd~0187Seraphim Sen\
        se Ltd~0188Unico RBC~0189Physical Enterprises Inc.~018AAble Trend Technology Limited~018BKonica Minolta, Inc.~\
        018CWilo SE~018DExtron Design Services~018EFitbit, Inc.~018FFireflies Systems~0190Intelletto Technologies Inc.\
        ~0191FDK CORPORATION~0192Cloudleaf, Inc~0193Maveric Automation LLC~0194Acoustic Stream Corporation~0195Zuli~01\
        96Paxton Access Ltd~0197WiSilica Inc.~0198VENGIT Korlatolt Felelossegu Tarsasag~0199SALTO SYSTEMS S.L.~019ATRO\
        N Forum~019BCUBETECH s.r.o.~019CCokiya Incorporated~019DCVS Health~019ECeruus~019FStrainstall Ltd~01A0Channel\
         Enterprises (HK) Ltd.~01A1FIAMM~01A2GIGALANE.CO.,LTD~01A3EROAD~01A4MSA Innovation, LLC~01A5Icon Health and Fi\
        tness~01A6Wille Engineering~01A7ENERGOUS CORPORATION~01A8Taobao~01A9Canon Inc.~01AAGeophysical Technology Inc.\
        ~01ABMeta Platforms, Inc.~01ACTrividia Health, Inc.~01ADFlightSafety International~01AEEarlens Corporation~01A\
        FSunrise Micro Devices, Inc.~01B0Star Micronics Co., Ltd.~01B1Netizens Sp. z o.o.~01B2Nymi Inc.~01B3Nytec, Inc\
        .~01B4Trineo Sp. z o.o.~01B5Nest Labs Inc.~01B6LM Technologies Ltd~01B7General Electric Company~01B8i+D3 S.L.~\
        01B9HANA Micron~01BAStages Cycling LLC~01BBCochlear Bone Anchored Solutions AB~01BCSenionLab AB~01BDSyszone Co\
        ., Ltd~01BEPulsate Mobile Ltd.~01BFHongkong OnMicro Electronics Limited~01C0pironex GmbH~01C1BRADATECH Corp.~0\
        1C2Transenergooil AG~01C3Bunch~01C4DME Microelectronics~01C5Bitcraze AB~01C6HASWARE Inc.~01C7Abiogenix Inc.~01\
        C8Poly-Control ApS~01C9Avi-on~01CALaerdal Medical AS~01CBFetch My Pet~01CCSam Labs Ltd.~01CDChengdu Synwing Te\
        chnology Ltd~01CEHOUWA SYSTEM DESIGN, k.k.~01CFBSH~01D0Primus Inter Pares Ltd~01D1August Home, Inc~01D2Gill El\
        ectronics~01D3Sky Wave Design~01D4Newlab S.r.l.~01D5ELAD srl~01D6G-wearables inc.~01D7Squadrone Systems Inc.~0\
        1D8Code Corporation~01D9Savant Systems LLC~01DALogitech International SA~01DBInnblue Consulting~01DCiParking L\
        td.~01DDKoninklijke Philips N.V.~01DEMinelab Electronics Pty Limited~01DFBison Group Ltd.~01E0Widex A/S~01E1Jo\
        lla Ltd~01E2Lectronix, Inc.~01E3Caterpillar Inc~01E4Freedom Innovations~01E5Dynamic Devices Ltd~01E6Technology\
         Solutions (UK) Ltd~01E7IPS Group Inc.~01E8STIR~01E9Sano, Inc.~01EAAdvanced Application Design, Inc.~01EBAutoM\
        ap LLC~01ECSpreadtrum Communications Shanghai Ltd~01EDCuteCircuit LTD~01EEValeo Service~01EFFullpower Technolo\
        gies, Inc.~01F0KloudNation~01F1Zebra Technologies Corporation~01F2Itron, Inc.~01F3The University of Tokyo~01F4\
        UTC Fire and Security~01F5Cool Webthings Limited~01F6DJO Global~01F7Gelliner Limited~01F8Anyka (Guangzhou) Mic\
        roelectronics Technology Co, LTD~01F9Medtronic Inc.~01FAGozio Inc.~01FBForm Lifting, LLC~01FCWahoo Fitness, LL\
        C~01FDKontakt Micro-Location Sp. z o.o.~01FERadio Systems Corporation~01FFFreescale Semiconductor, Inc.~0200Ve\
        rifone Systems Pte Ltd. Taiwan Branch~0201AR Timing~0202Rigado LLC~0203Kemppi Oy~0204Tapcentive Inc.~0205Smart\
        botics Inc.~0206Otter Products, LLC~0207STEMP Inc.~0208LumiGeek LLC~0209InvisionHeart Inc.~020AMacnica Inc.~02\
        0BJaguar Land Rover Limited~020CCoroWare Technologies, Inc~020DSimplo Technology Co., LTD~020EOmron Healthcare\
         Co., LTD~020FComodule GMBH~0210ikeGPS~0211Telink Semiconductor Co. Ltd~0212Interplan Co., Ltd~0213Wyler AG~02\
        14IK Multimedia Production srl~0215Lukoton Experience Oy~0216MTI Ltd~0217Tech4home, Lda~0218Hiotech AB~0219DOT\
        T Limited~021ABlue Speck Labs, LLC~021BCisco Systems, Inc~021CMobicomm Inc~021DEdamic~021EGoodnet, Ltd~021FLus\
        ter Leaf Products Inc~0220Manus Machina BV~0221Mobiquity Networks Inc~0222Praxis Dynamics~0223Philip Morris Pr\
        oducts S.A.~0224Comarch SA~0225Nestlé Nespresso S.A.~0226Merlinia A/S~0227LifeBEAM Technologies~0228Twocanoes\
         Labs, LLC~0229Muoverti Limited~022AStamer Musikanlagen GMBH~022BTesla, Inc.~022CPharynks Corporation~022DLupi\
        ne~022ESiemens AG~022FHuami (Shanghai) Culture Communication CO., LTD~0230Foster Electric Company, Ltd~0231ETA\
         SA~0232x-Senso Solutions Kft~0233Shenzhen SuLong Communication Ltd~0234FengFan (BeiJing) Technology Co, Ltd~0\
        235Qrio Inc~0236Pitpatpet Ltd~0237MSHeli s.r.l.~0238Trakm8 Ltd~0239JIN CO, Ltd~023AAlatech Tehnology~023BBeiji\
        ng CarePulse Electronic Technology Co, Ltd~023CAwarepoint~023DViCentra B.V.~023ERaven Industries~023FWaveWare\
         Technologies Inc.~0240Argenox Technologies~0241Bragi GmbH~024216Lab Inc~0243Masimo Corp~0244Iotera Inc~0245En\
        dress+Hauser~0246ACKme Networks, Inc.~0247FiftyThree Inc.~0248Parker Hannifin Corp~0249Transcranial Ltd~024AUw\
        atec AG~024BOrlan LLC~024CBlue Clover Devices~024DM-Way Solutions GmbH~024EMicrotronics Engineering GmbH~024FS\
        chneider Schreibgeräte GmbH~0250Sapphire Circuits LLC~0251Lumo Bodytech Inc.~0252UKC Technosolution~0253Xicato\
         Inc.~0254Playbrush~0255Dai Nippon Printing Co., Ltd.~0256G24 Power Limited~0257AdBabble Local Commerce Inc.~0\
        258Devialet SA~0259ALTYOR~025AUniversity of Applied Sciences Valais/Haute Ecole Valaisanne~025BFive Interactiv\
        e, LLC dba Zendo~025CNetEase（Hangzhou）Network co.Ltd.~025DLexmark International Inc.~025EFluke Corporation~025\
        FYardarm Technologies~0260SensaRx~0261SECVRE GmbH~0262Glacial Ridge Technologies~0263Identiv, Inc.~0264DDS, In\
        c.~0265SMK Corporation~0266Schawbel Technologies LLC~0267XMI Systems SA~0268Cerevo~0269Torrox GmbH & Co KG~026\
        AGemalto~026BDEKA Research & Development Corp.~026CDomster Tadeusz Szydlowski~026DTechnogym SPA~026EFLEURBAEY\
         BVBA~026FAptcode Solutions~0270LSI ADL Technology~0271Animas Corp~0272Alps Alpine Co., Ltd.~0273OCEASOFT~0274\
        Motsai Research~0275Geotab~0276E.G.O. Elektro-Geraetebau GmbH~0277bewhere inc~0278Johnson Outdoors Inc~0279ste\
        ute Schaltgerate GmbH & Co. KG~027AEkomini inc.~027BDEFA AS~027CAseptika Ltd~027DHUAWEI Technologies Co., Ltd.\
        ~027EHabitAware, LLC~027Fruwido austria gmbh~0280ITEC corporation~0281StoneL~0282Sonova AG~0283Maven Machines,\
         Inc.~0284Synapse Electronics~0285WOWTech Canada Ltd.~0286RF Code, Inc.~0287Wally Ventures S.L.~0288Willowbank\
         Electronics Ltd~0289SK Telecom~028AJetro AS~028BCode Gears LTD~028CNANOLINK APS~028DIF, LLC~028ERF Digital Co\
        rp~028FChurch & Dwight Co., Inc~0290Multibit Oy~0291CliniCloud Inc~0292SwiftSensors~0293Blue Bite~0294ELIAS Gm\
        bH~0295Sivantos GmbH~0296Petzl~0297storm power ltd~0298EISST Ltd~0299Inexess Technology Simma KG~029ACurrant,\
         Inc.~029BC2 Development, Inc.~029CBlue Sky Scientific, LLC~029DALOTTAZS LABS, LLC~029EKupson spol. s r.o.~029\
        FAreus Engineering GmbH~02A0Impossible Camera GmbH~02A1InventureTrack Systems~02A2Sera4 Ltd.~02A3Itude~02A4Pac\
        ific Lock Company~02A5Tendyron Corporation~02A6Robert Bosch GmbH~02A7Illuxtron international B.V.~02A8miSport\
         Ltd.~02A9Chargelib~02AADoppler Lab~02ABBBPOS Limited~02ACRTB Elektronik GmbH & Co. KG~02ADRx Networks, Inc.~0\
        2AEWeatherFlow, Inc.~02AFTechnicolor USA Inc.~02B0Bestechnic(Shanghai),Ltd~02B1Raden Inc~02B2Oura Health Oy~02\
        B3CLABER S.P.A.~02B4Hyginex, Inc.~02B5HANSHIN ELECTRIC RAILWAY CO.,LTD.~02B6Schneider Electric~02B7Oort Techno\
        logies LLC~02B8Chrono Therapeutics~02B9Rinnai Corporation~02BASwissprime Technologies AG~02BBKoha.,Co.Ltd~02BC\
        Genevac Ltd~02BDChemtronics~02BESeguro Technology Sp. z o.o.~02BFRedbird Flight Simulations~02C0Dash Robotics~\
        02C1LINE Corporation~02C2Guillemot Corporation~02C3Techtronic Power Tools Technology Limited~02C4Wilson Sporti\
        ng Goods~02C5Lenovo (Singapore) Pte Ltd.~02C6Ayatan Sensors~02C7Electronics Tomorrow Limited~02C8OneSpan~02C9P\
        ayRange Inc.~02CAABOV Semiconductor~02CBAINA-Wireless Inc.~02CCEijkelkamp Soil & Water~02CDBMA ergonomics b.v.\
        ~02CETeva Branded Pharmaceutical Products R&D, Inc.~02CFAnima~02D03M~02D1Empatica Srl~02D2Afero, Inc.~02D3Powe\
        rcast Corporation~02D4Secuyou ApS~02D5OMRON Corporation~02D6Send Solutions~02D7NIPPON SYSTEMWARE CO.,LTD.~02D8\
        Neosfar~02D9Fliegl Agrartechnik GmbH~02DAGilvader~02DBDigi International Inc (R)~02DCDeWalch Technologies, Inc\
        .~02DDFlint Rehabilitation Devices, LLC~02DESamsung SDS Co., Ltd.~02DFBlur Product Development~02E0University\
         of Michigan~02E1Victron Energy BV~02E2NTT docomo~02E3Carmanah Technologies Corp.~02E4Bytestorm Ltd.~02E5Espre\
        ssif Systems (Shanghai) Co., Ltd.~02E6Unwire~02E7Connected Yard, Inc.~02E8American Music Environments~02E9Sens\
        ogram Technologies, Inc.~02EAFujitsu Limited~02EBArdic Technology~02ECDelta Systems, Inc~02EDHTC Corporation~0\
        2EECitizen Holdings Co., Ltd.~02EFSMART-INNOVATION.inc~02F0Blackrat Software~02F1The Idea Cave, LLC~02F2GoPro,\
         Inc.~02F3AuthAir, Inc~02F4Vensi, Inc.~02F5Indagem Tech LLC~02F6Intemo Technologies~02F7DreamVisions co., Ltd.\
        ~02F8Runteq Oy Ltd~02F9IMAGINATION TECHNOLOGIES LTD~02FACoSTAR TEchnologies~02FBClarius Mobile Health Corp.~02\
        FCShanghai Frequen Microelectronics Co., Ltd.~02FDUwanna, Inc.~02FELierda Science & Technology Group Co., Ltd.\
        ~02FFSilicon Laboratories~0300World Moto Inc.~0301Giatec Scientific Inc.~0302Loop Devices, Inc~0303IACA electr\
        onique~0304Proxy Technologies, Inc.~0305Swipp ApS~0306Life Laboratory Inc.~0307FUJI INDUSTRIAL CO.,LTD.~0308Su\
        refire, LLC~0309Dolby Labs~030AEllisys~030BMagnitude Lighting Converters~030CHilti AG~030DDevdata S.r.l.~030ED\
        eviceworx~030FShortcut Labs~0310SGL Italia S.r.l.~0311PEEQ DATA~0312Ducere Technologies Pvt Ltd~0313DiveNav, I\
        nc.~0314RIIG AI Sp. z o.o.~0315Thermo Fisher Scientific~0316AG Measurematics Pvt. Ltd.~0317CHUO Electronics CO\
        ., LTD.~0318Aspenta International~0319Eugster Frismag AG~031AWurth Elektronik eiSos GmbH & Co. KG~031BHQ Inc~0\
        31CLab Sensor Solutions~031DEnterlab ApS~031EEyefi, Inc.~031FMetaSystem S.p.A.~0320SONO ELECTRONICS. CO., LTD~\
        0321Jewelbots~0322Compumedics Limited~0323Rotor Bike Components~0324Astro, Inc.~0325Amotus Solutions~0326Healt\
        hwear Technologies (Changzhou)Ltd~0327Essex Electronics~0328Grundfos A/S~0329Eargo, Inc.~032AElectronic Design\
         Lab~032BESYLUX~032CNIPPON SMT.CO.,Ltd~032DBM innovations GmbH~032Eindoormap~032FOttoQ Inc~0330North Pole Engi\
        neering~03313flares Technologies Inc.~0332Electrocompaniet A.S.~0333Mul-T-Lock~0334Airthings ASA~0335Enlighted\
         Inc~0336GISTIC~0337AJP2 Holdings, LLC~0338COBI GmbH~0339Blue Sky Scientific, LLC~033AAppception, Inc.~033BCou\
        rtney Thorne Limited~033CVirtuosys~033DTPV Technology Limited~033EMonitra SA~033FAutomation Components, Inc.~0\
        340Letsense s.r.l.~0341Etesian Technologies LLC~0342GERTEC BRASIL LTDA.~0343Drekker Development Pty. Ltd.~0344\
        Whirl Inc~0345Locus Positioning~0346Acuity Brands Lighting, Inc~0347Prevent Biometrics~0348Arioneo~0349VersaMe\
        ~034AVaddio~034BLibratone A/S~034CHM Electronics, Inc.~034DTASER International, Inc.~034ESafeTrust Inc.~034FHe\
        artland Payment Systems~0350Bitstrata Systems Inc.~0351Pieps GmbH~0352iRiding(Xiamen)Technology Co.,Ltd.~0353A\
        lpha Audiotronics, Inc.~0354TOPPAN FORMS CO.,LTD.~0355Sigma Designs, Inc.~0356Spectrum Brands, Inc.~0357Polyma\
        p Wireless~0358MagniWare Ltd.~0359Novotec Medical GmbH~035APhillips-Medisize A/S~035BMatrix Inc.~035CEaton Cor\
        poration~035DKYS~035ENaya Health, Inc.~035FAcromag~0360Insulet Corporation~0361Wellinks Inc.~0362ON Semiconduc\
        tor~0363FREELAP SA~0364Favero Electronics Srl~0365BioMech Sensor LLC~0366BOLTT Sports technologies Private lim\
        ited~0367Saphe International~0368Metormote AB~0369littleBits~036ASetPoint Medical~036BBRControls Products BV~0\
        36CZipcar~036DAirBolt Pty Ltd~036EMOTIVE TECHNOLOGIES, INC.~036FMotiv, Inc.~0370Wazombi Labs OÜ~0371ORBCOMM~03\
        72Nixie Labs, Inc.~0373AppNearMe Ltd~0374Holman Industries~0375Expain AS~0376Electronic Temperature Instrument\
        s Ltd~0377Plejd AB~0378Propeller Health~0379Shenzhen iMCO Electronic Technology Co.,Ltd~037AAlgoria~037BApptio\
        n Labs Inc.~037CCronologics Corporation~037DMICRODIA Ltd.~037Elulabytes S.L.~037FSociété des Produits Nestlé S\
        .A.~0380LLC \"MEGA-F service\"~0381Sharp Corporation~0382Precision Outcomes Ltd~0383Kronos Incorporated~0384OC\
        OSMOS Co., Ltd.~0385Embedded Electronic Solutions Ltd. dba e2Solutions~0386Aterica Inc.~0387BluStor PMC, Inc.~\
        0388Kapsch TrafficCom AB~0389ActiveBlu Corporation~038AKohler Mira Limited~038BNoke~038CAppion Inc.~038DResmed\
         Ltd~038ECrownstone B.V.~038FXiaomi Inc.~0390INFOTECH s.r.o.~0391Thingsquare AB~0392T&D~0393LAVAZZA S.p.A.~039\
        4Netclearance Systems, Inc.~0395SDATAWAY~0396BLOKS GmbH~0397LEGO System A/S~0398Thetatronics Ltd~0399Nikon Cor\
        poration~039ANeST~039BSouth Silicon Valley Microelectronics~039CALE International~039DCareView Communications,\
         Inc.~039ESchoolBoard Limited~039FMolex Corporation~03A0IVT Wireless Limited~03A1Alpine Labs LLC~03A2Candura I\
        nstruments~03A3SmartMovt Technology Co., Ltd~03A4Token Zero Ltd~03A5ACE CAD Enterprise Co., Ltd. (ACECAD)~03A6\
        Medela, Inc~03A7AeroScout~03A8Esrille Inc.~03A9THINKERLY SRL~03AAExon Sp. z o.o.~03ABMeizu Technology Co., Ltd\
        .~03ACSmablo LTD~03ADXiQ~03AEAllswell Inc.~03AFComm-N-Sense Corp DBA Verigo~03B0VIBRADORM GmbH~03B1Otodata Wir\
        eless Network Inc.~03B2Propagation Systems Limited~03B3Midwest Instruments & Controls~03B4Alpha Nodus, inc.~03\
        B5petPOMM, Inc~03B6Mattel~03B7Airbly Inc.~03B8A-Safe Limited~03B9FREDERIQUE CONSTANT SA~03BAMaxscend Microelec\
        tronics Company Limited~03BBAbbott~03BCASB Bank Ltd~03BDamadas~03BEApplied Science, Inc.~03BFiLumi Solutions I\
        nc.~03C0Arch Systems Inc.~03C1Ember Technologies, Inc.~03C2Snapchat Inc~03C3Casambi Technologies Oy~03C4Pico T\
        echnology Inc.~03C5St. Jude Medical, Inc.~03C6Intricon~03C7Structural Health Systems, Inc.~03C8Avvel Internati\
        onal~03C9Gallagher Group~03CAIn2things Automation Pvt. Ltd.~03CBSYSDEV Srl~03CCVonkil Technologies Ltd~03CDWyn\
        d Technologies, Inc.~03CECONTRINEX S.A.~03CFMIRA, Inc.~03D0Watteam Ltd~03D1Density Inc.~03D2IOT Pot India Priv\
        ate Limited~03D3Sigma Connectivity AB~03D4PEG PEREGO SPA~03D5Wyzelink Systems Inc.~03D6Yota Devices LTD~03D7FI\
        NSECUR~03D8Zen-Me Labs Ltd~03D93IWare Co., Ltd.~03DAEnOcean GmbH~03DBInstabeat, Inc~03DCNima Labs~03DDAndreas\
         Stihl AG & Co. KG~03DENathan Rhoades LLC~03DFGrob Technologies, LLC~03E0Actions (Zhuhai) Technology Co., Limi\
        ted~03E1SPD Development Company Ltd~03E2Sensoan Oy~03E3Qualcomm Life Inc~03E4Chip-ing AG~03E5ffly4u~03E6IoT In\
        struments Oy~03E7TRUE Fitness Technology~03E8Reiner Kartengeraete GmbH & Co. KG.~03E9SHENZHEN LEMONJOY TECHNOL\
        OGY CO., LTD.~03EAHello Inc.~03EBOzo Edu, Inc.~03ECJigowatts Inc.~03EDBASIC MICRO.COM,INC.~03EECUBE TECHNOLOGI\
        ES~03EFfoolography GmbH~03F0CLINK~03F1Hestan Smart Cooking Inc.~03F2WindowMaster A/S~03F3Flowscape AB~03F4PAL\
         Technologies Ltd~03F5WHERE, Inc.~03F6Iton Technology Corp.~03F7Owl Labs Inc.~03F8Rockford Corp.~03F9Becon Tec\
        hnologies Co.,Ltd.~03FAVyassoft Technologies Inc~03FBNox Medical~03FCKimberly-Clark~03FDTrimble Inc.~03FELitte\
        lfuse~03FFWithings~0400i-developer IT Beratung UG~0401Relations Inc.~0402Sears Holdings Corporation~0403Gantne\
        r Electronic GmbH~0404Authomate Inc~0405Vertex International, Inc.~0406Airtago~0407Swiss Audio SA~0408ToGetHom\
        e Inc.~0409RYSE INC.~040AZF OPENMATICS s.r.o.~040BJana Care Inc.~040CSenix Corporation~040DNorthStar Battery C\
        ompany, LLC~040ESKF (U.K.) Limited~040FCO-AX Technology, Inc.~0410Fender Musical Instruments~0411Luidia Inc~04\
        12SEFAM~0413Wireless Cables Inc~0414Lightning Protection International Pty Ltd~0415Uber Technologies Inc~0416S\
        ODA GmbH~0417Fatigue Science~0418Reserved~0419Novalogy LTD~041AFriday Labs Limited~041BOrthoAccel Technologies\
        ~041CWaterGuru, Inc.~041DBenning Elektrotechnik und Elektronik GmbH & Co. KG~041EDell Computer Corporation~041\
        FKopin Corporation~0420TecBakery GmbH~0421Backbone Labs, Inc.~0422DELSEY SA~0423Chargifi Limited~0424Trainesen\
        se Ltd.~0425Unify Software and Solutions GmbH & Co. KG~0426Husqvarna AB~0427Focus fleet and fuel management in\
        c~0428SmallLoop, LLC~0429Prolon Inc.~042ABD Medical~042BiMicroMed Incorporated~042CTicto N.V.~042DMeshtech AS~\
        042EMemCachier Inc.~042FDanfoss A/S~0430SnapStyk Inc.~0431Alticor Inc.~0432Silk Labs, Inc.~0433Pillsy Inc.~043\
        4Hatch Baby, Inc.~0435Blocks Wearables Ltd.~0436Drayson Technologies (Europe) Limited~0437eBest IOT Inc.~0438H\
        elvar Ltd~0439Radiance Technologies~043ANuheara Limited~043BAppside co., ltd.~043CDeLaval~043DCoiler Corporati\
        on~043EThermomedics, Inc.~043FTentacle Sync GmbH~0440Valencell, Inc.~0441iProtoXi Oy~0442SECOM CO., LTD.~0443T\
        ucker International LLC~0444Metanate Limited~0445Kobian Canada Inc.~0446NETGEAR, Inc.~0447Fabtronics Australia\
         Pty Ltd~0448Grand Centrix GmbH~04491UP USA.com llc~044ASHIMANO INC.~044BNain Inc.~044CLifeStyle Lock, LLC~044\
        DVEGA Grieshaber KG~044EXtrava Inc.~044FTTS Tooltechnic Systems AG & Co. KG~0450Teenage Engineering AB~0451Tun\
        stall Nordic AB~0452Svep Design Center AB~0453Qorvo Utrecht B.V.~0454Sphinx Electronics GmbH & Co KG~0455Atoma\
        tion~0456Nemik Consulting Inc~0457RF INNOVATION~0458Mini Solution Co., Ltd.~0459Lumenetix, Inc~045A2048450 Ont\
        ario Inc~045BSPACEEK LTD~045CDelta T Corporation~045DBoston Scientific Corporation~045ENuviz, Inc.~045FReal Ti\
        me Automation, Inc.~0460Kolibree~0461vhf elektronik GmbH~0462Bonsai Systems GmbH~0463Fathom Systems Inc.~0464B\
        ellman & Symfon~0465International Forte Group LLC~0466CycleLabs Solutions inc.~0467Codenex Oy~0468Kynesim Ltd~\
        0469Palago AB~046AINSIGMA INC.~046BPMD Solutions~046CQingdao Realtime Technology Co., Ltd.~046DBEGA Gantenbrin\
        k-Leuchten KG~046EPambor Ltd.~046FDevelco Products A/S~0470iDesign s.r.l.~0471TiVo Corp~0472Control-J Pty Ltd~\
        0473Steelcase, Inc.~0474iApartment co., ltd.~0475Icom inc.~0476Oxstren Wearable Technologies Private Limited~0\
        477Blue Spark Technologies~0478FarSite Communications Limited~0479mywerk system GmbH~047ASinosun Technology Co\
        ., Ltd.~047BMIYOSHI ELECTRONICS CORPORATION~047CPOWERMAT LTD~047DOccly LLC~047EOurHub Dev IvS~047FPro-Mark, In\
        c.~0480Dynometrics Inc.~0481Quintrax Limited~0482POS Tuning Udo Vosshenrich GmbH & Co. KG~0483Multi Care Syste\
        ms B.V.~0484Revol Technologies Inc~0485SKIDATA AG~0486DEV TECNOLOGIA INDUSTRIA, COMERCIO E MANUTENCAO DE EQUIP\
        AMENTOS LTDA. - ME~0487Centrica Connected Home~0488Automotive Data Solutions Inc~0489Igarashi Engineering~048A\
        Taelek Oy~048BCP Electronics Limited~048CVectronix AG~048DS-Labs Sp. z o.o.~048ECompanion Medical, Inc.~048FBl\
        ueKitchen GmbH~0490Matting AB~0491SOREX - Wireless Solutions GmbH~0492ADC Technology, Inc.~0493Lynxemi Pte Ltd\
        ~0494SENNHEISER electronic GmbH & Co. KG~0495LMT Mercer Group, Inc~0496Polymorphic Labs LLC~0497Cochlear Limit\
        ed~0498METER Group, Inc. USA~0499Ruuvi Innovations Ltd.~049ASitune AS~049BnVisti, LLC~049CDyOcean~049DUhlmann\
         & Zacher GmbH~049EAND!XOR LLC~049FPopper Pay AB~04A0Vypin, LLC~04A1PNI Sensor Corporation~04A2ovrEngineered,\
         LLC~04A3GT-tronics HK Ltd~04A4Herbert Waldmann GmbH & Co. KG~04A5Guangzhou FiiO Electronics Technology Co.,Lt\
        d~04A6Vinetech Co., Ltd~04A7Dallas Logic Corporation~04A8BioTex, Inc.~04A9DISCOVERY SOUND TECHNOLOGY, LLC~04AA\
        LINKIO SAS~04ABHarbortronics, Inc.~04ACUndagrid B.V.~04ADShure Inc~04AEERM Electronic Systems LTD~04AFBIOROWER\
         Handelsagentur GmbH~04B0Weba Sport und Med. Artikel GmbH~04B1Kartographers Technologies Pvt. Ltd.~04B2The Sha\
        dow on the Moon~04B3mobike (Hong Kong) Limited~04B4Inuheat Group AB~04B5Swiftronix AB~04B6Diagnoptics Technolo\
        gies~04B7Analog Devices, Inc.~04B8Soraa Inc.~04B9CSR Building Products Limited~04BACrestron Electronics, Inc.~\
        04BBNeatebox Ltd~04BCDraegerwerk AG & Co. KGaA~04BDAlbynMedical~04BEAveros FZCO~04BFVIT Initiative, LLC~04C0St\
        atsports International~04C1Sospitas, s.r.o.~04C2Dmet Products Corp.~04C3Mantracourt Electronics Limited~04C4Te\
        AM Hutchins AB~04C5Seibert Williams Glass, LLC~04C6Insta GmbH~04C7Svantek Sp. z o.o.~04C8Shanghai Flyco Electr\
        ical Appliance Co., Ltd.~04C9Thornwave Labs Inc~04CASteiner-Optik GmbH~04CBNovo Nordisk A/S~04CCEnflux Inc.~04\
        CDSafetech Products LLC~04CEGOOOLED S.R.L.~04CFDOM Sicherheitstechnik GmbH & Co. KG~04D0Olympus Corporation~04\
        D1KTS GmbH~04D2Anloq Technologies Inc.~04D3Queercon, Inc~04D45th Element Ltd~04D5Gooee Limited~04D6LUGLOC LLC~\
        04D7Blincam, Inc.~04D8FUJIFILM Corporation~04D9RM Acquisition LLC~04DAFranceschi Marina snc~04DBEngineered Aud\
        io, LLC.~04DCIOTTIVE (OPC) PRIVATE LIMITED~04DD4MOD Technology~04DELutron Electronics Co., Inc.~04DFEmerson El\
        ectric Co.~04E0Guardtec, Inc.~04E1REACTEC LIMITED~04E2EllieGrid~04E3Under Armour~04E4Woodenshark~04E5Avack Oy~\
        04E6Smart Solution Technology, Inc.~04E7REHABTRONICS INC.~04E8STABILO International~04E9Busch Jaeger Elektro G\
        mbH~04EAPacific Bioscience Laboratories, Inc~04EBBird Home Automation GmbH~04ECMotorola Solutions~04EDR9 Techn\
        ology, Inc.~04EEAuxivia~04EFDaisyWorks, Inc~04F0Kosi Limited~04F1Theben AG~04F2InDreamer Techsol Private Limit\
        ed~04F3Cerevast Medical~04F4ZanCompute Inc.~04F5Pirelli Tyre S.P.A.~04F6McLear Limited~04F7Shenzhen Goodix Tec\
        hnology Co., Ltd~04F8Convergence Systems Limited~04F9Interactio~04FAAndrotec GmbH~04FBBenchmark Drives GmbH &\
         Co. KG~04FCSwingLync L. L. C.~04FDTapkey GmbH~04FEWoosim Systems Inc.~04FFMicrosemi Corporation~0500Wiliot LT\
        D.~0501Polaris IND~0502Specifi-Kali LLC~0503Locoroll, Inc~0504PHYPLUS Inc~0505InPlay, Inc.~0506Hager~0507Yello\
        wcog~0508Axes System sp. z o. o.~0509Garage Smart, Inc.~050AShake-on B.V.~050BVibrissa Inc.~050COSRAM GmbH~050\
        DTRSystems GmbH~050EYichip Microelectronics (Hangzhou) Co.,Ltd.~050FFoundation Engineering LLC~0510UNI-ELECTRO\
        NICS, INC.~0511Brookfield Equinox LLC~0512Soprod SA~05139974091 Canada Inc.~0514FIBRO GmbH~0515RB Controls Co.\
        , Ltd.~0516Footmarks~0517Amtronic Sverige AB~0518MAMORIO.inc~0519Tyto Life LLC~051ALeica Camera AG~051BAngee T\
        echnologies Ltd.~051CEDPS~051DOFF Line Co., Ltd.~051EDetect Blue Limited~051FSetec Pty Ltd~0520Target Corporat\
        ion~0521IAI Corporation~0522NS Tech, Inc.~0523MTG Co., Ltd.~0524Hangzhou iMagic Technology Co., Ltd~0525HONGKO\
        NG NANO IC TECHNOLOGIES CO., LIMITED~0526Honeywell International Inc.~0527Albrecht JUNG~0528Lunera Lighting In\
        c.~0529Lumen UAB~052AKeynes Controls Ltd~052BNovartis AG~052CGeosatis SA~052DEXFO, Inc.~052ELEDVANCE GmbH~052F\
        Center ID Corp.~0530Adolene, Inc.~0531D&M Holdings Inc.~0532CRESCO Wireless, Inc.~0533Nura Operations Pty Ltd~\
        0534Frontiergadget, Inc.~0535Smart Component Technologies Limited~0536ZTR Control Systems LLC~0537MetaLogics C\
        orporation~0538Medela AG~0539OPPLE Lighting Co., Ltd~053ASavitech Corp.,~053Bprodigy~053CScreenovate Technolog\
        ies Ltd~053DTESA SA~053ECLIM8 LIMITED~053FSilergy Corp~0540SilverPlus, Inc~0541Sharknet srl~0542Mist Systems,\
         Inc.~0543MIWA LOCK CO.,Ltd~0544OrthoSensor, Inc.~0545Candy Hoover Group s.r.l~0546Apexar Technologies S.A.~05\
        47LOGICDATA Electronic & Software Entwicklungs GmbH~0548Knick Elektronische Messgeraete GmbH & Co. KG~0549Smar\
        t Technologies and Investment Limited~054ALinough Inc.~054BAdvanced Electronic Designs, Inc.~054CCarefree Scot\
        t Fetzer Co Inc~054DSensome~054EFORTRONIK storitve d.o.o.~054FSinnoz~0550Versa Networks, Inc.~0551Sylero~0552A\
        vempace SARL~0553Nintendo Co., Ltd.~0554National Instruments~0555KROHNE Messtechnik GmbH~0556Otodynamics Ltd~0\
        557Arwin Technology Limited~0558benegear, inc.~0559Newcon Optik~055ACANDY HOUSE, Inc.~055BFRANKLIN TECHNOLOGY\
         INC~055CLely~055DValve Corporation~055EHekatron Vertriebs GmbH~055FPROTECH S.A.S. DI GIRARDI ANDREA & C.~0560\
        Sarita CareTech APS~0561Finder S.p.A.~0562Thalmic Labs Inc.~0563Steinel Vertrieb GmbH~0564Beghelli Spa~0565Bei\
        jing Smartspace Technologies Inc.~0566CORE TRANSPORT TECHNOLOGIES NZ LIMITED~0567Xiamen Everesports Goods Co.,\
         Ltd~0568Bodyport Inc.~0569Audionics System, INC.~056AFlipnavi Co.,Ltd.~056BRion Co., Ltd.~056CLong Range Syst\
        ems, LLC~056DRedmond Industrial Group LLC~056EVIZPIN INC.~056FBikeFinder AS~0570Consumer Sleep Solutions LLC~0\
        571PSIKICK, INC.~0572AntTail.com~0573Lighting Science Group Corp.~0574AFFORDABLE ELECTRONICS INC~0575Integral\
         Memroy Plc~0576Globalstar, Inc.~0577True Wearables, Inc.~0578Wellington Drive Technologies Ltd~0579Ensemble T\
        ech Private Limited~057AOMNI Remotes~057BDuracell U.S. Operations Inc.~057CToor Technologies LLC~057DInstinct\
         Performance~057EBeco, Inc~057FScuf Gaming International, LLC~0580ARANZ Medical Limited~0581LYS TECHNOLOGIES L\
        TD~0582Breakwall Analytics, LLC~0583Code Blue Communications~0584Gira Giersiepen GmbH & Co. KG~0585Hearing Lab\
         Technology~0586LEGRAND~0587Derichs GmbH~0588ALT-TEKNIK LLC~0589Star Technologies~058ASTART TODAY CO.,LTD.~058\
        BMaxim Integrated Products~058CFracarro Radioindustrie SRL~058DJungheinrich Aktiengesellschaft~058EMeta Platfo\
        rms Technologies, LLC~058FHENDON SEMICONDUCTORS PTY LTD~0590Pur3 Ltd~0591Viasat Group S.p.A.~0592IZITHERM~0593\
        Spaulding Clinical Research~0594Kohler Company~0595Inor Process AB~0596My Smart Blinds~0597RadioPulse Inc~0598\
        rapitag GmbH~0599Lazlo326, LLC.~059ATeledyne Lecroy, Inc.~059BDataflow Systems Limited~059CMacrogiga Electroni\
        cs~059DTandem Diabetes Care~059EPolycom, Inc.~059FFisher & Paykel Healthcare~05A0RCP Software Oy~05A1Shanghai\
         Xiaoyi Technology Co.,Ltd.~05A2ADHERIUM(NZ) LIMITED~05A3Axiomware Systems Incorporated~05A4O. E. M. Controls,\
         Inc.~05A5Kiiroo BV~05A6Telecon Mobile Limited~05A7Sonos Inc~05A8Tom Allebrandi Consulting~05A9Monidor~05AATra\
        mex Limited~05ABNofence AS~05ACGoerTek Dynaudio Co., Ltd.~05ADINIA~05AECARMATE MFG.CO.,LTD~05AFOV LOOP, INC.~0\
        5B0NewTec GmbH~05B1Medallion Instrumentation Systems~05B2CAREL INDUSTRIES S.P.A.~05B3Parabit Systems, Inc.~05B\
        4White Horse Scientific ltd~05B5verisilicon~05B6Elecs Industry Co.,Ltd.~05B7Beijing Pinecone Electronics Co.,L\
        td.~05B8Ambystoma Labs Inc.~05B9Suzhou Pairlink Network Technology~05BAigloohome~05BBOxford Metrics plc~05BCLe\
        viton Mfg. Co., Inc.~05BDULC Robotics Inc.~05BERFID Global by Softwork SrL~05BFReal-World-Systems Corporation~\
        05C0Nalu Medical, Inc.~05C1P.I.Engineering~05C2Grote Industries~05C3Runtime, Inc.~05C4Codecoup sp. z o.o. sp.\
         k.~05C5SELVE GmbH & Co. KG~05C6Smart Animal Training Systems, LLC~05C7Lippert Components, INC~05C8SOMFY SAS~0\
        5C9TBS Electronics B.V.~05CAMHL Custom Inc~05CBLucentWear LLC~05CCWATTS ELECTRONICS~05CDRJ Brands LLC~05CEV-ZU\
        G Ltd~05CFBiowatch SA~05D0Anova Applied Electronics~05D1Lindab AB~05D2frogblue TECHNOLOGY GmbH~05D3Acurable Li\
        mited~05D4LAMPLIGHT Co., Ltd.~05D5TEGAM, Inc.~05D6Zhuhai Jieli technology Co.,Ltd~05D7modum.io AG~05D8Farm Jen\
        ny LLC~05D9Toyo Electronics Corporation~05DAApplied Neural Research Corp~05DBAvid Identification Systems, Inc.\
        ~05DCPetronics Inc.~05DDessentim GmbH~05DEQT Medical INC.~05DFVIRTUALCLINIC.DIRECT LIMITED~05E0Viper Design LL\
        C~05E1Human, Incorporated~05E2stAPPtronics GmbH~05E3Elemental Machines, Inc.~05E4Taiyo Yuden Co., Ltd~05E5INEO\
         ENERGY& SYSTEMS~05E6Motion Instruments Inc.~05E7PressurePro~05E8COWBOY~05E9iconmobile GmbH~05EAACS-Control-Sy\
        stem GmbH~05EBBayerische Motoren Werke AG~05ECGycom Svenska AB~05EDFuji Xerox Co., Ltd~05EEWristcam Inc.~05EFS\
        IKOM AS~05F0beken~05F1The Linux Foundation~05F2Try and E CO.,LTD.~05F3SeeScan~05F4Clearity, LLC~05F5GS TAG~05F\
        6DPTechnics~05F7TRACMO, INC.~05F8Anki Inc.~05F9Hagleitner Hygiene International GmbH~05FAKonami Sports Life Co\
        ., Ltd.~05FBArblet Inc.~05FCMasbando GmbH~05FDInnoseis~05FENiko nv~05FFWellnomics Ltd~0600iRobot Corporation~0\
        601Schrader Electronics~0602Geberit International AG~0603Fourth Evolution Inc~0604Cell2Jack LLC~0605FMW electr\
        onic Futterer u. Maier-Wolf OHG~0606John Deere~0607Rookery Technology Ltd~0608KeySafe-Cloud~0609BUCHI Labortec\
        hnik AG~060AIQAir AG~060BTriax Technologies Inc~060CVuzix Corporation~060DTDK Corporation~060EBlueair AB~060FS\
        ignify Netherlands B.V.~0610ADH GUARDIAN USA LLC~0611Beurer GmbH~0612Playfinity AS~0613Hans Dinslage GmbH~0614\
        OnAsset Intelligence, Inc.~0615INTER ACTION Corporation~0616OS42 UG (haftungsbeschraenkt)~0617WIZCONNECTED COM\
        PANY LIMITED~0618Audio-Technica Corporation~0619Six Guys Labs, s.r.o.~061AR.W. Beckett Corporation~061Bsilex t\
        echnology, inc.~061CUnivations Limited~061DSENS Innovation ApS~061EDiamond Kinetics, Inc.~061FPhrame Inc.~0620\
        Forciot Oy~0621Noordung d.o.o.~0622Beam Labs, LLC~0623Philadelphia Scientific (U.K.) Limited~0624Biovotion AG~\
        0625Square Panda, Inc.~0626Amplifico~0627WEG S.A.~0628Ensto Oy~0629PHONEPE PVT LTD~062ALunatico Astronomia SL~\
        062BMinebeaMitsumi Inc.~062CASPion GmbH~062DVossloh-Schwabe Deutschland GmbH~062EProcept~062FONKYO Corporation\
        ~0630Asthrea D.O.O.~0631Fortiori Design LLC~0632Hugo Muller GmbH & Co KG~0633Wangi Lai PLT~0634Fanstel Corp~06\
        35Crookwood~0636ELECTRONICA INTEGRAL DE SONIDO S.A.~0637GiP Innovation Tools GmbH~0638LX SOLUTIONS PTY LIMITED\
        ~0639Shenzhen Minew Technologies Co., Ltd.~063AProlojik Limited~063BKromek Group Plc~063CContec Medical System\
        s Co., Ltd.~063DXradio Technology Co.,Ltd.~063EThe Indoor Lab, LLC~063FLDL TECHNOLOGY~0640Dish Network LLC~064\
        1Revenue Collection Systems FRANCE SAS~0642Bluetrum Technology Co.,Ltd~0643makita corporation~0644Apogee Instr\
        uments~0645BM3~0646SGV Group Holding GmbH & Co. KG~0647MED-EL~0648Ultune Technologies~0649Ryeex Technology Co.\
        ,Ltd.~064AOpen Research Institute, Inc.~064BScale-Tec, Ltd~064CZumtobel Group AG~064DiLOQ Oy~064EKRUXWorks Tec\
        hnologies Private Limited~064FDigital Matter Pty Ltd~0650Coravin, Inc.~0651Stasis Labs, Inc.~0652ITZ Innovatio\
        ns- und Technologiezentrum GmbH~0653Meggitt SA~0654Ledlenser GmbH & Co. KG~0655Renishaw PLC~0656ZhuHai AdvanPr\
        o Technology Company Limited~0657Meshtronix Limited~0658Payex Norge AS~0659UnSeen Technologies Oy~065AZound In\
        dustries International AB~065BSesam Solutions BV~065CPixArt Imaging Inc.~065DPanduit Corp.~065EAlo AB~065FRico\
        h Company Ltd~0660RTC Industries, Inc.~0661Mode Lighting Limited~0662Particle Industries, Inc.~0663Advanced Te\
        lemetry Systems, Inc.~0664RHA TECHNOLOGIES LTD~0665Pure International Limited~0666WTO Werkzeug-Einrichtungen G\
        mbH~0667Spark Technology Labs Inc.~0668Bleb Technology srl~0669Livanova USA, Inc.~066ABrady Worldwide Inc.~066\
        BDewertOkin GmbH~066CZtove ApS~066DVenso EcoSolutions AB~066EEurotronik Kranj d.o.o.~066FHug Technology Ltd~06\
        70Gema Switzerland GmbH~0671Buzz Products Ltd.~0672Kopi~0673Innova Ideas Limited~0674BeSpoon~0675Deco Enterpri\
        ses, Inc.~0676Expai Solutions Private Limited~0677Innovation First, Inc.~0678SABIK Offshore GmbH~06794iiii Inn\
        ovations Inc.~067AThe Energy Conservatory, Inc.~067BI.FARM, INC.~067CTile, Inc.~067DForm Athletica Inc.~067EMb\
        ientLab Inc~067FNETGRID S.N.C. DI BISSOLI MATTEO, CAMPOREALE SIMONE, TOGNETTI FEDERICO~0680Mannkind Corporatio\
        n~0681Trade FIDES a.s.~0682Photron Limited~0683Eltako GmbH~0684Dermalapps, LLC~0685Greenwald Industries~0686in\
        Qs Co., Ltd.~0687Cherry GmbH~0688Amsted Digital Solutions Inc.~0689Tacx b.v.~068ARaytac Corporation~068BJiangs\
        u Teranovo Tech Co., Ltd.~068CChangzhou Sound Dragon Electronics and Acoustics Co., Ltd~068DJetBeep Inc.~068ER\
        azer Inc.~068FJRM Group Limited~0690Eccrine Systems, Inc.~0691Curie Point AB~0692Georg Fischer AG~0693Hach - D\
        anaher~0694T&A Laboratories LLC~0695Koki Holdings Co., Ltd.~0696Gunakar Private Limited~0697Stemco Products In\
        c~0698Wood IT Security, LLC~0699RandomLab SAS~069AAdero, Inc.~069BDragonchip Limited~069CNoomi AB~069DVakaros\
         LLC~069EDelta Electronics, Inc.~069FFlowMotion Technologies AS~06A0OBIQ Location Technology Inc.~06A1Cardo Sy\
        stems, Ltd~06A2Globalworx GmbH~
        """
    }
}
