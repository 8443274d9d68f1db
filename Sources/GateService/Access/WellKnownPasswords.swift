/// Passwords that an attacker tries first: those of twelve characters and more among the thirty thousand most common in published leaks,
/// and the product's own words (ASVS 5.0 section 6.2.4, 6.2.11). In lower case, and only their letters and digits.
///
/// Digits behind one of the words that everybody begins with make it no better: a year, or 12345.
enum WellKnownPasswords {
    /// Whether `bare` is one of them, or one of them twice.
    /// - Parameter bare: the letters and digits of a password, in lower case.
    static func contain(_ bare: String) -> Bool {
        let half = bare.prefix(bare.count / 2)
        if all.contains(bare) || half + half == bare && all.contains(String(half)) { return true }
        var word = bare[...]
        while word.last?.isNumber == true { word.removeLast() }
        return words.contains(String(word))
    }

    private static let words: Set = [
        "abcdefghijkl", "admin", "administrator", "bellerophon", "changeme", "gandalf", "gate", "gatectl", "gatehouse", "gatekit", "gates",
        "iloveyou", "killswitch", "launchgate", "letmein", "passw0rd", "password", "princeofversions", "qwerty", "welcome",
    ]

    private static let all = Set(
        """
        010203040506 012345678901 012345678910 014702580369 01telemike01 0r968ji9ufj6 100001e14 102030405060 111222333000 111222333444555
        111222tianya 112233445566 122333444455555 123123qweqwe 123321456654 123321qweewq 123456123456 123456654321 123456782000
        1234567887654321 1234567890 123456789000 12345678900987654321 123456789012 1234567890123 12345678901234 123456789012345
        1234567890123456 12345678901234567890 1234567890987654321 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty
        1234567890qwertyuiop 1234567890zzz 123456789101 1234567891011 123456789101112 123456789123 123456789123456 1234567891234567
        123456789123456789 1234567892000 12345678987654321 123456789987654321 123456789abc 123456789asd 123456789qaz 123456789qqq
        123456789qwe 123456789qwer 123456789qwerty 123456789zxc 1234567qwertyu 123456qwerty 1234qwerasdf 1234qwerasdfzxcv 123admin321a
        123qwe123qwe 123qwe456rty 123qweasdzxc 123qwerty123 12qw34er56ty 159753159753 159753456852 1a2s3d4f5g6h 1q2w3e4r5t6y 1q2w3e4r5t6y7u
        1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o 1q2w3e4r5t6y7u8i9o0p 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc
        1qazxsw23edcvfr4 23176djivanfros 31217221027711 32615948worms 41d8cd98f00b 4815162342lost 520love101182 541233432442 5532361cnjqrf
        59382113kevinp 742617000027 89231243658s 89876065093rax 987654321012 a1s2d3f4g5h6 abc123456789 admin18533362 adminadminadmin
        admingatehouse administrator administrator1 administrator123 amadeusptfcor an83546921an13 andrewjackie antananarivu arabella24630
        asdfgh123456 asdfghjkl123 asdfghjkl39 asdfghjklqwe auckland2010 avrillavigne baseball1234 batman123456 bltynbabrfwbz boy4u2ownnyc
        bpgjldsgjldthnf businessbabe changeme1234 changemechangeme chickenwing101 christopher1 cjdthitycndj combat123654 contortionist
        cookiemonster corperfmonsy correcthorsebatterystaple cosmopolitan counterstrike demon1q2w3e4r demon1q2w3e4r5t devilmaycry4
        dfg5fhg5vgfh1 digitalprodu dkflbvbhjdbx dkflbvbhjdyf domainlock2005 doomsayer27mordsv doomsayer27mordsvv dragondragon edwardcullen
        ezekiel11991 fallenangel familiyafamiliya finalfantasy fkmnthyfnbdf fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf flvbybcnhfnjh
        footballfootball frederiksberg friendofemily friendofgerly friendofjoan fynfyfyfhbde g13916055158 gatehouse1234 gatehouse12345
        gatehouse123456 gatehouseadmin gatehousegatehouse gatehousepassword gettherefast gfhjkmgfhjkm ghbdtnghbdtn ghbdtnrfrltkf
        ghhh47hj7649 ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt gjkysqgbpltw googletester
        greenlantern gtnhjpfdjlcr hannahmontana hawkesbury93 hd764nw5d7e1vb1 hedimaptfcor iampurehaha2 ichliebedich ihatethisgame
        ilovemyfamily iloveyou1234 iloveyouiloveyou imyaimyaimya inactive1996aug ingodwetrust installdevic installsqlst international
        internazionale iseedeadpeople jamesbond007 jesuslovesme jkiuztdftl57 john20130605at1753 jundian2011xr justinbieber kartoffelpuffer
        killswitch123 killswitchkillswitch knackwurst8853 laurel12creek leavemealone leliane50934 letmeinletmein lhbjkjubz2957704
        lightpower12345 linkedin2011 liverpool123 lost4815162342 lovelovelove lydcc20091314 lytghjgtnhjdcr m01759766727 mailcreated5240
        manchesterunited maprchem56458 marek14michal massimiliano maurolarastefy megaparol12345 mevefalkcakk michaeljackson migrationschool
        minecraft123 minnesotahp moderncombat monkeymonkey morganstanley mortalkombat msorcloledbr n8zgt5p0shw natiichen999 needforspeed
        nemvxyheqdd5oqxyxyzi networkingpe neworleans12345 newproject2004 nhecsyfujkjdt nhfdvfnjkju123 nhfycajhvths nightcrawler nondriversig
        olcrackmaster onedirection ontheoutside p030710pe4o paraklast1974 password1234 password12345 password123456 passwordgatehouse
        passwordpassword passwordstandard pe5gz29ptzmse peanutbutter playstation2 playstation3 polniypizdec0211 polniypizdec1102
        polniypizdec110211 princess1234 professional projectsadminx przyjaciolki ptybnxtvgbjy punksnotdead q1w2e3r4t5y6 q1w2e3r4t5y6u7
        q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qawsedrftgyh qaz123wsx456 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxswedc123 qazxswedcvfr
        qwaszxerdfcv qwe123qwe123 qweasdzxc123 qwegta13091990 qwerasdfzxcv qwertasdfgzxcvb qwerty123456 qwerty123456789 qwertyasdfgh
        qwertyqwerty qwertyuiop qwertyuiop10 qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyuiopas qwertyytrewq residentevil rfnthbyf1988
        s8ylpe9jdpvym sanfrancisco saun24865709 schoolgirlie sdf7asdf6asdg8df sebastian106 seemnemaailm seniseviyorum sojdlg123aljg
        somanypickles27 sonnenschein sonyericsson specialinsta startfinding starwarsfan10 stefangreil1983 stickdaddy77 stinkyfinger
        stratocaster sunshine1234 superman1234 supernatural systemofadown telechargement temppassword thecakeisalie ticketmaster
        total12scherz transformers trustno1trustno1 vanyarespekt vfhbyfvfhbyf vfrcbvvfrcbv vfvfvskfhfve vitor1268123 vladimirovna
        warhammer40k wazzkaprivet websolutions websolutionssu webuivalidat weihnachtsbau weihnachtsbaum welcome12345 weronika1992
        whosyourdaddy xantria10315 xtseo2011tdx xxxp455w0rd5 yandi20080527 yemi19900911 yfdbufnjh10305070 z1x2c3v4b5n6m7 zaq1xsw2cde3
        zaqwsxcderfv zcfvfzkexifz zmx870919123 zqjphsyf6ctifgu zxcasdqwe123 zxcvbn123456 zxcvbnm12345 zxcvbnm123456789
        """.split { $0 == " " || $0 == "\n" }.map(String.init)
    )
}
