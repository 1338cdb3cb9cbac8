extension AssignedNumbers {
    /// Company identifiers. Written by `Scripts/measure numbers`.
    static var companies2: String {
        """
        06A3Nymbus, LLC~06A4LIMNO Co. Ltd.~06A5TEKZITEL PTY LTD~06A6Roambee Corporation~06A7Chipsea Technologies (Shen\
        Zhen) Corp.~06A8GD Midea Air-Conditioning Equipment Co., Ltd.~06A9Soundmax Electronics Limited~06AAProdual Oy~\
        06ABHMS Industrial Networks AB~06ACIngchips Technology Co., Ltd.~06ADInnovaSea Systems Inc.~06AESenseQ Inc.~06\
        AFShoof Technologies~06B0BRK Brands, Inc.~06B1SimpliSafe, Inc.~06B2Tussock Innovation 2013 Limited~06B3The Hab\
        lab ApS~06B4Sencilion Oy~06B5Wabilogic Ltd.~06B6Sociometric Solutions, Inc.~06B7iCOGNIZE GmbH~06B8ShadeCraft,\
         Inc~06B9Beflex Inc.~06BABeaconzone Ltd~06BBLeaftronix Analogic Solutions Private Limited~06BCTWS Srl~06BDABB\
         Oy~06BEHitSeed Oy~06BFDelcom Products Inc.~06C0CAME S.p.A.~06C1Alarm.com Holdings, Inc~06C2Measurlogic Inc.~0\
        6C3King I Electronics.Co.,Ltd~06C4Dream Labs GmbH~06C5Urban Compass, Inc~06C6Simm Tronic Limited~06C7Somatix I\
        nc~06C8Storz & Bickel GmbH & Co. KG~06C9MYLAPS B.V.~06CAShenzhen Zhongguang Infotech Technology Development Co\
        ., Ltd~06CBDyeware, LLC~06CCDongguan SmartAction Technology Co.,Ltd.~06CDDIG Corporation~06CEFIOR & GENTZ~06CF\
        Belparts N.V.~06D0Etekcity Corporation~06D1Meyer Sound Laboratories, Incorporated~06D2CeoTronics AG~06D3TriTeq\
         Lock and Security, LLC~06D4DYNAKODE TECHNOLOGY PRIVATE LIMITED~06D5Sensirion AG~06D6JCT Healthcare Pty Ltd~06\
        D7FUBA Automotive Electronics GmbH~06D8AW Company~06D9Shanghai Mountain View Silicon Co.,Ltd.~06DAZliide Techn\
        ologies ApS~06DBAutomatic Labs, Inc.~06DCIndustrial Network Controls, LLC~06DDIntellithings Ltd.~06DENavcast,\
         Inc.~06DFHLI Solutions Inc.~06E0Avaya Inc.~06E1Milestone AV Technologies LLC~06E2Alango Technologies Ltd~06E3\
        Spinlock Ltd~06E4Aluna~06E5OPTEX CO.,LTD.~06E6NIHON DENGYO KOUSAKU~06E7VELUX A/S~06E8Almendo Technologies GmbH\
        ~06E9Zmartfun Electronics, Inc.~06EASafeLine Sweden AB~06EBHouston Radar LLC~06ECSigur~06EDJ Neades Ltd~06EEAv\
        antis Systems Limited~06EFALCARE Co., Ltd.~06F0Chargy Technologies, SL~06F1Shibutani Co., Ltd.~06F2Trapper Dat\
        a AB~06F3Alfred International Inc.~06F4Touché Technology Ltd~06F5Vigil Technologies Inc.~06F6Vitulo Plus BV~06\
        F7WILKA Schliesstechnik GmbH~06F8BodyPlus Technology Co.,Ltd~06F9happybrush GmbH~06FAEnequi AB~06FBSartorius A\
        G~06FCTom Communication Industrial Co.,Ltd.~06FDESS Embedded System Solutions Inc.~06FEMahr GmbH~06FFRedpine S\
        ignals Inc~0700TraqFreq LLC~0701PAFERS TECH~0702Akciju sabiedriba \"SAF TEHNIKA\"~0703Beijing Jingdong Century\
         Trading Co., Ltd.~0704JBX Designs Inc.~0705AB Electrolux~0706Wernher von Braun Center for ASdvanced Research~\
        0707Essity Hygiene and Health Aktiebolag~0708Be Interactive Co., Ltd~0709Carewear Corp.~070AHuf Hülsbeck & Für\
        st GmbH & Co. KG~070BElement Products, Inc.~070CBeijing Winner Microelectronics Co.,Ltd~070DSmartSnugg Pty Ltd\
        ~070EFiveCo Sarl~070FCalifornia Things Inc.~0710Audiodo AB~0711ABAX AS~0712Bull Group Company Limited~0713Resp\
        iri Limited~0714MindPeace Safety LLC~0715MBARC LABS Inc~0716Altonics~0717iQsquare BV~0718IDIBAIX enginneering~\
        0719COREIOT PTY LTD~071AREVSMART WEARABLE HK CO LTD~071BPrecor~071CF5 Sports, Inc~071DexoTIC Systems~071EDONGG\
        UAN HELE ELECTRONICS CO., LTD~071FDongguan Liesheng Electronic Co.Ltd~0720Oculeve, Inc.~0721Clover Network, In\
        c.~0722Xiamen Eholder Electronics Co.Ltd~0723Ford Motor Company~0724Guangzhou SuperSound Information Technolog\
        y Co.,Ltd~0725Tedee Sp. z o.o.~0726PHC Corporation~0727STALKIT AS~0728Eli Lilly and Company~0729SwaraLink Tech\
        nologies~072AJMR embedded systems GmbH~072BBitkey Inc.~072CGWA Hygiene GmbH~072DSafera Oy~072EOpen Platform Sy\
        stems LLC~072FOnePlus Electronics (Shenzhen) Co., Ltd.~0730Wildlife Acoustics, Inc.~0731ABLIC Inc.~0732Dairy T\
        ech, Inc.~0733Iguanavation, Inc.~0734DiUS Computing Pty Ltd~0735UpRight Technologies LTD~0736Luna XIO, Inc.~07\
        37LLC Navitek~0738Glass Security Pte Ltd~0739Jiangsu Qinheng Co., Ltd.~073AChandler Systems Inc.~073BFantini C\
        osmi s.p.a.~073CAcubit ApS~073DBeijing Hao Heng Tian Tech Co., Ltd.~073EBluepack S.R.L.~073FBeijing Unisoc Tec\
        hnologies Co., Ltd.~0740HITIQ LIMITED~0741MAC SRL~0742DML LLC~0743Sanofi~0744SOCOMEC~0745WIZNOVA, Inc.~0746Sei\
        tec Elektronik GmbH~0747OR Technologies Pty Ltd~0748GuangZhou KuGou Computer Technology Co.Ltd~0749DIAODIAO (B\
        eijing) Technology Co., Ltd.~074AIllusory Studios LLC~074BSarvavid Software Solutions LLP~074Ciopool s.a.~074D\
        Amtech Systems, LLC~074EEAGLE DETECTION SA~074FMEDIATECH S.R.L.~0750Hamilton Professional Services of Canada I\
        ncorporated~0751Changsha JEMO IC Design Co.,Ltd~0752Elatec GmbH~0753JLG Industries, Inc.~0754Michael Parkin~07\
        55Brother Industries, Ltd~0756Lumens For Less, Inc~0757ELA Innovation~0758umanSense AB~0759Shanghai InGeek Cyb\
        er Security Co., Ltd.~075AHARMAN CO.,LTD.~075BSmart Sensor Devices AB~075CAntitronics Inc.~075DRHOMBUS SYSTEMS\
        , INC.~075EKaterra Inc.~075FRemote Solution Co., LTD.~0760Vimar SpA~0761Mantis Tech LLC~0762TerOpta Ltd~0763PI\
        KOLIN S.L.~0764WWZN Information Technology Company Limited~0765Voxx International~0766ART AND PROGRAM, INC.~07\
        67NITTO DENKO ASIA TECHNICAL CENTRE PTE. LTD.~0768Peloton Interactive Inc.~0769Force Impact Technologies~076AD\
        mac Mobile Developments, LLC~076BEngineered Medical Technologies~076CNoodle Technology inc~076DGraesslin GmbH~\
        076EWuQi technologies, Inc.~076FSuccessful Endeavours Pty Ltd~0770InnoCon Medical ApS~0771Corvex Connected Saf\
        ety~0772Thirdwayv Inc.~0773Echoflex Solutions Inc.~0774C-MAX Asia Limited~07754eBusiness GmbH~0776Cyber Transp\
        ort Control GmbH~0777Cue~0778KOAMTAC INC.~0779Loopshore Oy~077ANiruha Systems Private Limited~077BAmaterZ, Inc\
        .~077Cradius co., ltd.~077DSensority, s.r.o.~077ESparkage Inc.~077FGlenview Software Corporation~0780Finch Tec\
        hnologies Ltd.~0781Qingping Technology (Beijing) Co., Ltd.~0782DeviceDrive AS~0783ESEMBER LIMITED LIABILITY CO\
        MPANY~0784audifon GmbH & Co. KG~0785O2 Micro, Inc.~0786HLP Controls Pty Limited~0787Pangaea Solution~0788Bubbl\
        yNet, LLC~0789PCB Piezotronics, Inc.~078AThe Wildflower Foundation~078BOptikam Tech Inc.~078CMINIBREW HOLDING\
         B.V~078DCybex GmbH~078EFUJIMIC NIIGATA, INC.~078FHanna Instruments, Inc.~0790KOMPAN A/S~0791Scosche Industrie\
        s, Inc.~0792Cricut, Inc.~0793AEV spol. s r.o.~0794The Coca-Cola Company~0795GASTEC CORPORATION~0796StarLeaf Lt\
        d~0797Water-i.d. GmbH~0798HoloKit, Inc.~0799PlantChoir Inc.~079AGuangDong Oppo Mobile Telecommunications Corp.\
        , Ltd.~079BCST ELECTRONICS (PROPRIETARY) LIMITED~079CSky UK Limited~079DDigibale Pty Ltd~079ESmartloxx GmbH~07\
        9FPune Scientific LLP~07A0Regent Beleuchtungskorper AG~07A1Apollo Neuroscience, Inc.~07A2Roku, Inc.~07A3Comcas\
        t Cable~07A4Xiamen Mage Information Technology Co., Ltd.~07A5RAB Lighting, Inc.~07A6Musen Connect, Inc.~07A7Zu\
        me, Inc.~07A8conbee GmbH~07A9Bruel & Kjaer Sound & Vibration~07AAThe Kroger Co.~07ABGranite River Solutions, I\
        nc.~07ACLoupeDeck Oy~07ADNew H3C Technologies Co.,Ltd~07AEAurea Solucoes Tecnologicas Ltda.~07AFHong Kong Bouf\
        falo Lab Limited~07B0GV Concepts Inc.~07B1Thomas Dynamics, LLC~07B2Moeco IOT Inc.~07B32N TELEKOMUNIKACE a.s.~0\
        7B4Hormann KG Antriebstechnik~07B5CRONO CHIP, S.L.~07B6Soundbrenner Limited~07B7ETABLISSEMENTS GEORGES RENAULT\
        ~07B8iSwip~07B9Epona Biotec Limited~07BABattery-Biz Inc.~07BBEPIC S.R.L.~07BCKD CIRCUITS LLC~07BDGenedrive Dia\
        gnostics Ltd~07BEAxentia Technologies AB~07BFREGULA Ltd.~07C0Biral AG~07C1A.W. Chesterton Company~07C2Radinn A\
        B~07C3CIMTechniques, Inc.~07C4Johnson Health Tech NA~07C5June Life, Inc.~07C6Bluenetics GmbH~07C7iaconicDesign\
         Inc.~07C8WRLDS Creations AB~07C9Skullcandy, Inc.~07CAModul-System HH AB~07CBWest Pharmaceutical Services, Inc\
        .~07CCBarnacle Systems Inc.~07CDSmart Wave Technologies Canada Inc~07CEShanghai Top-Chip Microelectronics Tech\
        . Co., LTD~07CFNeoSensory, Inc.~07D0Hangzhou Tuya Information Technology Co., Ltd~07D1Shanghai Panchip Microel\
        ectronics Co., Ltd~07D2React Accessibility Limited~07D3LIVNEX Co.,Ltd.~07D4Kano Computing Limited~07D5hoots cl\
        assic GmbH~07D6ecobee Inc.~07D7Nanjing Qinheng Microelectronics Co., Ltd~07D8SOLUTIONS AMBRA INC.~07D9Micro-De\
        sign, Inc.~07DASTARLITE Co., Ltd.~07DBRemedee Labs~07DCThingOS GmbH & Co KG~07DDLinear Circuits~07DEUnlimited\
         Engineering SL~07DFSnap-on Incorporated~07E0Edifier International Limited~07E1Lucie Labs~07E2Alfred Kaercher\
         SE & Co. KG~07E3Airoha Technology Corp.~07E4Geeksme S.L.~07E5Minut, Inc.~07E6Waybeyond Limited~07E7Komfort IQ\
        , Inc.~07E8Packetcraft, Inc.~07E9Häfele GmbH & Co KG~07EAShapeLog, Inc.~07EBNOVABASE S.R.L.~07ECFrecce LLC~07E\
        DJoule IQ, INC.~07EEKidzTek LLC~07EFAktiebolaget Sandvik Coromant~07F0e-moola.com Pty Ltd~07F1Zimi Innovations\
         Pty Ltd~07F2SERENE GROUP, INC~07F3DIGISINE ENERGYTECH CO. LTD.~07F4MEDIRLAB Orvosbiologiai Fejleszto Korlatol\
        t Felelossegu Tarsasag~07F5Byton North America Corporation~07F6Shenzhen TonliScience and Technology Developmen\
        t Co.,Ltd~07F7Cesar Systems Ltd.~07F8quip NYC Inc.~07F9Direct Communication Solutions, Inc.~07FAKlipsch Group,\
         Inc.~07FBAccess Co., Ltd~07FCRenault SA~07FDJSK CO., LTD.~07FEBIROTA~07FFmaxon motor ltd.~0800Optek~0801CRONU\
        S ELECTRONICS LTD~0802NantSound, Inc.~0803Domintell s.a.~0804Andon Health Co.,Ltd~0805Urbanminded Ltd~0806TYRI\
         Sweden AB~0807ECD Electronic Components GmbH Dresden~0808SISTEMAS KERN, SOCIEDAD ANÓMINA~0809Trulli Audio~080\
        AAltaneos~080BNanoleaf Canada Limited~080CIngy B.V.~080DAzbil Co.~080ETATTCOM LLC~080FParadox Engineering SA~0\
        810LECO Corporation~0811Becker Antriebe GmbH~0812Mstream Technologies., Inc.~0813Flextronics International USA\
         Inc.~0814Ossur hf.~0815SKC Inc~0816SPICA SYSTEMS LLC~0817Wangs Alliance Corporation~0818tatwah SA~0819Hunter\
         Douglas Inc~081AShenzhen Conex~081BDIM3~081CBobrick Washroom Equipment, Inc.~081DPotrykus Holdings and Develo\
        pment LLC~081EiNFORM Technology GmbH~081FeSenseLab LTD~0820Brilliant Home Technology, Inc.~0821INOVA Geophysic\
        al, Inc.~0822adafruit industries~0823Nexite Ltd~08248Power Limited~0825CME PTE. LTD.~0826Hyundai Motor Company\
        ~0827Kickmaker~0828Shanghai Suisheng Information Technology Co., Ltd.~0829HEXAGON METROLOGY DIVISION ROMER~082\
        AMitutoyo Corporation~082Bshenzhen fitcare electronics Co.,Ltd~082CINGICS TECHNOLOGY CO., LTD.~082DINCUS PERFO\
        RMANCE LTD.~082EABB S.p.A.~082FBlippit AB~0830Core Health and Fitness LLC~0831Foxble, LLC~0832Intermotive,Inc.\
        ~0833Conneqtech B.V.~0834RIKEN KEIKI CO., LTD.,~0835Canopy Growth Corporation~0836Bitwards Oy~0837vivo Mobile\
         Communication Co., Ltd.~0838Etymotic Research, Inc.~0839A puissance 3~083ABPW Bergische Achsen Kommanditgesel\
        lschaft~083BPiaggio Fast Forward~083CBeerTech LTD~083DTokenize, Inc.~083EZorachka LTD~083FD-Link Corp.~0840Dow\
        n Range Systems LLC~0841General Luminaire (Shanghai) Co., Ltd.~0842Tangshan HongJia electronic technology co.,\
         LTD.~0843FRAGRANCE DELIVERY TECHNOLOGIES LTD~0844Pepperl + Fuchs GmbH~0845Dometic Corporation~0846USound GmbH\
        ~0847DNANUDGE LIMITED~0848JUJU JOINTS CANADA CORP.~0849Dopple Technologies B.V.~084AARCOM~084BBiotechware SRL~\
        084CORSO Inc.~084DSafePort~084ECarol Cole Company~084FEmbedded Fitness B.V.~0850Yealink (Xiamen) Network Techn\
        ology Co.,LTD~0851Subeca, Inc.~0852Cognosos, Inc.~0853Pektron Group Limited~0854Tap Sound System~0855Helios Sp\
        orts, Inc.~0856Canopy Growth Corporation~0857Parsyl Inc~0858SOUNDBOKS~0859BlueUp~085ADAKATECH~085BNisshinbo Mi\
        cro Devices Inc.~085CACOS CO.,LTD.~085DGuilin Zhishen Information Technology Co.,Ltd.~085EKrog Systems LLC~085\
        FCOMPEGPS TEAM,SOCIEDAD LIMITADA~0860Alflex Products B.V.~0861SmartSensor Labs Ltd~0862SmartDrive~0863Yo-troni\
        cs Technology Co., Ltd.~0864Rafaelmicro~0865Emergency Lighting Products Limited~0866LAONZ Co.,Ltd~0867Western\
         Digital Techologies, Inc.~0868WIOsense GmbH & Co. KG~0869EVVA Sicherheitstechnologie GmbH~086AOdic Incorporat\
        ed~086BPacific Track, LLC~086CRevvo Technologies, Inc.~086DBiometrika d.o.o.~086EVorwerk Elektrowerke GmbH & C\
        o. KG~086FTrackunit A/S~0870Wyze Labs, Inc~0871Dension Elektronikai Kft.~087211 Health & Technologies Limited~\
        0873Innophase Incorporated~0874Treegreen Limited~0875Berner International LLC~0876SmartResQ ApS~0877Tome, Inc.\
        ~0878The Chamberlain Group, Inc.~0879MIZUNO Corporation~087AZRF, LLC~087BBYSTAMP~087CCrosscan GmbH~087DKonftel\
         AB~087E1bar.net Limited~087FPhillips Connect Technologies LLC~0880imagiLabs AB~0881Optalert~0882PSYONIC, Inc.\
        ~0883Wintersteiger AG~0884Controlid Industria, Comercio de Hardware e Servicos de Tecnologia Ltda~0885LEVOLOR\
         INC~0886Movella Technologies B.V.~0887Hydro-Gear Limited Partnership~0888EnPointe Fencing Pty Ltd~0889XANTHIO\
        ~088Asclak s.r.l.~088BTricorder Arraay Technologies LLC~088CGB Solution co.,Ltd~088DSoliton Systems K.K.~088EG\
        IGA-TMS INC~088FTait International Limited~0890NICHIEI INTEC CO., LTD.~0891SmartWireless GmbH & Co. KG~0892Ing\
        enieurbuero Birnfeld UG (haftungsbeschraenkt)~0893Maytronics Ltd~0894EPIFIT~0895Gimer medical~0896Nokian Renka\
        at Oyj~0897Current Lighting Solutions LLC~0898Sensibo, Inc.~0899SFS unimarket AG~089APrivate limited company\
         \"Teltonika\"~089BSaucon Technologies~089CEmbedded Devices Co. Company~089DJ-J.A.D.E. Enterprise LLC~089Ei-SE\
        NS, inc.~089FWitschi Electronic Ltd~08A0Aclara Technologies LLC~08A1EXEO TECH CORPORATION~08A2Epic Systems Co.\
        , Ltd.~08A3Hoffmann SE~08A4Realme Chongqing Mobile Telecommunications Corp., Ltd.~08A5UMEHEAL Ltd~08A6Intellig\
        enceworks Inc.~08A7TGR 1.618 Limited~08A8Shanghai Kfcube Inc~08A9Fraunhofer IIS~08AASZ DJI TECHNOLOGY CO.,LTD~\
        08ABCoburn Technology, LLC~08ACTopre Corporation~08ADKayamatics Limited~08AEMoticon ReGo AG~08AFPolidea Sp. z\
         o.o.~08B0Trivedi Advanced Technologies LLC~08B1CORE|vision BV~08B2PF SCHWEISSTECHNOLOGIE GMBH~08B3IONIQ Skinc\
        are GmbH & Co. KG~08B4Sengled Co., Ltd.~08B5TransferFi~08B6Boehringer Ingelheim Vetmedica GmbH~08B7ABB Inc~08B\
        8Check Technology Solutions LLC~08B9U-Shin Ltd.~08BAHYPER ICE, INC.~08BBTokai-rika co.,ltd.~08BCPrevayl Limite\
        d~08BDbf1systems limited~08BEubisys technologies GmbH~08BFSIRC Co., Ltd.~08C0Accent Advanced Systems SLU~08C1R\
        ayden.Earth LTD~08C2Lindinvent AB~08C3CHIPOLO d.o.o.~08C4CellAssist, LLC~08C5J. Wagner GmbH~08C6Integra Optics\
         Inc~08C7Monadnock Systems Ltd.~08C8Liteboxer Technologies Inc.~08C9Noventa AG~08CANubia Technology Co.,Ltd.~0\
        8CBJT INNOVATIONS LIMITED~08CCTGM TECHNOLOGY CO., LTD.~08CDifly~08CEZIMI CORPORATION~08CFbetternotstealmybike\
         UG (with limited liability)~08D0ESTOM Infotech Kft.~08D1Sensovium Inc.~08D2Virscient Limited~08D3Novel Bits,\
         LLC~08D4ADATA Technology Co., LTD.~08D5KEYes~08D6Nome Oy~08D7Inovonics Corp~08D8WARES~08D9Pointr Labs Limited\
        ~08DAMiridia Technology Incorporated~08DBTertium Technology~08DCSHENZHEN AUKEY E BUSINESS CO., LTD~08DDcode-Q~\
        08DETE Connectivity Corporation~08DFIRIS OHYAMA CO.,LTD.~08E0Philia Technology~08E1KOZO KEIKAKU ENGINEERING In\
        c.~08E2Shenzhen Simo Technology co. LTD~08E3Republic Wireless, Inc.~08E4Rashidov ltd~08E5Crowd Connected Ltd~0\
        8E6Eneso Tecnologia de Adaptacion S.L.~08E7Barrot Technology Co.,Ltd.~08E8Naonext~08E9Taiwan Intelligent Home\
         Corp.~08EACOWBELL ENGINEERING CO.,LTD.~08EBBeijing Big Moment Technology Co., Ltd.~08ECDenso Corporation~08ED\
        IMI Hydronic Engineering International SA~08EEAskey Computer Corp.~08EFCumulus Digital Systems, Inc~08F0Joovv,\
         Inc.~08F1The L.S. Starrett Company~08F2Microoled~08F3PSP - Pauli Services & Products GmbH~08F4Kodimo Technolo\
        gies Company Limited~08F5Tymtix Technologies Private Limited~08F6Dermal Photonics Corporation~08F7MTD Products\
         Inc & Affiliates~08F8instagrid GmbH~08F9Spacelabs Medical Inc.~08FATroo Corporation~08FBDarkglass Electronics\
         Oy~08FCHill-Rom~08FDBioIntelliSense, Inc.~08FEKetronixs Sdn Bhd~08FFPlastimold Products, Inc~0900Beijing Ziza\
        i Technology Co., LTD.~0901Lucimed~0902TSC Auto-ID Technology Co., Ltd.~0903DATAMARS, Inc.~0904SUNCORPORATION~\
        0905Yandex Services AG~0906Scope Logistical Solutions~0907User Hello, LLC~0908Pinpoint Innovations Limited~090\
        970mai Co.,Ltd.~090AZhuhai Hoksi Technology CO.,LTD~090BEMBR labs, INC~090CRadiawave Technologies Co.,Ltd.~090\
        DIOT Invent GmbH~090EOPTIMUSIOT TECH LLP~090FVC Inc.~0910ASR Microelectronics (Shanghai) Co., Ltd.~0911Douglas\
         Lighting Controls Inc.~0912Nerbio Medical Software Platforms Inc~0913Braveheart Wireless, Inc.~0914INEO-SENSE\
        ~0915Honda Motor Co., Ltd.~0916Ambient Sensors LLC~0917ASR Microelectronics(ShenZhen)Co., Ltd.~0918Technospher\
        e Labs Pvt. Ltd.~0919NO SMD LIMITED~091AAlbertronic BV~091BLuminostics, Inc.~091COblamatik AG~091DInnokind, In\
        c.~091EMelbot Studios, Sociedad Limitada~091FMyzee Technology~0920Omnisense Limited~0921KAHA PTE. LTD.~0922Sha\
        nghai MXCHIP Information Technology Co., Ltd.~0923JSB TECH PTE LTD~0924Fundacion Tecnalia Research and Innovat\
        ion~0925Yukai Engineering Inc.~0926Gooligum Technologies Pty Ltd~0927ROOQ GmbH~0928AiRISTA~0929Qingdao Haier T\
        echnology Co., Ltd.~092ASappl Verwaltungs- und Betriebs GmbH~092BTekHome~092CPCI Private Limited~092DLeggett &\
         Platt, Incorporated~092EPS GmbH~092FC.O.B.O. SpA~0930James Walker RotaBolt Limited~0931BREATHINGS Co., Ltd.~0\
        932BarVision, LLC~0933SRAM~0934KiteSpring Inc.~0935Reconnect, Inc.~0936Elekon AG~0937RealThingks GmbH~0938Henw\
        ay Technologies, LTD.~0939ASTEM Co.,Ltd.~093ALinkedSemi Microelectronics (Xiamen) Co., Ltd~093BENSESO LLC~093C\
        Xenoma Inc.~093DAdolf Wuerth GmbH & Co KG~093ECatalyft Labs, Inc.~093FJEPICO Corporation~0940Hero Workout GmbH\
        ~0941Rivian Automotive, LLC~0942TRANSSION HOLDINGS LIMITED~0943Reserved~0944Agitron d.o.o.~0945Globe (Jiangsu)\
         Co., Ltd~0946AMC International Alfa Metalcraft Corporation AG~0947First Light Technologies Ltd.~0948Wearable\
         Link Limited~0949Metronom Health Europe~094AZwift, Inc.~094BKindeva Drug Delivery L.P.~094CGimmiSys GmbH~094D\
        tkLABS INC.~094EPassiveBolt, Inc.~094FLimited Liability Company \"Mikrotikls\"~0950Capetech~0951PPRS~0952Apptr\
        icity Corporation~0953LogiLube, LLC~0954Julbo~0955Breville Group~0956Kerlink~0957Ohsung Electronics~0958ZTE Co\
        rporation~0959HerdDogg, Inc~095ASelekt Bilgisayar, lletisim Urunleri lnsaat Sanayi ve Ticaret Limited Sirketi~\
        095BLismore Instruments Limited~095CLogiLube, LLC~095DElectronic Theatre Controls~095EBioEchoNet inc.~095FNUAN\
        CE HEARING LTD~0960Sena Technologies Inc.~0961Linkura AB~0962GL Solutions K.K.~0963Moonbird BV~0964Countrymate\
         Technology Limited~0965Asahi Kasei Corporation~0966PointGuard, LLC~0967Neo Materials and Consulting Inc.~0968\
        Actev Motors, Inc.~0969Woan Technology (Shenzhen) Co., Ltd.~096Adricos, Inc.~096BGuide ID B.V.~096C9374-7319 Q\
        uebec inc~096DGunwerks, LLC~096EBand Industries, inc.~096FLund Motion Products, Inc.~0970IBA Dosimetry GmbH~09\
        71GA~0972Closed Joint Stock Company \"Zavod Flometr\" (\"Zavod Flometr\" CJSC)~0973Popit Oy~0974ABEYE~0975Blue\
        IOT(Beijing) Technology Co.,Ltd~0976Fauna Audio GmbH~0977TOYOTA motor corporation~0978ZifferEins GmbH & Co. KG\
        ~0979BIOTRONIK SE & Co. KG~097ACORE CORPORATION~097BCTEK Sweden AB~097CThorley Industries, LLC~097DCLB B.V.~09\
        7ESonicSensory Inc~097FISEMAR S.R.L.~0980DEKRA TESTING AND CERTIFICATION, S.A.U.~0981Bernard Krone Holding SE\
         & Co.KG~0982ELPRO-BUCHS AG~0983Feedback Sports LLC~0984TeraTron GmbH~0985Lumos Health Inc.~0986Cello Hill, LL\
        C~0987TSE BRAKES, INC.~0988BHM-Tech Produktionsgesellschaft m.b.H~0989WIKA Alexander Wiegand SE & Co.KG~098ABi\
        ovigil~098BMequonic Engineering, S.L.~098CbGrid B.V.~098DC3-WIRELESS, LLC~098EADVEEZ~098FAktiebolaget Regin~09\
        90Anton Paar GmbH~0991Telenor ASA~0992Big Kaiser Precision Tooling Ltd~0993Absolute Audio Labs B.V.~0994VT42 P\
        ty Ltd~0995Bronkhorst High-Tech B.V.~0996C. & E. Fein GmbH~0997NextMind~0998Pixie Dust Technologies, Inc.~0999\
        eTactica ehf~099ANew Audio LLC~099BSendum Wireless Corporation~099Cdeister electronic GmbH~099DYKK AP Inc.~099\
        EStep One Limited~099FKoya Medical, Inc.~09A0Proof Diagnostics, Inc.~09A1VOS Systems, LLC~09A2ENGAGENOW DATA S\
        CIENCES PRIVATE LIMITED~09A3ARDUINO SA~09A4KUMHO ELECTRICS, INC~09A5Security Enhancement Systems, LLC~09A6BEIJ\
        ING ELECTRIC VEHICLE CO.,LTD~09A7Paybuddy ApS~09A8KHN Solutions LLC~09A9Nippon Ceramic Co.,Ltd.~09AAPHOTODYNAM\
        IC INCORPORATED~09ABDashLogic, Inc.~09ACAmbiq~09ADNarhwall Inc.~09AEPozyx NV~09AFifLink Open Community~09B0Deu\
        blin Company, LLC~09B1BLINQY~09B2DYPHI~09B3BlueX Microelectronics Corp Ltd.~09B4PentaLock Aps.~09B5AUTEC Gesel\
        lschaft fuer Automationstechnik mbH~09B6Pegasus Technologies, Inc.~09B7Bout Labs, LLC~09B8PlayerData Limited~0\
        9B9SAVOY ELECTRONIC LIGHTING~09BAElimo Engineering Ltd~09BBSkyStream Corporation~09BCAerosens LLC~09BDCentre S\
        uisse d'Electronique et de Microtechnique SA~09BEVessel Ltd.~09BFSpan.IO, Inc.~09C0AnotherBrain inc.~09C1Rosew\
        ill~09C2Universal Audio, Inc.~09C3JAPAN TOBACCO INC.~09C4UVISIO~09C5HungYi Microelectronics Co.,Ltd.~09C6Honor\
         Device Co., Ltd.~09C7Combustion, LLC~09C8XUNTONG~09C9CrowdGlow Ltd~09CAMobitrace~09CBHx Engineering, LLC~09CC\
        Senso4s d.o.o.~09CDBlyott~09CEJulius Blum GmbH~09CFBlueStreak IoT, LLC~09D0Chess Wise B.V.~09D1ABLEPAY TECHNOL\
        OGIES AS~09D2Temperature Sensitive Solutions Systems Sweden AB~09D3HeartHero, inc.~09D4ORBIS Inc.~09D5GEAR RAD\
        IO ELECTRONICS CORP.~09D6EAR TEKNIK ISITME VE ODIOMETRI CIHAZLARI SANAYI VE TICARET ANONIM SIRKETI~09D7Coyotta\
        ~09D8Synergy Tecnologia em Sistemas Ltda~09D9VivoSensMedical GmbH~09DANagravision SA~09DBBionic Avionics Inc.~\
        09DCAON2 Ltd.~09DDInnoware Development AB~09DEJLD Technology Solutions, LLC~09DFMagnus Technology Sdn Bhd~09E0\
        Preddio Technologies Inc.~09E1Tag-N-Trac Inc~09E2Wuhan Linptech Co.,Ltd.~09E3Friday Home Aps~09E4CPS AS~09E5Mo\
        bilogix~09E6Masonite Corporation~09E7Kabushikigaisha HANERON~09E8Melange Systems Pvt. Ltd.~09E9LumenRadio AB~0\
        9EAAthlos Oy~09EBKEAN ELECTRONICS PTY LTD~09ECYukon advanced optics worldwide, UAB~09EDSibel Inc.~09EEOJMAR SA\
        ~09EFSteinel Solutions AG~09F0WatchGas B.V.~09F1OM Digital Solutions Corporation~09F2Audeara Pty Ltd~09F3Beiji\
        ng Zero Zero Infinity Technology Co.,Ltd.~09F4Spectrum Technologies, Inc.~09F5OKI Electric Industry Co., Ltd~0\
        9F6Mobile Action Technology Inc.~09F7SENSATEC Co., Ltd.~09F8R.O. S.R.L.~09F9Hangzhou Yaguan Technology Co. LTD\
        ~09FAListen Technologies Corporation~09FBTOITU CO., LTD.~09FCConfidex~09FDKeep Technologies, Inc.~09FELichtvis\
        ion Engineering GmbH~09FFAIRSTAR~0A00Ampler Bikes OU~0A01Cleveron AS~0A02Ayxon-Dynamics GmbH~0A03donutrobotics\
         Co., Ltd.~0A04Flosonics Medical~0A05Southwire Company, LLC~0A06Shanghai wuqi microelectronics Co.,Ltd~0A07Ref\
        low Pty Ltd~0A08Oras Oy~0A09ECCT~0A0AVolan Technology Inc.~0A0BSIANA Systems~0A0CShanghai Yidian Intelligent T\
        echnology Co., Ltd.~0A0DBlue Peacock GmbH~0A0ERoland Corporation~0A0FLIXIL Corporation~0A10SUBARU Corporation~\
        0A11Sensolus~0A12Dyson Technology Limited~0A13Tec4med LifeScience GmbH~0A14CROXEL, INC.~0A15Syng Inc~0A16RIDE\
         VISION LTD~0A17Plume Design Inc~0A18Cambridge Animal Technologies Ltd~0A19Maxell, Ltd.~0A1ALink Labs, Inc.~0A\
        1BEmbrava Pty Ltd~0A1CINPEAK S.C.~0A1DAPI-K~0A1ECombiQ AB~0A1FDeVilbiss Healthcare LLC~0A20Jiangxi Innotech Te\
        chnology Co., Ltd~0A21Apollogic Sp. z o.o.~0A22DAIICHIKOSHO CO., LTD.~0A23BIXOLON CO.,LTD~0A24Atmosic Technolo\
        gies, Inc.~0A25Eran Financial Services LLC~0A26Louis Vuitton~0A27AYU DEVICES PRIVATE LIMITED~0A28NanoFlex Powe\
        r Corporation~0A29Worthcloud Technology Co.,Ltd~0A2AYamaha Corporation~0A2BPaceBait IVS~0A2CShenzhen H&T Intel\
        ligent Control Co., Ltd~0A2DShenzhen Feasycom Technology Co., Ltd.~0A2EZuma Array Limited~0A2FInstamic, Inc.~0\
        A30Air-Weigh~0A31Nevro Corp.~0A32Pinnacle Technology, Inc.~0A33WMF AG~0A34Luxer Corporation~0A35safectory GmbH\
        ~0A36NGK SPARK PLUG CO., LTD.~0A372587702 Ontario Inc.~0A38Bouffalo Lab (Nanjing)., Ltd.~0A39BLUETICKETING SRL\
        ~0A3AIncotex Co. Ltd.~0A3BGalileo Technology Limited~0A3CSiteco GmbH~0A3DDELABIE~0A3EHefei Yunlian Semiconduct\
        or Co., Ltd~0A3FShenzhen Yopeak Optoelectronics Technology Co., Ltd.~0A40GEWISS S.p.A.~0A41OPEX Corporation~0A\
        42Motionalysis, Inc.~0A43Busch Systems International Inc.~0A44Novidan, Inc.~0A453SI Security Systems, Inc~0A46\
        Beijing HC-Infinite Technology Limited~0A47The Wand Company Ltd~0A48JRC Mobility Inc.~0A49Venture Research Inc\
        .~0A4AMap Large, Inc.~0A4BMistyWest Energy and Transport Ltd.~0A4CSiFli Technologies (shanghai) Inc.~0A4DLockn\
         Technologies Private Limited~0A4EToytec Corporation~0A4FVANMOOF Global Holding B.V.~0A50Nextscape Inc.~0A51CS\
        IRO~0A52Follow Sense Europe B.V.~0A53KKM COMPANY LIMITED~0A54SQL Technologies Corp.~0A55Inugo Systems Limited~\
        0A56ambie~0A57Meizhou Guo Wei Electronics Co., Ltd~0A58Indigo Diabetes~0A59TourBuilt, LLC~0A5ASontheim Industr\
        ie Elektronik GmbH~0A5BLEGIC Identsystems AG~0A5CInnovative Design Labs Inc.~0A5DMG Energy Systems B.V.~0A5ELa\
        ceClips llc~0A5Fstryker~0A60DATANG SEMICONDUCTOR TECHNOLOGY CO.,LTD~0A61Smart Parks B.V.~0A62MOKO TECHNOLOGY L\
        td~0A63Gremsy JSC~0A64Geopal system A/S~0A65Lytx, INC.~0A66JUSTMORPH PTE. LTD.~0A67Beijing SuperHexa Century T\
        echnology CO. Ltd~0A68Focus Ingenieria SRL~0A69HAPPIEST BABY, INC.~0A6AScribble Design Inc.~0A6BOlympic Ophtha\
        lmics, Inc.~0A6CPokkels~0A6DKUUKANJYOKIN Co.,Ltd.~0A6EPac Sane Limited~0A6FWarner Bros.~0A70Ooma~0A71Senquip P\
        ty Ltd~0A72Jumo GmbH & Co. KG~0A73Innohome Oy~0A74MICROSON S.A.~0A75Delta Cycle Corporation~0A76Synaptics Inco\
        rporated~0A77AXTRO PTE. LTD.~0A78Shenzhen Sunricher Technology Limited~0A79Webasto SE~0A7AEmlid Limited~0A7BUn\
        iqAir Oy~0A7CWAFERLOCK~0A7DFreedman Electronics Pty Ltd~0A7EKEBA Handover Automation GmbH~0A7FIntuity Medical~\
        0A80Cleer Limited~0A81Universal Biosensors Pty Ltd~0A82Corsair~0A83Rivata, Inc.~0A84Greennote Inc,~0A85Snowbal\
        l Technology Co., Ltd.~0A86ALIZENT International~0A87Shanghai Smart System Technology Co., Ltd~0A88PSA Peugeot\
         Citroen~0A89SES-Imagotag~0A8AHAINBUCH GMBH SPANNENDE TECHNIK~0A8BSANlight GmbH~0A8CDelpSys, s.r.o.~0A8DJCM TE\
        CHNOLOGIES S.A.~0A8EPerfect Company~0A8FTOTO LTD.~0A90Shenzhen Grandsun Electronic Co.,Ltd.~0A91Monarch Intern\
        ational Inc.~0A92Carestream Dental LLC~0A93GiPStech S.r.l.~0A94OOBIK Inc.~0A95Pamex Inc.~0A96Lightricity Ltd~0\
        A97SensTek~0A98Foil, Inc.~0A99Shanghai high-flying electronics technology Co.,Ltd~0A9ATEMKIN ASSOCIATES, LLC~0\
        A9BEello LLC~0A9CXi'an Fengyu Information Technology Co., Ltd.~0A9DCanon Finetech Nisca Inc.~0A9ELifePlus, Inc\
        .~0A9Fista International GmbH~0AA0Loy Tec electronics GmbH~0AA1LINCOGN TECHNOLOGY CO. LIMITED~0AA2Care Bloom,\
         LLC~0AA3DIC Corporation~0AA4FAZEPRO LLC~0AA5Shenzhen Uascent Technology Co., Ltd~0AA6Realityworks, inc.~0AA7U\
        rbanista AB~0AA8Zencontrol Pty Ltd~0AA9Spintly, Inc.~0AAAComputime International Ltd~0AABAnhui Listenai Co~0AA\
        COSM HK Limited~0AADAdevo Consulting AB~0AAEPS Engineering, Inc.~0AAFAIAIAI ApS~0AB0Visiontronic s.r.o.~0AB1In\
        Vue Security Products Inc~0AB2TouchTronics, Inc.~0AB3INNER RANGE PTY. LTD.~0AB4Ellenby Technologies, Inc.~0AB5\
        Elstat Electronics Ltd.~0AB6Xenter, Inc.~0AB7LogTag North America Inc.~0AB8Sens.ai Incorporated~0AB9STL~0ABAOp\
        en Bionics Ltd.~0ABBR-DAS, s.r.o.~0ABCKCCS Mobile Engineering Co., Ltd.~0ABDInventas AS~0ABERobkoo Information\
         & Technologies Co., Ltd.~0ABFPAUL HARTMANN AG~0AC0Omni-ID USA, INC.~0AC1Shenzhen Jingxun Technology Co., Ltd.\
        ~0AC2RealMega Microelectronics technology (Shanghai) Co. Ltd.~0AC3Kenzen, Inc.~0AC4CODIUM~0AC5Flexoptix GmbH~0\
        AC6Barnes Group Inc.~0AC7Chengdu Aich Technology Co.,Ltd~0AC8Keepin Co., Ltd.~0AC9Swedlock AB~0ACAShenzhen Coo\
        lKit Technology Co., Ltd~0ACBise Individuelle Software und Elektronik GmbH~0ACCNuvoton~0ACDVisuallex Sport Int\
        ernational Limited~0ACEKOBATA GAUGE MFG. CO., LTD.~0ACFCACI Technologies~0AD0Nordic Strong ApS~0AD1EAGLE KINGD\
        OM TECHNOLOGIES LIMITED~0AD2Lautsprecher Teufel GmbH~0AD3SSV Software Systems GmbH~0AD4Zhuhai Pantum Electroni\
        sc Co., Ltd~0AD5Streamit B.V.~0AD6nymea GmbH~0AD7AL-KO Geraete GmbH~0AD8Franz Kaldewei GmbH&Co KG~0AD9Shenzhen\
         Aimore. Co.,Ltd~0ADACodefabrik GmbH~0ADBReelables, Inc.~0ADCDuravit AG~0ADDBoss Audio~0ADEVocera Communicatio\
        ns, Inc.~0ADFDouglas Dynamics L.L.C.~0AE0Viceroy Devices Corporation~0AE1ChengDu ForThink Technology Co., Ltd.\
        ~0AE2IMATRIX SYSTEMS, INC.~0AE3GlobalMed~0AE4DALI Alliance~0AE5unu GmbH~0AE6Hexology~0AE7Sunplus Technology Co\
        ., Ltd.~0AE8LEVEL, s.r.o.~0AE9FLIR Systems AB~0AEABorda Technology~0AEBSquare, Inc.~0AECFUTEK ADVANCED SENSOR\
         TECHNOLOGY, INC~0AEDSaxonar GmbH~0AEEVelentium, LLC~0AEFGLP German Light Products GmbH~0AF0Leupold & Stevens,\
         Inc.~0AF1CRADERS,CO.,LTD~0AF2Shanghai All Link Microelectronics Co.,Ltd~0AF3701x Inc.~0AF4Radioworks Microele\
        ctronics PTY LTD~0AF5Unitech Electronic Inc.~0AF6AMETEK, Inc.~0AF7Irdeto~0AF8First Design System Inc.~0AF9Unis\
        to AG~0AFAChengdu Ambit Technology Co., Ltd.~0AFBSMT ELEKTRONIK GmbH~0AFCCerebrum Sensor Technologies Inc.~0AF\
        DWeber Sensors, LLC~0AFEEarda Technologies Co.,Ltd~0AFFFUSEAWARE LIMITED~0B00Flaircomm Microelectronics Inc.~0\
        B01RESIDEO TECHNOLOGIES, INC.~0B02IORA Technology Development Ltd. Sti.~0B03Precision Triathlon Systems Limite\
        d~0B04I-PERCUT~0B05Marquardt GmbH~0B06FAZUA GmbH~0B07Workaround Gmbh~0B08Shenzhen Qianfenyi Intelligent Techno\
        logy Co., LTD~0B09soonisys~0B0ABelun Technology Company Limited~0B0BSanistaal A/S~0B0CBluPeak~0B0DSANYO DENKO\
         Co.,Ltd.~0B0EHonda Lock Mfg. Co.,Ltd.~0B0FB.E.A. S.A.~0B10Alfa Laval Corporate AB~0B11ThermoWorks, Inc.~0B12T\
        oughBuilt Industries LLC~0B13IOTOOLS~0B14Olumee~0B15NAOS JAPAN K.K.~0B16Guard RFID Solutions Inc.~0B17SIG SAUE\
        R, INC.~0B18DECATHLON SE~0B19WBS PROJECT H PTY LTD~0B1ARoca Sanitario, S.A.~0B1BEnerpac Tool Group Corp.~0B1CN\
        anoleq AG~0B1DAccelerated Systems~0B1EPB INC.~0B1FBeijing ESWIN Computing Technology Co., Ltd.~0B20TKH Securit\
        y B.V.~0B21ams AG~0B22Hygiene IQ, LLC.~0B23iRhythm Technologies, Inc.~0B24BeiJing ZiJie TiaoDong KeJi Co.,Ltd.\
        ~0B25NIBROTECH LTD~0B26Baracoda Daily Healthtech.~0B27Lumi United Technology Co., Ltd~0B28CHACON~0B29Tech-Veno\
        m Entertainment Private Limited~0B2AACL Airshop B.V.~0B2BMAINBOT~0B2CILLUMAGEAR, Inc.~0B2DREDARC ELECTRONICS P\
        TY LTD~0B2EMOCA System Inc.~0B2FDuke Manufacturing Co~0B30ART SPA~0B31Silver Wolf Vehicles Inc.~0B32Hala Syste\
        ms, Inc.~0B33ARMATURA LLC~0B34CONZUMEX INDUSTRIES PRIVATE LIMITED~0B35BH SENS~0B36SINTEF~0B37Omnivoltaic Energ\
        y Solutions Limited Company~0B38WISYCOM S.R.L.~0B39Red 100 Lighting Co., ltd.~0B3AImpact Biosystems, Inc.~0B3B\
        AIC semiconductor (Shanghai) Co., Ltd.~0B3CDodge Industrial, Inc.~0B3DREALTIMEID AS~0B3EISEO Serrature S.p.a.~\
        0B3FMindRhythm, Inc.~0B40Havells India Limited~0B41Sentrax GmbH~0B42TSI~0B43INCITAT ENVIRONNEMENT~0B44nFore Te\
        chnology Co., Ltd.~0B45Electronic Sensors, Inc.~0B46Bird Rides, Inc.~0B47Gentex Corporation~0B48NIO USA, Inc.~\
        0B49SkyHawke Technologies~0B4ANomono AS~0B4BEMS Integrators, LLC~0B4CBiosBob.Biz~0B4DAdam Hall GmbH~0B4EICP Sy\
        stems B.V.~0B4FBreezi.io, Inc.~0B50Mesh Systems LLC~0B51FUN FACTORY GmbH~0B52ZIIP Inc~0B53SHENZHEN KAADAS INTE\
        LLIGENT TECHNOLOGY CO.,Ltd~0B54Emotion Fitness GmbH & Co. KG~0B55H G M Automotive Electronics, Inc.~0B56BORA -\
         Vertriebs GmbH & Co KG~0B57CONVERTRONIX TECHNOLOGIES AND SERVICES LLP~0B58TOKAI-DENSHI INC~0B59Versa Group B.\
        V.~0B5AH.P. Shelby Manufacturing, LLC.~0B5BShenzhen ImagineVision Technology Limited~0B5CExponential Power, In\
        c.~0B5DFujian Newland Auto-ID Tech. Co., Ltd.~0B5ECELLCONTROL, INC.~0B5FRivieh, Inc.~0B60RATOC Systems, Inc.~0\
        B61Sentek Pty Ltd~0B62NOVEA ENERGIES~0B63Innolux Corporation~0B64NingBo klite Electric Manufacture Co.,LTD~0B6\
        5The Apache Software Foundation~0B66MITSUBISHI ELECTRIC AUTOMATION (THAILAND) COMPANY LIMITED~0B67CleanSpace T\
        echnology Pty Ltd~0B68Quha oy~0B69Addaday~0B6ADymo~0B6BSamsara Networks, Inc~0B6CSensitech, Inc.~0B6DSOLUM CO.\
        , LTD~0B6EReact Mobile~0B6FShenzhen Malide Technology Co.,Ltd~0B70JDRF Electromag Engineering Inc~0B71lilbit O\
        DM AS~0B72Geeknet, Inc.~0B73HARADA INDUSTRY CO., LTD.~0B74BQN~0B75Triple W Japan Inc.~0B76MAX-co., ltd~0B77Aix\
        link(Chengdu) Co., Ltd.~0B78FIELD DESIGN INC.~0B79Sankyo Air Tech Co.,Ltd.~0B7AShenzhen KTC Technology Co.,Ltd\
        .~0B7BHardcoder Oy~0B7CScangrip A/S~0B7DFoundersLane GmbH~0B7EOffcode Oy~0B7FICU tech GmbH~0B80AXELIFE~0B81SCM\
         Group~0B82Mammut Sports Group AG~0B83Taiga Motors Inc.~0B84Presidio Medical, Inc.~0B85VIMANA TECH PTY LTD~0B8\
        6Trek Bicycle~0B87Ampetronic Ltd~0B88Muguang (Guangdong) Intelligent Lighting Technology Co., Ltd~0B89Rotronic\
         AG~0B8ASeiko Instruments Inc.~0B8BAmerican Technology Components, Incorporated~0B8CMOTREX~0B8DPertech Industr\
        ies Inc~0B8EGentle Energy Corp.~0B8FSenscomm Semiconductor Co., Ltd.~0B90Ineos Automotive Limited~0B91Alfen IC\
        U B.V.~0B92Citisend Solutions, SL~0B93Hangzhou BroadLink Technology Co., Ltd.~0B94Dreem SAS~0B95Netwake GmbH~0\
        B96Telecom Design~0B97SILVER TREE LABS, INC.~0B98Gymstory B.V.~0B99The Goodyear Tire & Rubber Company~0B9ABeij\
        ing Wisepool Infinite Intelligence Technology Co.,Ltd~0B9BGISMAN~0B9CKomatsu Ltd.~0B9DSensoria Holdings LTD~0B\
        9EAudio Partnership Plc~0B9FGroup Lotus Limited~0BA0Data Sciences International~0BA1Bunn-O-Matic Corporation~0\
        BA2TireCheck GmbH~0BA3Sonova Consumer Hearing GmbH~0BA4Vervent Audio Group~0BA5SONICOS ENTERPRISES, LLC~0BA6Ni\
        ssan Motor Co., Ltd.~0BA7hearX Group (Pty) Ltd~0BA8GLOWFORGE INC.~0BA9Allterco Robotics ltd~0BAAInfinitegra, I\
        nc.~0BABGrandex International Corporation~0BACMachfu Inc.~0BADRoambotics, Inc.~0BAESoma Labs LLC~0BAFNITTO KOG\
        YO CORPORATION~0BB0Ecolab Inc.~0BB1Beijing ranxin intelligence technology Co.,LTD~0BB2Fjorden Electra AS~0BB3F\
        lender GmbH~0BB4New Cosmos USA, Inc.~0BB5Xirgo Technologies, LLC~0BB6Build With Robots Inc.~0BB7IONA Tech LLC~\
        0BB8INNOVAG PTY. LTD.~0BB9SaluStim Group Oy~0BBAHuso, INC~0BBBSWISSINNO SOLUTIONS AG~0BBCT2REALITY SOLUTIONS P\
        RIVATE LIMITED~0BBDETHEORY PTY LTD~0BBESAAB Aktiebolag~0BBFHIMSA II K/S~0BC0READY FOR SKY LLP~0BC1Miele & Cie.\
         KG~0BC2EntWick Co.~0BC3MCOT INC.~0BC4TECHTICS ENGINEERING B.V.~0BC5Aperia Technologies, Inc.~0BC6TCL COMMUNIC\
        ATION EQUIPMENT CO.,LTD.~0BC7Signtle Inc.~0BC8OTF Distribution, LLC~0BC9Neuvatek Inc.~0BCAPerimeter Technologi\
        es, Inc.~0BCBDivesoft s.r.o.~0BCCSylvac sa~0BCDAmiko srl~0BCENeurosity, Inc.~0BCFLL Tec Group LLC~0BD0Durag Gm\
        bH~0BD1Hubei Yuan Times Technology Co., Ltd.~0BD2IDEC~0BD3Procon Analytics, LLC~0BD4ndd Medizintechnik AG~0BD5\
        Super B Lithium Power B.V.~0BD6Shenzhen Injoinic Technology Co., Ltd.~0BD7VINFAST TRADING AND PRODUCTION JOINT\
         STOCK COMPANY~0BD8PURA SCENTS, INC.~0BD9Elics Basis Ltd.~0BDAAardex Ltd.~0BDBCHAR-BROIL, LLC~0BDCLedworks S.r\
        .l.~0BDDCoroflo Limited~0BDEYale~0BDFWINKEY ENTERPRISE (HONG KONG) LIMITED~0BE0Koizumi Lighting Technology cor\
        p.~0BE1Back40 Precision~0BE2OTC engineering~0BE3Comtel Systems Ltd.~0BE4Deepfield Connect GmbH~0BE5ZWILLING J.\
        A. Henckels Aktiengesellschaft~0BE6Puratap Pty Ltd~0BE7Fresnel Technologies, Inc.~0BE8Sensormate AG~0BE9Shinde\
        ngen Electric Manufacturing Co., Ltd.~0BEATwenty Five Seven, prodaja in storitve, d.o.o.~0BEBLuna Health, Inc.\
        ~0BECMiracle-Ear, Inc.~0BEDCORAL-TAIYI Co. Ltd.~0BEELINKSYS USA, INC.~0BEFSafetytest GmbH~0BF0KIDO SPORTS CO.,\
         LTD.~0BF1Site IQ LLC~0BF2Angel Medical Systems, Inc.~0BF3PONE BIOMETRICS AS~0BF4ER Lab LLC~0BF5T5 tek, Inc.~0\
        BF6greenTEG AG~0BF7Wacker Neuson SE~0BF8Innovacionnye Resheniya~0BF9Alio, Inc~0BFACleanBands Systems Ltd.~0BFB\
        Dodam Enersys Co., Ltd~0BFCT+A elektroakustik GmbH & Co.KG~0BFDEsmé Solutions~0BFEMedia-Cartec GmbH~0BFFRatio\
         Electric BV~0C00MQA Limited~0C01NEOWRK SISTEMAS INTELIGENTES S.A.~0C02Loomanet, Inc.~0C03Puff Corp~0C04Happy\
         Health, Inc.~0C05Montage Connect, Inc.~0C06LED Smart Inc.~0C07CONSTRUKTS, INC.~0C08limited liability company\
         \"Red\"~0C09Senic Inc.~0C0AAutomated Pet Care Products, LLC~0C0Baconno GmbH~0C0CMendeltron, Inc.~0C0DMereltro\
        n bv~0C0EALEX DENKO CO.,LTD.~0C0FAETERLINK~0C10Cosmed s.r.l.~0C11Gordon Murray Design Limited~0C12IoSA~0C13Sca\
        ndinavian Health Limited~0C14Fasetto, Inc.~0C15Geva Sol B.V.~0C16TYKEE PTY. LTD.~0C17SomnoMed Limited~0C18CORR\
        OHM~0C19Arlo Technologies, Inc.~0C1ACatapult Group International Ltd~0C1BRockchip Electronics Co., Ltd.~0C1CGE\
        MU~0C1DOFF Line Japan Co., Ltd.~0C1EEC sense co., Ltd~0C1FLVI Co.~0C20COMELIT GROUP S.P.A.~0C21Foshan Viomi El\
        ectrical Technology Co., Ltd~0C22Glamo Inc.~0C23KEYTEC,Inc.~0C24SMARTD TECHNOLOGIES INC.~0C25JURA Elektroappar\
        ate AG~0C26Performance Electronics, Ltd.~0C27Pal Electronics~0C28Embecta Corp.~0C29DENSO AIRCOOL CORPORATION~0\
        C2ACaresix Inc.~0C2BGigaDevice Semiconductor Inc.~0C2CZeku Technology (Shanghai) Corp., Ltd.~0C2DOTF Product S\
        ourcing, LLC~0C2EEasee AS~0C2FBEEHERO, INC.~0C30McIntosh Group Inc~0C31KINDOO LLP~0C32Xian Yisuobao Electronic\
         Technology Co., Ltd.~0C33Exeger Operations AB~0C34BYD Company Limited~0C35Thermokon-Sensortechnik GmbH~0C36Co\
        smicnode BV~0C37SignalQuest, LLC~0C38Noritz Corporation.~0C39TIGER CORPORATION~0C3AEquinosis, LLC~0C3BORB Inno\
        vations Ltd~0C3CClassified Cycling~0C3DWrmth Corp.~0C3EBELLDESIGN Inc.~0C3FStinger Equipment, Inc.~0C40HORIBA,\
         Ltd.~0C41Control Solutions LLC~0C42Heath Consultants Inc.~0C43Berlinger & Co. AG~0C44ONCELABS LLC~0C45Brose V\
        erwaltung SE, Bamberg~0C46Granwin IoT Technology (Guangzhou) Co.,Ltd~0C47Epsilon Electronics,lnc~0C48VALEO MAN\
        AGEMENT SERVICES~0C49twopounds gmbh~0C4AatSpiro ApS~0C4BADTRAN, Inc.~0C4COrpyx Medical Technologies Inc.~0C4DS\
        eekwave Technology Co.,ltd.~0C4ETactile Engineering, Inc.~0C4FSharkNinja Operating LLC~0C50Imostar Technologie\
        s Inc.~0C51INNOVA S.R.L.~0C52ESCEA LIMITED~0C53Taco, Inc.~0C54HiViz Lighting, Inc.~0C55Zintouch B.V.~0C56Rheem\
         Sales Company, Inc.~0C57UNEEG medical A/S~0C58Hykso Inc.~0C59CYBERDYNE Inc.~0C5ALockswitch Sdn Bhd~0C5BAlban\
         Giacomo S.P.A.~0C5CMGM WIRELESSS HOLDINGS PTY LTD~0C5DStepUp Solutions ApS~0C5EBlueID GmbH~0C5FNanjing Linkpo\
        wer Microelectronics Co.,Ltd~0C60KEBA Energy Automation GmbH~0C61NNOXX, Inc~0C62Phiaton Corporation~0C63phg Pe\
        ter Hengstler GmbH + Co. KG~0C64dormakaba Holding AG~0C65WAKO CO,.LTD~0C66DEN Smart Home B.V.~0C67TRACKTING S.\
        R.L.~0C68Emerja Corporation~0C69BLITZ electric motors. LTD~0C6ACONSORCIO TRUST CONTROL - NETTEL~0C6BGILSON SAS\
        ~0C6CSNIFF LOGIC LTD~0C6DFidure Corp.~0C6ESensa LLC~0C6FParakey AB~0C70SCARAB SOLUTIONS LTD~0C71BitGreen Techn\
        olabz (OPC) Private Limited~0C72StreetCar ORV, LLC~0C73Truma Gerätetechnik GmbH & Co. KG~0C74yupiteru~0C75Embe\
        dded Engineering Solutions LLC~0C76Shenzhen Gwell Times Technology Co. , Ltd~0C77TEAC Corporation~0C78CHARGTRO\
        N IOT PRIVATE LIMITED~0C79Zhuhai Smartlink Technology Co., Ltd~0C7ATriductor Technology (Suzhou), Inc.~0C7BPT\
         SADAMAYA GRAHA TEKNOLOGI~0C7CMopeka Products LLC~0C7D3ALogics, Inc.~0C7EBOOMING OF THINGS~0C7FRochester Senso\
        rs, LLC~0C80CARDIOID - TECHNOLOGIES, LDA~0C81Carrier Corporation~0C82NACON~0C83Watchdog Systems LLC~0C84MAXON\
         INDUSTRIES, INC.~0C85Amlogic, Inc.~0C86Qingdao Eastsoft Communication Technology Co.,Ltd~0C87Weltek Technolog\
        ies Company Limited~0C88Nextivity Inc.~0C89AGZZX OPTOELECTRONICS TECHNOLOGY CO., LTD~0C8AARTISTIC&CO.GLOBAL Lt\
        d.~0C8BHeavys Inc~0C8CT-Mobile USA~0C8Dtonies GmbH~0C8ETechnocon Engineering Ltd.~0C8FRadar Automobile Sales(S\
        handong)Co.,Ltd.~0C90WESCO AG~0C91Yashu Systems~0C92Kesseböhmer Ergonomietechnik GmbH~0C93Movesense Oy~0C94Bax\
        ter Healthcare Corporation~0C95Gemstone Lights Canada Ltd.~0C96H+B Hightech GmbH~0C97Deako~0C98MiX Telematics\
         International (PTY) LTD~0C99Vire Health Oy~0C9AALF Inc.~0C9BNTT sonority, Inc.~0C9CSunstone-RTLS Ipari Szolga\
        ltato Korlatolt Felelossegu Tarsasag~0C9DRibbiot, INC.~0C9EECCEL CORPORATION SAS~0C9FDragonfly Energy Corp.~0C\
        A0BIGBEN~0CA1YAMAHA MOTOR CO.,LTD.~0CA2XSENSE LTD~0CA3MAQUET GmbH~0CA4MITSUBISHI ELECTRIC LIGHTING CO, LTD~0CA\
        5Princess Cruise Lines, Ltd.~0CA6Megger Ltd~0CA7Verve InfoTec Pty Ltd~0CA8Sonas, Inc.~0CA9Mievo Technologies P\
        rivate Limited~0CAAShenzhen Poseidon Network Technology Co., Ltd~0CABHERUTU ELECTRONICS CORPORATION~0CACShenzh\
        en Shokz Co.,Ltd.~0CADShenzhen Openhearing Tech CO., LTD .~0CAEEvident Corporation~0CAFNEURINNOV~0CB0SwipeSens\
        e, Inc.~0CB1RF Creations~0CB2SHINKAWA Sensor Technology, Inc.~0CB3janova GmbH~0CB4Eberspaecher Climate Control\
         Systems GmbH~0CB5Racketry, d. o. o.~0CB6THE EELECTRIC MACARON LLC~0CB7Cucumber Lighting Controls Limited~0CB8\
        Shanghai Proxy Network Technology Co., Ltd.~0CB9seca GmbH & Co. KG~0CBAAmeso Tech (OPC) Private Limited~0CBBEm\
        lid Tech Kft.~0CBCTROX GmbH~0CBDPricer AB~0CBFForward Thinking Systems LLC.~0CC0Garnet Instruments Ltd.~0CC1CL\
        EIO Inc.~0CC2Anker Innovations Limited~0CC3HMD Global Oy~0CC4ABUS August Bremicker Soehne Kommanditgesellschaf\
        t~0CC5Open Road Solutions, Inc.~0CC6Serial Technology Corporation~0CC7SB C&S Corp.~0CC8TrikThom~0CC9Innocent T\
        echnology Co., Ltd.~0CCACyclops Marine Ltd~0CCBNOTHING TECHNOLOGY LIMITED~0CCCKord Defence Pty Ltd~0CCDYanFeng\
         Visteon(Chongqing) Automotive Electronic Co.,Ltd~0CCESENOSPACE LLC~0CCFShenzhen CESI Information Technology C\
        o., Ltd.~0CD0MooreSilicon Semiconductor Technology (Shanghai) Co., LTD.~0CD1Imagine Marketing Limited~0CD2EQOM\
         SSC B.V.~0CD3TechSwipe~0CD4Shenzhen Zhiduotun IoT Technology Co., Ltd~0CD5Numa Products, LLC~0CD6HHO (Hangzho\
        u) Digital Technology Co., Ltd.~0CD7Maztech Industries, LLC~0CD8SIA Mesh Group~0CD9Minami acoustics Limited~0C\
        DAWolf Steel ltd~0CDBCircus World Displays Limited~0CDCYpsomed AG~0CDDAlif Semiconductor, Inc.~0CDERESPONSE TE\
        CHNOLOGIES, LTD.~0CDFSHENZHEN CHENYUN ELECTRONICS CO., LTD~0CE0VODALOGIC PTY LTD~0CE1Regal Beloit America, Inc\
        .~0CE2CORVENT MEDICAL, INC.~
        """
    }
}
