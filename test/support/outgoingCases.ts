/**
 * Folders with words that may be sent (ordinary words and terms of a language that stand in the folder alone) and words that may not:
 * code names, customers, people, hosts, identifiers. Written before the word lists; `heldOut` was looked at once, at the end.
 */
export interface OutgoingCase {
  readonly language: string;
  readonly half: 'dev' | 'heldOut';
  readonly question: string;
  readonly text: string;
  readonly harmless: readonly string[];
  readonly mustStay: readonly string[];
}

export const outgoingCases: readonly OutgoingCase[] = [
  {
    language: 'en',
    half: 'dev',
    question: 'Which message queue should we use?',
    text: `# Decision on the queue\n\nWe compare throughput, latency and durability of brokers. The migration of the billing service at Halvorsen
Foods was delayed by a deadlock in the scheduler. Project Bluefinch replaces the legacy dispatcher; ask Maren Okafor. Deploys go to
brk-eu3.internal.halvorsen.example with the flag enableQuorumReplay. Consumers acknowledge batches, retries use exponential backoff,
and poison messages are parked in a quarantine topic. The invoice importer of Bluefinch is idempotent. Zetrixon is our in-house broker.`,
    harmless: [
      'throughput',
      'durability',
      'deadlock',
      'scheduler',
      'exponential',
      'backoff',
      'quarantine',
      'idempotent',
      'retries',
      'legacy',
      'dispatcher',
      'importer',
    ],
    mustStay: [
      'Bluefinch',
      'Halvorsen',
      'Okafor',
      'Zetrixon',
      'enableQuorumReplay',
      'brk-eu3.internal.halvorsen.example',
    ],
  },
  {
    language: 'en',
    half: 'heldOut',
    question: 'How do we store time series cheaply?',
    text: `# Telemetry storage\n\nSensors of the Pellworm plant send a sample each second. Downsampling, compaction and tiering cut the footprint;
partitions are immutable. The customer Draycott Marine wants retention of seven years. Codename Marlstone is the rewrite by Ilse Wintour.
The gateway tsgw-07.plant.example buffers when offline, with the setting maxSpoolHours. Queries use rollups and bitmap indexes, vacuuming
runs nightly, and Marlstone compresses with delta encoding. Quellith is the name of the ingest daemon.`,
    harmless: [
      'downsampling',
      'compaction',
      'tiering',
      'footprint',
      'partitions',
      'immutable',
      'retention',
      'rollups',
      'bitmap',
      'vacuuming',
      'encoding',
      'daemon',
    ],
    mustStay: ['Pellworm', 'Draycott', 'Marlstone', 'Wintour', 'Quellith', 'maxSpoolHours', 'tsgw-07.plant.example'],
  },
  {
    language: 'de',
    half: 'dev',
    question: 'Welches System für Nachrichten sollen wir nehmen?',
    text: `# Entscheidung zur Warteschlange\n\nWir vergleichen Durchsatz, Latenz und Ausfallsicherheit der Vermittler. Die Umstellung der Abrechnung bei der
Firma Grünthaler verzögerte sich durch eine Verklemmung im Zeitplaner. Das Vorhaben Silberfuchs ersetzt den alten Verteiler; Ansprechpartnerin
ist Maren Oelkers. Ausgeliefert wird auf brk-sued3.intern.gruenthaler.example mit dem Schalter aktiviereNachlauf. Verbraucher bestätigen
Stapel, Wiederholungen warten immer länger, und fehlerhafte Nachrichten landen in Quarantäne. Die Warteschlangen sind dauerhaft, die
Schnittstellen versioniert. Zetrixon heißt unser eigener Vermittler. Die Lastverteilung übernimmt Silberfuchs.`,
    harmless: [
      'Warteschlange',
      'Durchsatz',
      'Latenz',
      'Ausfallsicherheit',
      'Umstellung',
      'Abrechnung',
      'Verklemmung',
      'Verbraucher',
      'Wiederholungen',
      'fehlerhafte',
      'Schnittstellen',
      'Lastverteilung',
      'dauerhaft',
      'vergleichen',
    ],
    mustStay: [
      'Silberfuchs',
      'Grünthaler',
      'Oelkers',
      'Zetrixon',
      'aktiviereNachlauf',
      'brk-sued3.intern.gruenthaler.example',
    ],
  },
  {
    language: 'de',
    half: 'heldOut',
    question: 'Wie speichern wir Messwerte günstig?',
    text: `# Ablage der Messreihen\n\nDie Fühler im Werk Brockstedt senden jede Sekunde einen Wert. Verdichtung, Ausdünnung und Auslagerung senken den
Speicherbedarf; abgeschlossene Abschnitte sind unveränderlich. Der Kunde Dreyling Schifffahrt verlangt eine Aufbewahrung von sieben
Jahren. Der Neubau trägt den Decknamen Nachtfalke und kommt von Ilse Winterkorn. Das Vorschaltgerät tsgw-07.werk.example puffert bei
Störungen, mit der Einstellung maxPufferStunden. Abfragen nutzen Vorausberechnungen und Verzeichnisse, die Bereinigung läuft nachts, die
Kompression spart die Hälfte. Quellith heißt der Einlesedienst. Nachtfalke verschlüsselt die Übertragung.`,
    harmless: [
      'Verdichtung',
      'Auslagerung',
      'Speicherbedarf',
      'unveränderlich',
      'Aufbewahrung',
      'Störungen',
      'Abfragen',
      'Verzeichnisse',
      'Bereinigung',
      'Kompression',
      'verschlüsselt',
      'Übertragung',
      'Messreihen',
      'Einstellung',
    ],
    mustStay: [
      'Nachtfalke',
      'Brockstedt',
      'Dreyling',
      'Winterkorn',
      'Quellith',
      'maxPufferStunden',
      'tsgw-07.werk.example',
    ],
  },
  {
    language: 'fr',
    half: 'dev',
    question: 'Quel système de messages choisir ?',
    text: `# Choix de la file d'attente\n\nNous comparons le débit, la latence et la durabilité des courtiers. La migration de la facturation chez Vaugrenard a
été retardée par un interblocage de l'ordonnanceur. Le projet Loutrenoire remplace l'ancien répartiteur ; voir Maëlle Tissandier. Le
déploiement vise brk-sud3.interne.vaugrenard.example avec l'option activerRejeu. Les consommateurs acquittent les lots, les nouvelles
tentatives attendent de plus en plus longtemps, et les messages fautifs vont en quarantaine. Les files sont persistantes et les interfaces
versionnées. Zetrixon est notre courtier maison. Loutrenoire répartit la charge.`,
    harmless: [
      'débit',
      'latence',
      'durabilité',
      'courtiers',
      'facturation',
      'interblocage',
      'ordonnanceur',
      'répartiteur',
      'déploiement',
      'consommateurs',
      'tentatives',
      'quarantaine',
      'persistantes',
      'acquittent',
    ],
    mustStay: [
      'Loutrenoire',
      'Vaugrenard',
      'Tissandier',
      'Zetrixon',
      'activerRejeu',
      'brk-sud3.interne.vaugrenard.example',
    ],
  },
  {
    language: 'fr',
    half: 'heldOut',
    question: 'Comment stocker des mesures à bas coût ?',
    text: `# Stockage des mesures\n\nLes capteurs de l'usine de Brémontier envoient une valeur par seconde. Le sous-échantillonnage, la compression et
l'archivage réduisent l'encombrement ; les partitions closes sont immuables. Le client Draycourt Marine exige une conservation de sept
ans. La réécriture, nom de code Faucongris, est menée par Isaure Wintenberg. La passerelle tsgw-07.usine.example tamponne pendant les
coupures, avec le réglage maxHeuresTampon. Les requêtes utilisent des agrégats et des index, le nettoyage tourne la nuit, et le chiffrement
protège les transferts. Quellith est le service d'ingestion. Faucongris chiffre les sauvegardes.`,
    harmless: [
      'capteurs',
      'archivage',
      'encombrement',
      'immuables',
      'conservation',
      'passerelle',
      'coupures',
      'requêtes',
      'agrégats',
      'nettoyage',
      'chiffrement',
      'transferts',
      'sauvegardes',
      'réécriture',
    ],
    mustStay: [
      'Faucongris',
      'Brémontier',
      'Draycourt',
      'Wintenberg',
      'Quellith',
      'maxHeuresTampon',
      'tsgw-07.usine.example',
    ],
  },
  {
    language: 'zh',
    half: 'dev',
    question: '我们应该用哪种消息系统？',
    text: `# 队列选型\n\n我们比较各种中间件的吞吐量、延迟和可靠性。泰枫食品的计费服务迁移因为调度器死锁而推迟。蓝雀项目将替换旧的分发器，联系人是欧阳闻笛。
部署到 brk-hd3.neibu.taifeng.example，开关是 qiyongHuifang。消费者批量确认，重试采用指数退避，有毒消息进入隔离区。接口有版本管理，数据持久化。
泽特隆是我们自研的中间件。蓝雀负责负载均衡。`,
    harmless: [
      '吞吐量',
      '延迟',
      '可靠性',
      '中间件',
      '计费',
      '迁移',
      '死锁',
      '指数',
      '重试',
      '隔离',
      '持久化',
      '负载均衡',
      '调度器',
      '接口',
    ],
    mustStay: ['泰枫', '蓝雀', '欧阳闻笛', '泽特隆', 'qiyongHuifang', 'brk-hd3.neibu.taifeng.example'],
  },
  {
    language: 'zh',
    half: 'heldOut',
    question: '怎样便宜地保存时间序列？',
    text: `# 测量数据存储\n\n贝洛姆工厂的传感器每秒发送一个样本。降采样、压缩和分层减少占用；封存的分区不可变。客户德瑞海运要求保留七年。代号夜隼的重写由温若棠负责。
网关 tsgw-07.gongchang.example 在断线时缓冲，设置为 maxHuanchongXiaoshi。查询使用预聚合和位图索引，清理每晚运行，加密保护传输。
奎利斯是采集进程的名字。夜隼对备份加密。`,
    harmless: [
      '传感器',
      '采样',
      '压缩',
      '分层',
      '分区',
      '保留',
      '缓冲',
      '查询',
      '聚合',
      '索引',
      '清理',
      '加密',
      '传输',
      '备份',
    ],
    mustStay: ['贝洛姆', '德瑞', '夜隼', '温若棠', '奎利斯', 'maxHuanchongXiaoshi', 'tsgw-07.gongchang.example'],
  },
  {
    language: 'ko',
    half: 'dev',
    question: '어떤 메시지 시스템을 써야 하나요?',
    text: `# 대기열 결정\n\n우리는 중개기의 처리량과 지연 시간과 내구성을 비교한다. 한빛누리식품의 청구 서비스 이전은 스케줄러의 교착 상태 때문에 늦어졌다. 푸른되새
프로젝트가 기존 분배기를 대체하며 담당자는 남궁다솔이다. 배포 대상은 brk-nam3.naebu.hanbit.example이고 옵션은 jaesaengKyeogi이다. 소비자는 묶음을
확인하고 재시도는 점점 오래 기다리며 잘못된 메시지는 격리된다. 인터페이스에는 버전이 있다. 제트릭손은 우리 자체 중개기이다. 푸른되새는 부하를 분산한다.`,
    harmless: [
      '처리량',
      '지연',
      '내구성',
      '청구',
      '서비스',
      '교착',
      '소비자',
      '재시도',
      '격리',
      '인터페이스',
      '부하',
      '배포',
      '비교',
      '버전',
    ],
    mustStay: ['한빛누리식품', '푸른되새', '남궁다솔', '제트릭손', 'jaesaengKyeogi', 'brk-nam3.naebu.hanbit.example'],
  },
  {
    language: 'ko',
    half: 'heldOut',
    question: '시계열을 싸게 저장하려면?',
    text: `# 측정값 저장\n\n벨로름 공장의 센서는 매초 표본을 보낸다. 압축과 계층화가 사용량을 줄이고 닫힌 구획은 바뀌지 않는다. 고객 드레이해운은 칠 년 보관을 요구한다.
암호명 밤송골매의 재작성은 온새미로가 맡는다. 게이트웨이 tsgw-07.gongjang.example은 단절 동안 버퍼를 쓰며 설정은 maxBeopeoSigan이다. 조회는 집계와
색인을 쓰고 정리는 밤마다 돌며 암호화가 전송을 보호한다. 퀠리스는 수집 프로세스의 이름이다. 밤송골매는 백업을 암호화한다.`,
    harmless: [
      '센서',
      '압축',
      '사용량',
      '보관',
      '게이트웨이',
      '버퍼',
      '설정',
      '조회',
      '집계',
      '색인',
      '정리',
      '암호화',
      '전송',
      '백업',
    ],
    mustStay: ['벨로름', '드레이해운', '밤송골매', '온새미로', '퀠리스', 'maxBeopeoSigan', 'tsgw-07.gongjang.example'],
  },
  {
    language: 'ja',
    half: 'dev',
    question: 'どのメッセージシステムを使うべきですか。',
    text: `# キューの選定\n\n各種ブローカーのスループット、遅延、耐久性を比べる。ハルボルセン食品の請求サービスの移行は、スケジューラーのデッドロックで遅れた。
ブルーフィンチ計画が古いディスパッチャーを置き換える。担当は夜隼の班である。配置先は brk-eu3.naibu.halvorsen.example、設定は saiseiKyoka。
コンシューマーはバッチで確認し、再試行は指数バックオフを使い、壊れたメッセージは隔離される。インターフェースにはバージョンがある。
ゼトリクソンは自社のブローカーである。ブルーフィンチは負荷を分散する。`,
    harmless: [
      'スループット',
      '遅延',
      '耐久性',
      '請求',
      '移行',
      'デッドロック',
      'バッチ',
      '指数',
      'バックオフ',
      '隔離',
      'インターフェース',
      'バージョン',
      'サービス',
      '負荷',
    ],
    mustStay: [
      'ハルボルセン',
      'ブルーフィンチ',
      '夜隼',
      'ゼトリクソン',
      'saiseiKyoka',
      'brk-eu3.naibu.halvorsen.example',
    ],
  },
  {
    language: 'ja',
    half: 'heldOut',
    question: '時系列を安く保存するには？',
    text: `# 測定値の保存\n\nペルワーム工場のセンサーは毎秒サンプルを送る。ダウンサンプリング、圧縮、階層化で容量を減らし、閉じた区画は変わらない。顧客の
ドレイコット海運は七年の保管を求める。暗号名マールストーンの書き直しはナギサワが担う。ゲートウェイ tsgw-07.koujou.example は切断中にバッファを使い、
設定は maxBaffaJikan。クエリは集計とインデックスを使い、整理は毎晩動き、暗号化が転送を守る。クエリスは取り込みプロセスの名前である。
マールストーンはバックアップを暗号化する。`,
    harmless: [
      'センサー',
      'サンプル',
      '圧縮',
      '容量',
      '保管',
      'ゲートウェイ',
      'バッファ',
      'クエリ',
      '集計',
      'インデックス',
      '暗号化',
      '転送',
      'プロセス',
      'バックアップ',
    ],
    mustStay: [
      'ペルワーム',
      'ドレイコット',
      'マールストーン',
      'ナギサワ',
      'クエリス',
      'maxBaffaJikan',
      'tsgw-07.koujou.example',
    ],
  },
];
