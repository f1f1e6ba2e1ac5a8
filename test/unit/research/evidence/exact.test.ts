import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimsIn, exactCheck, follows, heldIn, notHeld } from '../../../../src/research/evidence/exact.ts';

/** Passage, statements that it holds, statements that it doesn't. */
const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'The index holds 21,000,000 passages and 3.50 points were gained, 12.5 % in all.',
    ['It has 21 million passages.', 'It has 21M passages.', 'It gains 3,5 points.', 'It gains 12.50 percent.'],
    ['It has 22 million passages.', 'It gains 3.6 points.', 'It takes 12.5 mg.'],
  ],
  [
    'Latency grew from 21 ms to 0.31 s at -5 °C outside.',
    ['Latency grew to 310 ms.', 'It was -5 °C.', 'It was −5 °C outside.'],
    ['Latency grew to 310 s.', 'It was 5 °C.', 'Latency grew to 31 ms.'],
  ],
  [
    'The change of -4.2 % was reported on 12 March 2024.',
    [
      'It fell by 4.2 %.',
      'On 2024-03-12 it was reported.',
      'Reported in March 2024.',
      'Gemeldet am 12. März 2024.',
      '2024年3月12日',
    ],
    ['Reported on 13 March 2024.', 'Reported on 12 May 2024.', 'Reported in March 2023.', 'Reported on 2024-12-03.'],
  ],
  [
    'Version v1.12 of `parse_all()` fixes CVE-2024-31497 (RFC 9110), for GPT-4 on Node 3.11.2.',
    [
      'It is fixed in 1.12.',
      'parse_all() is fixed.',
      'CVE-2024-31497 is fixed.',
      'See RFC 9110.',
      'A GPT-4-based tool.',
    ],
    [
      'Fixed in v1.2.',
      'parse_any() is fixed.',
      'CVE-2024-31479 is fixed.',
      'See RFC 9111.',
      'GPT-4o is used.',
      'On 3.11.3.',
    ],
  ],
  [
    'The authors write that no other method was able to find all of them in time.',
    ['“No other method was able to find all of them”, they write.', "They say 'no other method was able to find all'."],
    ['“No other method was ever able to find all of them”, they write.', '»no other model was able to find all«'],
  ],
  [
    'Codes `-9` and >-40.2<, Python 3.9 - 3.12 (eip: 1559), PM 2,5.',
    ['The code −9.', 'At -40.2.', 'Up to 3.12.', 'EIP-1559', 'PM2,5'],
    ['EIP-1560', 'The code 9.'],
  ],
  [
    'Revenue was £412.6 million, free cash flow −£5.4 million, a share 11.8 pence.',
    ['Revenue was 412.6 million pounds.', 'A share brought £0.118.'],
    ['Revenue was €412.6 million.', 'Revenue was $412.6 million.'],
  ],
  [
    '| Engine | Latency (ms) | Глубина, м |\n|---|---|---|\n| Quartzite | 1,310 | 31 |',
    ['It takes 1.31 s.', 'It is 31 m deep.'],
    ['It takes 1,310 s.', 'It is 31 km deep.'],
  ],
  [
    'id,station,platforms,passengers,rain_mm\n3,"Quay, old",2,90,0\n7,Port Quay,6,2310450,11.5',
    ['About 2.3 million passengers came.', 'It got 1.15 cm of rain.', 'It has 6 platforms.'],
    ['About 2.4 million passengers came.', 'It got 11.5 cm of rain.', 'It has 6.2 platforms.'],
  ],
  [
    'station;altitude_m;temp_min_c\nValbrune;1240;-18,5',
    ['Valbrune est à 1,24 km.', 'Il y faisait −18,5.'],
    ['Valbrune est à 1240 km.'],
  ],
  [
    '১২৩ জন, ５０ units, ٣ groups',
    ['123 people', '50 units', '3 groups'],
    ['124 people', '51 units', 'USD973', 'up-973'],
  ],
  [
    'The index holds 10² passages of 45 words, and 2½ of them repeat; 0.97 is its recall, in 106 questions.',
    [
      'It holds 10² passages.',
      'It holds 10^2 passages.',
      'Its recall is 0.97.',
      'Of 45" and 106" screens the authors write nothing more here.',
    ],
    [
      'It holds 102 passages.',
      'It holds 10⁶ passages.',
      '❾❼❸ passages repeat.',
      '⓽⓻⓷ passages repeat.',
      'It repeats #973.',
      'Of 0.973 questions.',
      'It has ৯৭৩ passages.',
    ],
  ],
  [
    'The core runs at 1.2 GHz, draws 45 mW and costs $35; the dam gives 22.5 GW over 5 ha, at 8 km/s and 9.7 Gbit/s.',
    [
      'It runs at 1,200 MHz.',
      'It draws 0.045 watts.',
      'It costs 35 US dollars.',
      '装机容量为2250万千瓦。',
      'Sie misst 50.000 m².',
      'It covers 0.05 square kilometres.',
      'Elle couvre 5 hectares.',
      'It moves at 8,000 m/s.',
      'It gives 22,5 Gigawatt.',
    ],
    [
      'It runs at 1.2 MHz.',
      'It draws 45 MW.',
      'It costs 35 euros.',
      'It covers 5 km².',
      'It moves at 8 kilometers per hour.',
    ],
  ],
  [
    'Bei -20 °C im März bis ‐35 ℃; in all 2 trillion tokens, 3,6 Millionen Menschen, 15조8천억원, a ratio of 0.64.',
    [
      'It was minus 20 degrees Celsius.',
      'It was -4 °F.',
      'It was −35 °C.',
      '2,000 billion tokens.',
      '3.600.000 people.',
      '15.8 trillion won.',
      'The ratio is .64.',
      'It was in March.',
    ],
    ['It was 20 °C.', 'It was 35 °C.', '2 billion tokens.', '15.8 billion won.', 'It was in April.', 'It was +20 °C.'],
  ],
  [
    'The code is at [GitHub](https://github.com/a/Bench), the paper at http://arxiv.org/abs/2312.17149; sent at 11:43, due 03/2015.',
    [
      'See https://github.com/a/Bench.',
      'See github.com/a/Bench/.',
      'See http://www.github.com/a/Bench',
      'Read arXiv:2312.17149.',
      'Sent at 11 h 43.',
      'Due in March 2015.',
    ],
    [
      'See https://github.com/a/bench.',
      'See https://gitlab.com/a/Bench.',
      'See https://github.com/a/Bench-2.',
      'Read arXiv:2312.17194.',
      'Due in May 2015.',
    ],
  ],
  [
    'At least 20 patients took 500 mg daily and 5 g a day on 5 March 2024; the range was 10万-20万, within 24 hours 95 % recovered, at 100 megabits per second.',
    [
      'Au moins 20 patients ont été inclus.',
      'Al menos 20 pacientes.',
      'They took 500 mg/day.',
      'Доза составляла 5 г.',
      'Letzte Änderung 5. März 2024.',
      'On 5 Mar. 2024.',
      'It was 200,000 at most.',
      'Within 24 h 95 % recovered.',
      'It sends 100 Mbps.',
    ],
    ['They took 500 g daily.', 'On 6 March 2024.', 'It sends 100 Gbps.'],
  ],
  [
    '`https://example.com/a` costs ¥5,999, £3 million or $5m; 见https://example.com/b，用Next.js和React。',
    [
      '访问https://example.com/a，然后运行。',
      'See [it](https://example.com/b).',
      '售价为 5,999 元。',
      'It costs 3 million pounds.',
      'It costs $5 million.',
      'Use Next.js/React.',
      'See https://example.com.',
    ],
    ['See https://example.com/c.', 'It costs $6 million.', 'See https://example.org.'],
  ],
  [
    'Write to press.office@mail.example.org, or use api.sandbox.example.io with `-n`; it answers in sub-75ms, at 10 mV/°C and 60 requests per minute.',
    [
      'Write to press.office@mail.example.org.',
      'It is at https://api.sandbox.example.io.',
      'The option -n is set.',
      'It answers in 75 milliseconds.',
      'It takes 3,600 requests per hour.',
      'It gives 10 mV/°C.',
    ],
    [
      'Write to office@mail.example.org.',
      'Write to press.office@mail.example.com.',
      'It is at https://sandbox.example.io.',
      'It is at sandbox.api.example.io.',
      'The option -w is set.',
      'It answers in 75 seconds.',
      'It takes 60 requests per hour.',
      'It gives 10 V/°C.',
    ],
  ],
  [
    'L’activité atteint 169,4 MEUR au 5 DECEMBRE 2016, 4,6 M€ de plus; 230 Litern pro Quadratmeter; площадь 700 квадратных километров; 418,872 Euros; 約60%減った。 3 milioni 236mila; 16,009,411.11元; it fell to 143 million.',
    [
      'Elle atteint 169,4 millions d’euros.',
      'EUR 4.6m more.',
      'Le 5 décembre 2016.',
      'Es fielen 230 l/m².',
      'Площадь 700 км².',
      'Nearly 419,000 euros.',
      '60 percent fewer.',
      'Circa 3,24 milioni.',
      '约1,601万元。',
    ],
    [
      '約60円減った。',
      '230 Liter pro Quadratkilometer.',
      'Площадь 700 гектаров.',
      '16,009,411.11美元。',
      'Circa 3,34 milioni.',
    ],
  ],
  [
    'It rose from $80 million to $143 million, at 9.3 out of 10.',
    ['It rose from 80 to 143 million.', 'It is rated 9.3 of 10.'],
    ['It rose from 90 to 143 million.'],
  ],
  [
    'El acuerdo de paz de 2016 es el marco de 2030; em 5 de out. de 2024; H100s and top-20k lists; Revenue 2.1B 300M; 60 requests per minute.',
    [
      'Use https://, not http://.',
      'Das marco de 2030 zur Energiegewinnung und -verteilung.',
      'Revenue was $2.1B.',
      'Revenue was 300 million.',
      '60 requests per minute.',
    ],
    ['There are 10 clusters.', 'There are 2 lists.', 'It moves 60 MB/s.'],
  ],
  ['Ele foi publicado em 5 de out. de 2024 na revista da associação.', ['It is of October 5, 2024.'], []],
  [
    'To keep all of the samples representative, we cleaned them; the award of marca 20 went to Mate 20.',
    [
      'They cleaned them “to keep all of the samples representative.”',
      'They say “[t]o keep all of the samples representative”.',
    ],
    ['They cleaned them “to keep most of the samples representative.”'],
  ],
  [
    'The authors write: "No method was able to find all of them. We were surprised by this." It costs more.',
    [
      'They write: ‘No method was able to find all of them.’',
      'They write: ”We were surprised by this“ and »No method was able to find all of them«.',
      "The authors' method costs more than the others' methods.",
    ],
    [
      'They write: »We were surprised by the low costs«.',
      "They write: ``We were surprised by the low costs''.",
      'They write: ″We were surprised by the low costs″.',
      'They write: “We were surprised by the low costs',
      "They write: 'We were surprised by the low costs.",
      'No one was ever surprised by the costs of it’, they write.',
    ],
  ],
  [
    'A tank of 2.5 m³ loses 350 µg of salt at 2.7 V, 110 kPa and 40 mA; it weighs 37 t. Logs are kept for 15d in 6 MiB, at 250 MB/s.',
    [
      'It loses 0.35 mg.',
      'It takes 2,700 mV.',
      'It is at 1,100 hPa.',
      'It draws 0.04 A.',
      'It weighs 37 tonnes.',
      'They are kept for 15 days.',
      'They have 6,144 KiB.',
      'It reads 2 Gbit/s.',
      '电流为40mA的电池',
    ],
    ['It loses 350 mg.', 'It takes 2.7 mV.', 'It draws 40 µA.', 'They are kept for 15 hours.', 'It reads 250 Mbit/s.'],
  ],
  [
    'The margin fell by 630 basis points; it pays $3,000, has 22,500 MW and costs 39.3 million.',
    ['It fell by 6.3 percentage points.', 'It pays $3,000.', 'It has 22.5 GW.'],
    ['It fell by 630 percentage points.', 'It has 22,500 kW.'],
  ],
  [
    'It takes 16 to 32 kB, at -25 ~ +65 °C.',
    ['It takes 16 kB.', 'From −25 °C.'],
    ['It takes 16 MB.', 'From +25 to +65 °C.'],
  ],
  [
    'Open for 48 Tage; take 40 mg/kg/day, with 4억 5천만 won, in IPsec/L2TP mode.',
    ['An 48 Tagen.', 'Take 40 mg.', '4.5억', 'By L2TP.'],
    ['In 48 Stunden.', 'Take 40 mcg.', '4억 won'],
  ],
  [
    'Signed with HMAC-SHA256; see https://doi.org/10.1029/2019JD032361 or doi:10.1007/s10712-011-9119-1 and the COVID-19-Verordnung, out on 7 May 2025. Set `--storage.tsdb.path` or `-O3`.',
    [
      'It uses SHA-256.',
      'See doi:10.1029/2019JD032361.',
      'The DOI is 10.1007/s10712-011-9119-1.',
      'The rules on COVID-19.',
      'It came out on 7 May 2025.',
      'Set --storage.tsdb.path.',
    ],
    ['It uses SHA-512.', 'Set --storage.tsdb.size.', 'Set -O2.', 'It came out on 8 May 2025.', '10.1029/2019JD032362'],
  ],
  [
    'The flight took 108 minutes, the race 2:06:23, the lap 1:19.874, and the tank of 0.75 m³ costs twenty (20) francs.',
    [
      'It took 1 hour and 48 minutes.',
      'Er dauerte 1 Stunde und 48 Minuten.',
      'Il dura 1 h 48 min.',
      'He ran 2 h 6 min 23 s.',
      'It was done in 1 min 19.874 s.',
      'The tank takes 750 litres.',
      'It costs 20 francs.',
    ],
    ['It took 1 hour and 38 minutes.', 'He ran 2 h 6 min 32 s.', 'The tank takes 75 litres.'],
  ],
  [
    '经营者应当在七日内退款，处以五千元以上三万元以下罚款，用面条二百克。下午2:30开会。船は午後3時20分に出港した。',
    [
      '须在7天之内退款。',
      '处以5000元以上30000元以下罚款。',
      '面条用量为0.2公斤。',
      '会议于14:30召开。',
      '15:20に出港した。',
    ],
    ['处以五千元以上五万元以下罚款。', '须在八日内退款。', '会议于15:30召开。'],
  ],
  [
    'timeout_ms: 2500\n"maxSizeMb": 256\nday: 22-06-2022\nstart: 2024-02-17T03:12:44Z\nat: 6:30 pm\nsize_min: 3',
    [
      'The timeout is 2.5 seconds.',
      'At most 256 MB.',
      'At least 3 GB.',
      'It came on 22 June 2022.',
      'It began on 17 February 2024 at 03:12.',
      'It began at 03:12:44.',
      'It is at 18:30.',
    ],
    ['The timeout is 2.5 ms.', 'At most 256 GB.', 'It is at 6:30.', 'It came on 23 June 2022.'],
  ],
  [
    '| Codec | Speed (MB/s) |\n| --- | --- |\n| lark | 705 |\n\nAlder,2022-01-09,-17.6,5.25,24.0\n\nSee s3://archives-nord, at 12,500 km and 13.78 km/s.',
    ['Lark does 705 MB/s.', 'Rain came to 24 mm.', 'It is in s3://archives-nord.', 'It was 12,500 km away.'],
    ['Lark does 705 GB/s.', 'Rain came to 25 mm.', 'It is in s3://archives-sud.', 'It was 12.5 km away.'],
  ],
  [
    'Se reunieron ochenta y un socios el 3 de mayo a las 8 h 15; 12 light-years, 40 м, 2 л.',
    ['81 socios.', 'Le 3 mai à 08h15.', 'It is 12 ly away.', '40 метров.', '2000 мл.'],
    ['82 socios.', 'À 08h45.', 'It is 12 parsecs away.', '40 км.'],
  ],
  [
    'The 12 most used packages emit at 1,550 pm; opened in May 1971, closed in 2010. Release date:5 May 2021. 开幕于2024年7月26日',
    [
      'Die 12 am häufigsten genutzten Pakete.',
      'It emits at 1,550 pm.',
      'It ran from May 1971 to 2010.',
      'Released on 5 May 2021.',
      '2024巴黎',
      'In 2024 A. Smith did it.',
    ],
    ['Die 13 am häufigsten genutzten Pakete.', 'It ran from May 1971 to 2012.', 'Released on 6 May 2021.'],
  ],
  [
    'They may be used freely by the public and have not been robustly evaluated.',
    ['They may be “used freely by the public”.', 'They are “freely” used.'],
    ['They may be “used freely by researchers”.', 'They “have been thoroughly evaluated”.'],
  ],
  [
    'Jóvenes de entre dieciocho y veintinueve años; a wall of dix-neuf décimètres; binnen zwölf Monaten; nach 72 Stunden; sixteen states and 300 districts; in 65 per cent of cases.',
    [
      'Jóvenes de 18 a 29 años.',
      'A wall of 1.90 m.',
      'Binnen 12 Monaten.',
      'Nach zweiundsiebzig Stunden.',
      'En trescientos distritos.',
      'In 16 states, by two approaches.',
      'In sixty-five percent of cases.',
    ],
    [
      'Jóvenes de diecisiete años.',
      'Le mur a dix-neuf mètres et il est dans la ville.',
      'Binnen zwölf Tagen.',
      'Nach zweiundsiebzig Tagen.',
      'In seventeen states.',
      'In fifty-five percent of cases.',
    ],
  ],
  [
    '1. Cut pieces of 2 cm.\n2. Use 6290 grains, chacun des 6290 mots. Als sie 16 Jahre alt war. It has 8 MB, is 0.006 mm thick, of 20250428, and 2001. 8. 23. of the law of 7 October 2016.',
    [
      'It uses 6,290 grains.',
      'It is 16 years old.',
      'It has 8,192 kB.',
      'It has 8,000 kB.',
      'It is 6 microns thick.',
      'It is of 28 April 2025.',
      'On 23 August 2001.',
      'Of 07/10/2016.',
      'Of 10/07/2016.',
    ],
    [
      'Cut pieces of 1 cm.',
      'Cut pieces of 2 mm.',
      'It has 8,300 kB.',
      'It is of 29 April 2025.',
      'On 24 August 2001.',
      'Of 08/10/2016.',
    ],
  ],
];

/** What looks like an exact detail and is none, by sentence; a passage without it. */
const noClaims = [
  'Exports of the US rose.',
  'Ao longo dos anos não mudou nada para quem trabalhava no museu, mas ele também não foi fechado.',
  'Not a single cent was paid, and a few per cent were lost.',
  'It happened once in a blue moon.',
  'The twenty-first century began, and a hundred and fifty ships came.',
  'Au vingt et unième siècle, le musée a ouvert ses portes dans la ville.',
  '未来两三年，“十四五”规划、五四运动、三元锂电池与数十年的研究，数十亿美元，十多年，几十个。',
  '次の要点と時点について、この制度は大切である。',
  '这很十分重要，一些两国的代表在五月五日开会。',
  'Only some out of many patients stayed.',
];
/** A statement, and a passage that says it. */
const said = [
  ['In 2024 US exports rose.', 'Exports of the US rose in March 2024.'],
  ['In 2020 DM models were sold.', 'The DM was sold in 2020.'],
  ['It happens once in 100 years.', 'Every 100 years it happens.'],
  ['Un logement neuf de 80 m² coûte cher dans la ville.', 'Le logement mesure 80 m² et il est neuf.'],
  ['Der Kaffee kostet 5 Cent in der Kantine.', 'In der Kantine kostet der Kaffee 5 ct.'],
  ['工业4.0时代已经到来，当比值大于2.5时报警。', '工业4.0已经到来。比值大于2.5则报警。'],
  ['Es begann um 18:30 am Freitag.', 'Am Freitag um 18:30 Uhr begann es.'],
  ['Das Gesetz tritt am 12. März 2024 in Kraft.', '12. März 2024: Das Gesetz tritt in Kraft.'],
  ['The disk has 512 GB.', 'It has 1 TB and 512 GB.'],
  ['Es galt bis zum 31. Dezember 2023.', 'Gültig 01.01.2023-31.12.2023.'],
  ['Only 12 out of 1000 patients stayed.', '12 of 1000 patients stayed.'],
  ['Le projet coûte 300 k€ par an dans la région.', 'Il coûte 300 000 euros.'],
  ['A Mac/iPhone pair is needed.', 'It needs a Mac and an iPhone.'],
  ['Twenty five people came in three hundred seventy cars.', '25 people in 370 cars.'],
] as const;

describe('what has to be in the passages as it is', () => {
  for (const statement of noClaims)
    it(`claims nothing: ${statement}`, () => assert.ok(exactCheck(statement, ['Nothing.']), statement));
  for (const [statement, passage] of said)
    it(`is held: ${statement}`, () => assert.ok(exactCheck(statement, [passage]), statement));
  for (const [passage, held, others] of cases)
    it(passage, () => {
      for (const statement of held) assert.ok(exactCheck(statement, [passage]), statement);
      for (const statement of others) assert.ok(!exactCheck(statement, [passage]), statement);
    });

  it('may be in several of them', () => {
    assert.ok(exactCheck('It fell from 71 % in 2019 to 12 %.', ['In 2019 it was 71 %.', 'Now it is 12 %.']));
  });

  it('may follow from two figures or dates, which is for a reader to judge', () => {
    const passage =
      'Of 680 hours 126 are German and 117 French, in 72 files of 60 MB; it ran from May 1971 to 2010, at 82.2 % and 77.4 %.';
    const isDerived = (statement: string): boolean => {
      const [claims, held] = [claimsIn(statement), [heldIn(passage)]];
      const open = notHeld(claims, held);
      assert.ok(open.quantities.length > 0, statement);
      return follows(open, claims, held);
    };
    for (const statement of [
      '243 are of both.',
      'They have 4.32 GB.',
      'It ran for 39 years.',
      'It fell by 4.8 points.',
    ])
      assert.ok(isDerived(statement.replace('points', 'percentage points')), statement);
    for (const statement of ['247 are of both.', 'They have 4.5 GB.', 'It ran for 12 years.'])
      assert.ok(!isDerived(statement), statement);
  });
});
