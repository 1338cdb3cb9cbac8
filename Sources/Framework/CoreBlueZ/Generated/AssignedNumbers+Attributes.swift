extension AssignedNumbers {
    /// Services, declarations, descriptors and characteristics. Written by `Scripts/measure numbers`.
    static var attributes: String {
        """
        1800Generic Access~1801Generic Attribute~1802Immediate Alert~1803Link Loss~1804TX Power~1805Current Time~1806R\
        eference Time Update~1807Next DST Change~1808Glucose~1809Health Thermometer~180ADevice Information~180DHeart R\
        ate~180EPhone Alert Status~180FBattery~1810Blood Pressure~1811Alert Notification~1812Human Interface Device~18\
        13Scan Parameters~1814Running Speed and Cadence~1815Automation IO~1816Cycling Speed and Cadence~1818Cycling Po\
        wer~1819Location and Navigation~181AEnvironmental Sensing~181BBody Composition~181CUser Data~181DWeight Scale~\
        181EBond Management~181FContinuous Glucose Monitoring~1820Internet Protocol Support~1821Indoor Positioning~182\
        2Pulse Oximeter~1823HTTP Proxy~1824Transport Discovery~1825Object Transfer~1826Fitness Machine~1827Mesh Provis\
        ioning~1828Mesh Proxy~1829Reconnection Configuration~183AInsulin Delivery~183BBinary Sensor~183CEmergency Conf\
        iguration~183DAuthorization Control~183EPhysical Activity Monitor~183FElapsed Time~1840Generic Health Sensor~1\
        843Audio Input Control~1844Volume Control~1845Volume Offset Control~1846Coordinated Set Identification~1847Dev\
        ice Time~1848Media Control~1849Generic Media Control~184AConstant Tone Extension~184BTelephone Bearer~184CGene\
        ric Telephone Bearer~184DMicrophone Control~184EAudio Stream Control~184FBroadcast Audio Scan~1850Published Au\
        dio Capabilities~1851Basic Audio Announcement~1852Broadcast Audio Announcement~1853Common Audio~1854Hearing Ac\
        cess~1855Telephony and Media Audio~1856Public Broadcast Announcement~1857Electronic Shelf Label~1858Gaming Aud\
        io~1859Mesh Audio Solicitation~2800Primary Service~2801Secondary Service~2802Include~2803Characteristic~2900Ch\
        aracteristic Extended Properties~2901Characteristic User Description~2902Client Characteristic Configuration~2\
        903Server Characteristic Configuration~2904Characteristic Presentation Format~2905Characteristic Aggregate For\
        mat~2906Valid Range~2907External Report Reference~2908Report Reference~2909Number of Digitals~290AValue Trigge\
        r Setting~290BEnvironmental Sensing Configuration~290CEnvironmental Sensing Measurement~290DEnvironmental Sens\
        ing Trigger Setting~290ETime Trigger Setting~290FComplete BR-EDR Transport Block Data~2A00Device Name~2A01Appe\
        arance~2A02Peripheral Privacy Flag~2A03Reconnection Address~2A04Peripheral Preferred Connection Parameters~2A0\
        5Service Changed~2A06Alert Level~2A07Tx Power Level~2A08Date Time~2A09Day of Week~2A0ADay Date Time~2A0BExact\
         Time 100~2A0CExact Time 256~2A0DDST Offset~2A0ETime Zone~2A0FLocal Time Information~2A10Secondary Time Zone~2\
        A11Time with DST~2A12Time Accuracy~2A13Time Source~2A14Reference Time Information~2A15Time Broadcast~2A16Time\
         Update Control Point~2A17Time Update State~2A18Glucose Measurement~2A19Battery Level~2A1ABattery Power State~\
        2A1BBattery Level State~2A1CTemperature Measurement~2A1DTemperature Type~2A1EIntermediate Temperature~2A1FTemp\
        erature Celsius~2A20Temperature Fahrenheit~2A21Measurement Interval~2A22Boot Keyboard Input Report~2A23System\
         ID~2A24Model Number String~2A25Serial Number String~2A26Firmware Revision String~2A27Hardware Revision String\
        ~2A28Software Revision String~2A29Manufacturer Name String~2A2AIEEE 11073-20601 Regulatory Certification Data\
         List~2A2BCurrent Time~2A2CMagnetic Declination~2A2FPosition 2D~2A30Position 3D~2A31Scan Refresh~2A32Boot Keyb\
        oard Output Report~2A33Boot Mouse Input Report~2A34Glucose Measurement Context~2A35Blood Pressure Measurement~\
        2A36Intermediate Cuff Pressure~2A37Heart Rate Measurement~2A38Body Sensor Location~2A39Heart Rate Control Poin\
        t~2A3ARemovable~2A3BService Required~2A3CScientific Temperature Celsius~2A3DString~2A3ENetwork Availability~2A\
        3FAlert Status~2A40Ringer Control Point~2A41Ringer Setting~2A42Alert Category ID Bit Mask~2A43Alert Category I\
        D~2A44Alert Notification Control Point~2A45Unread Alert Status~2A46New Alert~2A47Supported New Alert Category~\
        2A48Supported Unread Alert Category~2A49Blood Pressure Feature~2A4AHID Information~2A4BReport Map~2A4CHID Cont\
        rol Point~2A4DReport~2A4EProtocol Mode~2A4FScan Interval Window~2A50PnP ID~2A51Glucose Feature~2A52Record Acce\
        ss Control Point~2A53RSC Measurement~2A54RSC Feature~2A55SC Control Point~2A56Digital~2A57Digital Output~2A58A\
        nalog~2A59Analog Output~2A5AAggregate~2A5BCSC Measurement~2A5CCSC Feature~2A5DSensor Location~2A5EPLX Spot-Che\
        ck Measurement~2A5FPLX Continuous Measurement Characteristic~2A60PLX Features~2A62Pulse Oximetry Control Point\
        ~2A63Cycling Power Measurement~2A64Cycling Power Vector~2A65Cycling Power Feature~2A66Cycling Power Control Po\
        int~2A67Location and Speed~2A68Navigation~2A69Position Quality~2A6ALN Feature~2A6BLN Control Point~2A6CElevati\
        on~2A6DPressure~2A6ETemperature~2A6FHumidity~2A70True Wind Speed~2A71True Wind Direction~2A72Apparent Wind Spe\
        ed~2A73Apparent Wind Direction~2A74Gust Factor~2A75Pollen Concentration~2A76UV Index~2A77Irradiance~2A78Rainfa\
        ll~2A79Wind Chill~2A7AHeat Index~2A7BDew Point~2A7CTrend~2A7DDescriptor Value Changed~2A7EAerobic Heart Rate L\
        ower Limit~2A7FAerobic Threshold~2A80Age~2A81Anaerobic Heart Rate Lower Limit~2A82Anaerobic Heart Rate Upper L\
        imit~2A83Anaerobic Threshold~2A84Aerobic Heart Rate Upper Limit~2A85Date of Birth~2A86Date of Threshold Assess\
        ment~2A87Email Address~2A88Fat Burn Heart Rate Lower Limit~2A89Fat Burn Heart Rate Upper Limit~2A8AFirst Name~\
        2A8BFive Zone Heart Rate Limits~2A8CGender~2A8DHeart Rate Max~2A8EHeight~2A8FHip Circumference~2A90Last Name~2\
        A91Maximum Recommended Heart Rate~2A92Resting Heart Rate~2A93Sport Type for Aerobic/Anaerobic Thresholds~2A94T\
        hree Zone Heart Rate Limits~2A95Two Zone Heart Rate Limit~2A96VO2 Max~2A97Waist Circumference~2A98Weight~2A99D\
        atabase Change Increment~2A9AUser Index~2A9BBody Composition Feature~2A9CBody Composition Measurement~2A9DWeig\
        ht Measurement~2A9EWeight Scale Feature~2A9FUser Control Point~2AA0Magnetic Flux Density - 2D~2AA1Magnetic Flu\
        x Density - 3D~2AA2Language~2AA3Barometric Pressure Trend~2AA4Bond Management Control Point~2AA5Bond Managemen\
        t Feature~2AA6Central Address Resolution~2AA7CGM Measurement~2AA8CGM Feature~2AA9CGM Status~2AAACGM Session St\
        art Time~2AABCGM Session Run Time~2AACCGM Specific Ops Control Point~2AADIndoor Positioning Configuration~2AAE\
        Latitude~2AAFLongitude~2AB0Local North Coordinate~2AB1Local East Coordinate~2AB2Floor Number~2AB3Altitude~2AB4\
        Uncertainty~2AB5Location Name~2AB6URI~2AB7HTTP Headers~2AB8HTTP Status Code~2AB9HTTP Entity Body~2ABAHTTP Cont\
        rol Point~2ABBHTTPS Security~2ABCTDS Control Point~2ABDOTS Feature~2ABEObject Name~2ABFObject Type~2AC0Object\
         Size~2AC1Object First-Created~2AC2Object Last-Modified~2AC3Object ID~2AC4Object Properties~2AC5Object Action\
         Control Point~2AC6Object List Control Point~2AC7Object List Filter~2AC8Object Changed~2AC9Resolvable Private\
         Address Only~2ACCFitness Machine Feature~2ACDTreadmill Data~2ACECross Trainer Data~2ACFStep Climber Data~2AD0\
        Stair Climber Data~2AD1Rower Data~2AD2Indoor Bike Data~2AD3Training Status~2AD4Supported Speed Range~2AD5Suppo\
        rted Inclination Range~2AD6Supported Resistance Level Range~2AD7Supported Heart Rate Range~2AD8Supported Power\
         Range~2AD9Fitness Machine Control Point~2ADAFitness Machine Status~2ADBMesh Provisioning Data In~2ADCMesh Pro\
        visioning Data Out~2ADDMesh Proxy Data In~2ADEMesh Proxy Data Out~2AE0Average Current~2AE1Average Voltage~2AE2\
        Boolean~2AE3Chromatic Distance From Planckian~2AE4Chromaticity Coordinates~2AE5Chromaticity In CCT And Duv Val\
        ues~2AE6Chromaticity Tolerance~2AE7CIE 13.3-1995 Color Rendering Index~2AE8Coefficient~2AE9Correlated Color Te\
        mperature~2AEACount 16~2AEBCount 24~2AECCountry Code~2AEDDate UTC~2AEEElectric Current~2AEFElectric Current Ra\
        nge~2AF0Electric Current Specification~2AF1Electric Current Statistics~2AF2Energy~2AF3Energy In A Period Of Da\
        y~2AF4Event Statistics~2AF5Fixed String 16~2AF6Fixed String 24~2AF7Fixed String 36~2AF8Fixed String 8~2AF9Gene\
        ric Level~2AFAGlobal Trade Item Number~2AFBIlluminance~2AFCLuminous Efficacy~2AFDLuminous Energy~2AFELuminous\
         Exposure~2AFFLuminous Flux~2B00Luminous Flux Range~2B01Luminous Intensity~2B02Mass Flow~2B03Perceived Lightne\
        ss~2B04Percentage 8~2B05Power~2B06Power Specification~2B07Relative Runtime In A Current Range~2B08Relative Run\
        time In A Generic Level Range~2B09Relative Value In A Voltage Range~2B0ARelative Value In An Illuminance Range\
        ~2B0BRelative Value In A Period of Day~2B0CRelative Value In A Temperature Range~2B0DTemperature 8~2B0ETempera\
        ture 8 In A Period Of Day~2B0FTemperature 8 Statistics~2B10Temperature Range~2B11Temperature Statistics~2B12Ti\
        me Decihour 8~2B13Time Exponential 8~2B14Time Hour 24~2B15Time Millisecond 24~2B16Time Second 16~2B17Time Seco\
        nd 8~2B18Voltage~2B19Voltage Specification~2B1AVoltage Statistics~2B1BVolume Flow~2B1CChromaticity Coordinate~\
        2B1DRC Feature~2B1ERC Settings~2B1FReconnection Configuration Control Point~2B20IDD Status Changed~2B21IDD Sta\
        tus~2B22IDD Annunciation Status~2B23IDD Features~2B24IDD Status Reader Control Point~2B25IDD Command Control P\
        oint~2B26IDD Command Data~2B27IDD Record Access Control Point~2B28IDD History Data~2B29Client Supported Featur\
        es~2B2ADatabase Hash~2B2BBSS Control Point~2B2CBSS Response~2B2DEmergency ID~2B2EEmergency Text~2B2FACS Status\
        ~2B30ACS Data In~2B31ACS Data Out Notify~2B32ACS Data Out Indicate~2B33ACS Control Point~2B34Enhanced Blood Pr\
        essure Measurement~2B35Enhanced Intermediate Cuff Pressure~2B36Blood Pressure Record~2B37Registered User~2B38B\
        R-EDR Handover Data~2B39Bluetooth SIG Data~2B3AServer Supported Features~2B3BPhysical Activity Monitor Feature\
        s~2B3CGeneral Activity Instantaneous Data~2B3DGeneral Activity Summary Data~2B3ECardioRespiratory Activity Ins\
        tantaneous Data~2B3FCardioRespiratory Activity Summary Data~2B40Step Counter Activity Summary Data~2B41Sleep A\
        ctivity Instantaneous Data~2B42Sleep Activity Summary Data~2B43Physical Activity Monitor Control Point~2B44Cur\
        rent Session~2B45Session~2B46Preferred Units~2B47High Resolution Height~2B48Middle Name~2B49Stride Length~2B4A\
        Handedness~2B4BDevice Wearing Position~2B4CFour Zone Heart Rate Limits~2B4DHigh Intensity Exercise Threshold~2\
        B4EActivity Goal~2B4FSedentary Interval Notification~2B50Caloric Intake~2B51TMAP Role~2B77Audio Input State~2B\
        78Gain Settings Attribute~2B79Audio Input Type~2B7AAudio Input Status~2B7BAudio Input Control Point~2B7CAudio\
         Input Description~2B7DVolume State~2B7EVolume Control Point~2B7FVolume Flags~2B80Volume Offset State~2B81Audi\
        o Location~2B82Volume Offset Control Point~2B83Audio Output Description~2B84Set Identity Resolving Key~2B85Coo\
        rdinated Set Size~2B86Set Member Lock~2B87Set Member Rank~2B88Encrypted Data Key Material~2B89Apparent Energy\
         32~2B8AApparent Power~2B8BLive Health Observations~2B8CCO2 Concentration~2B8DCosine of the Ang\
        le~2B8EDevice Time Feature~2B8FDevice Time Parameters~2B90Device Time~2B91Device Time Control Point~2B92Time C\
        hange Log Data~2B93Media Player Name~2B94Media Player Icon Object ID~2B95Media Player Icon URL~2B96Track Chang\
        ed~2B97Track Title~2B98Track Duration~2B99Track Position~2B9APlayback Speed~2B9BSeeking Speed~2B9CCurrent Trac\
        k Segments Object ID~2B9DCurrent Track Object ID~2B9ENext Track Object ID~2B9FParent Group Object ID~2BA0Curre\
        nt Group Object ID~2BA1Playing Order~2BA2Playing Orders Supported~2BA3Media State~2BA4Media Control Point~2BA5\
        Media Control Point Opcodes Supported~2BA6Search Results Object ID~2BA7Search Control Point~2BA8Energy 32~2BA9\
        Media Player Icon Object Type~2BAATrack Segments Object Type~2BABTrack Object Type~2BACGroup Object Type~2BADC\
        onstant Tone Extension Enable~2BAEAdvertising Constant Tone Extension Minimum Length~2BAFAdvertising Constant\
         Tone Extension Minimum Transmit Count~2BB0Advertising Constant Tone Extension Transmit Duration~2BB1Advertisi\
        ng Constant Tone Extension Interval~2BB2Advertising Constant Tone Extension PHY~2BB3Bearer Provider Name~2BB4B\
        earer UCI~2BB5Bearer Technology~2BB6Bearer URI Schemes Supported List~2BB7Bearer Signal Strength~2BB8Bearer Si\
        gnal Strength Reporting Interval~2BB9Bearer List Current Calls~2BBAContent Control ID~2BBBStatus Flags~2BBCInc\
        oming Call Target Bearer URI~2BBDCall State~2BBECall Control Point~2BBFCall Control Point Optional Opcodes~2BC\
        0Termination Reason~2BC1Incoming Call~2BC2Call Friendly Name~2BC3Mute~2BC4Sink ASE~2BC5Source ASE~2BC6ASE Cont\
        rol Point~2BC7Broadcast Audio Scan Control Point~2BC8Broadcast Receive State~2BC9Sink PAC~2BCASink Audio Locat\
        ion~2BCBSource PAC~2BCCSource Audio Location~2BCDAvailable Audio Contexts~2BCESupported Audio Contexts~2BCFAmm\
        onia Concentration~2BD0Carbon Monoxide Concentration~2BD1Methane Concentration~2BD2Nitrogen Dioxide Concentrat\
        ion~2BD3Non-Methane Volatile Organic Compounds Concentration~2BD4Ozone Concentration~2BD5Particulate Matter -\
         PM1 Concentration~2BD6Particulate Matter - PM2.5 Concentration~2BD7Particulate Matter - PM10 Concentration~2B\
        D8Sulfur Dioxide Concentration~2BD9Sulfur Hexafluoride Concentration~2BDAHearing Aid Features~2BDBHearing Aid\
         Preset Control Point~2BDCActive Preset Index~2BDDStored Health Observations~2BDEFixed String 64~2BDFHigh Temp\
        erature~2BE0High Voltage~2BE1Light Distribution~2BE2Light Output~2BE3Light Source Type~2BE4Noise~2BE5Relative\
         Runtime in a Correlated Color Temperature Range~2BE6Time Second 32~2BE7VOC Concentration~2BE8Voltage Frequenc\
        y~2BE9Battery Critical Status~2BEABattery Health Status~2BEBBattery Health Information~2BECBattery Information\
        ~2BEDBattery Level Status~2BEEBattery Time Status~2BEFEstimated Service Date~2BF0Battery Energy Status~2BF1Obs\
        ervation Schedule Changed~2BF2Current Elapsed Time~2BF3Health Sensor Features~2BF4GHS Control Point~2BF5E GATT\
         Security Levels~2BF6ESL Address~2BF7AP Sync Key Material~2BF8ESL Response Key Material~2BF9ESL Current Absolu\
        te Time~2BFAESL Display Information~2BFBESL Image Information~2BFCESL Sensor Information~2BFDESL LED Informati\
        on~2BFEESL Control Point~2BFFUDI for Medical Devices~2C00GMAP Role~2C01UGG Features~2C02UGT Features~2C03BGS F\
        eatures~2C04BGR Features~2C1ACoordinated Set Name~FDF0Audio Streaming for Hearing Aid~FE1CNetMedia: Inc.~FE1DI\
        lluminati Instrument Corporation~FE1ESmart Innovations Co.: Ltd~FE1FGarmin International: Inc.~FE20Emerson~FE2\
        1Bose Corporation~FE22Zoll Medical Corporation~FE23Zoll Medical Corporation~FE24August Home Inc~FE25Apple: Inc\
        .~FE26Google Inc.~FE27Google Inc.~FE28Ayla Network~FE29Gibson Innovations~FE2ADaisyWorks: Inc.~FE2BITT Industr\
        ies~FE2CGoogle Inc.~FE2DSMART INNOVATION Co.,Ltd~FE2EERi,Inc.~FE2FCRESCO Wireless: Inc~FE30Volkswagen AG~FE31V\
        olkswagen AG~FE32Pro-Mark: Inc.~FE33CHIPOLO d.o.o.~FE34SmallLoop LLC~FE35HUAWEI Technologies Co.: Ltd~FE36HUAW\
        EI Technologies Co.: Ltd~FE37Spaceek LTD~FE38Spaceek LTD~FE39TTS Tooltechnic Systems AG & Co. KG~FE3ATTS Toolt\
        echnic Systems AG & Co. KG~FE3BDolby Laboratories~FE3CAlibaba~FE3DBD Medical~FE3EBD Medical~FE3FFriday Labs Li\
        mited~FE40Inugo Systems Limited~FE41Inugo Systems Limited~FE42Nets A/S~FE43Andreas Stihl AG & Co. KG~FE44SK Te\
        lecom~FE45Snapchat Inc~FE46B&O Play A/S~FE47General Motors~FE48General Motors~FE49SenionLab AB~FE4AOMRON HEALT\
        HCARE Co.: Ltd.~FE4BKoninklijke Philips N.V.~FE4CVolkswagen AG~FE4DCasambi Technologies Oy~FE4ENTT docomo~FE4F\
        Molekule: Inc.~FE50Google Inc.~FE51SRAM~FE52SetPoint Medical~FE533M~FE54Motiv: Inc.~FE55Google Inc.~FE56Google\
         Inc.~FE57Dotted Labs~FE58Nordic Semiconductor ASA~FE59Nordic Semiconductor ASA~FE5AChronologics Corporation~F\
        E5BGT-tronics HK Ltd~FE5Cmillion hunters GmbH~FE5DGrundfos A/S~FE5EPlastc Corporation~FE5FEyefi: Inc.~FE60Lier\
        da Science & Technology Group Co.: Ltd.~FE61Logitech International SA~FE62Indagem Tech LLC~FE63Connected Yard:\
         Inc.~FE64Siemens AG~FE65CHIPOLO d.o.o.~FE66Intel Corporation~FE67Lab Sensor Solutions~FE68Qualcomm Life Inc~F\
        E69Qualcomm Life Inc~FE6AKontakt Micro-Location Sp. z o.o.~FE6BTASER International: Inc.~FE6CTASER Internation\
        al: Inc.~FE6DThe University of Tokyo~FE6EThe University of Tokyo~FE6FLINE Corporation~FE70Beijing Jingdong Cen\
        tury Trading Co.: Ltd.~FE71Plume Design Inc~FE72St. Jude Medical: Inc.~FE73St. Jude Medical: Inc.~FE74unwire~F\
        E75TangoMe~FE76TangoMe~FE77Hewlett-Packard Company~FE78Hewlett-Packard Company~FE79Zebra Technologies~FE7ABrag\
        i GmbH~FE7BOrion Labs: Inc.~FE7CStollmann E+V GmbH~FE7DAterica Health Inc.~FE7EAwear Solutions Ltd~FE7FDoppler\
         Lab~FE80Doppler Lab~FE81Medtronic Inc.~FE82Medtronic Inc.~FE83Blue Bite~FE84RF Digital Corp~FE85RF Digital Co\
        rp~FE86HUAWEI Technologies Co.: Ltd.~FE87Qingdao Yeelink Information Technology Co.: Ltd.~FE88SALTO SYSTEMS S.\
        L.~FE89B&O Play A/S~FE8AApple: Inc.~FE8BApple: Inc.~FE8CTRON Forum~FE8DInteraxon Inc.~FE8EARM Ltd~FE8FCSR~FE90\
        JUMA~FE91Shanghai Imilab Technology Co.,Ltd~FE92Jarden Safety & Security~FE93OttoQ Inc.~FE94OttoQ Inc.~FE95Xia\
        omi Inc.~FE96Tesla Motor Inc.~FE97Tesla Motor Inc.~FE98Currant: Inc.~FE99Currant: Inc.~FE9AEstimote~FE9BSamsar\
        a Networks: Inc~FE9CGSI Laboratories: Inc.~FE9DMobiquity Networks Inc~FE9EDialog Semiconductor B.V.~FE9FGoogle\
        ~FEA0Google~FEA1Intrepid Control Systems: Inc.~FEA2Intrepid Control Systems: Inc.~FEA3ITT Industries~FEA4Paxto\
        n Access Ltd~FEA5GoPro: Inc.~FEA6GoPro: Inc.~FEA7UTC Fire and Security~FEA8Savant Systems LLC~FEA9Savant Syste\
        ms LLC~FEAAGoogle~FEABNokia Corporation~FEACNokia Corporation~FEADNokia Corporation~FEAENokia Corporation~FEAF\
        Nest Labs Inc.~FEB0Nest Labs Inc.~FEB1Electronics Tomorrow Limited~FEB2Microsoft Corporation~FEB3Taobao~FEB4Wi\
        Silica Inc.~FEB5WiSilica Inc.~FEB6Vencer Co: Ltd~FEB7Facebook: Inc.~FEB8Facebook: Inc.~FEB9LG Electronics~FEBA\
        Tencent Holdings Limited~FEBBadafruit industries~FEBCDexcom: Inc.~FEBDClover Network: Inc.~FEBEBose Corporatio\
        n~FEBFNod: Inc.~FEC0KDDI Corporation~FEC1KDDI Corporation~FEC2Blue Spark Technologies: Inc.~FEC3360fly: Inc.~F\
        EC4PLUS Location Systems~FEC5Realtek Semiconductor Corp.~FEC6Kocomojo: LLC~FEC7Apple: Inc.~FEC8Apple: Inc.~FEC\
        9Apple: Inc.~FECAApple: Inc.~FECBApple: Inc.~FECCApple: Inc.~FECDApple: Inc.~FECEApple: Inc.~FECFApple: Inc.~F\
        ED0Apple: Inc.~FED1Apple: Inc.~FED2Apple: Inc.~FED3Apple: Inc.~FED4Apple: Inc.~FED5Plantronics Inc.~FED6Broadc\
        om Corporation~FED7Broadcom Corporation~FED8Google~FED9Pebble Technology Corporation~FEDAISSC Technologies Cor\
        poration~FEDBPerka: Inc.~FEDCJawbone~FEDDJawbone~FEDECoin: Inc.~FEDFDesign SHIFT~FEE0Anhui Huami Information T\
        echnology Co.~FEE1Anhui Huami Information Technology Co.~FEE2Anki: Inc.~FEE3Anki: Inc.~FEE4Nordic Semiconducto\
        r ASA~FEE5Nordic Semiconductor ASA~FEE6Seed Labs: Inc.~FEE7Tencent Holdings Limited~FEE8Quintic Corp.~FEE9Quin\
        tic Corp.~FEEASwirl Networks: Inc.~FEEBSwirl Networks: Inc.~FEECTile: Inc.~FEEDTile: Inc.~FEEEPolar Electro Oy\
        ~FEEFPolar Electro Oy~FEF0Intel~FEF1CSR~FEF2CSR~FEF3Google~FEF4Google~FEF5Dialog Semiconductor GmbH~FEF6Wicent\
        ric: Inc.~FEF7Aplix Corporation~FEF8Aplix Corporation~FEF9PayPal: Inc.~FEFAPayPal: Inc.~FEFBStollmann E+V GmbH\
        ~FEFCGimbal: Inc.~FEFDGimbal: Inc.~FEFEGN ReSound A/S~FEFFGN Netcom~FFFCAirFuel Alliance~FFFDFast IDentity Onl\
        ine Alliance (FIDO)~FFFEAlliance for Wireless Power (A4WP)~
        """
    }
}
