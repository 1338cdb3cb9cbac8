extension AssignedNumbers {
    /// Company identifiers. Written by `Scripts/measure numbers`.
    static var companies3: String {
        """
        0CE3Taiwan Fuhsing~0CE4Off-Highway Powertrain Services Germany GmbH~0CE5Amina Distribution AS~0CE6McWong Inter\
        national, Inc.~0CE7TAG HEUER SA~0CE8Dongguan Yougo Electronics Co.,Ltd.~0CE9PEAG, LLC dba JLab Audio~0CEAHAYWA\
        RD INDUSTRIES, INC.~0CEBShenzhen Tingting Technology Co. LTD~0CECPacific Coast Fishery Services (2003) Inc.~0C\
        EDCV. NURI TEKNIK~0CEEMadgeTech, Inc~0CEFPOGS B.V.~0CF0THOTAKA TEKHNOLOGIES INDIA PRIVATE LIMITED~0CF1Midmark~\
        0CF2BestSens AG~0CF3Radio Sound~0CF4SOLUX PTY LTD~0CF5BOS Balance of Storage Systems AG~0CF6OJ Electronics A/S\
        ~0CF7TVS Motor Company Ltd.~0CF8core sensing GmbH~0CF9Tamblue Oy~0CFAProtect Animals With Satellites LLC~0CFBT\
        yromotion GmbH~0CFCElectronX design~0CFDWuhan Woncan Construction Technologies Co., Ltd.~0CFEThule Group AB~0C\
        FFErgodriven Inc~
        """
    }
}
