import { languages } from '../languages/languages.ts';

/** What a figure counts. */
export interface Unit {
  /** Units of one dimension can be converted: "length", "bits/time". */
  readonly dimension: string;
  /** To the base of the dimension. */
  readonly factor: number;
  /** Of a scale whose zero is elsewhere, in the base of the dimension. */
  readonly offset?: number;
  /** Of "mg/day" the factor of the milligram, where it is another one. */
  readonly over?: number;
}

/** Units that the platform names in every language, by their CLDR identifier. Months have no fixed length in days. */
const platformUnits: Readonly<Record<string, Unit>> = {
  percent: { dimension: 'percent', factor: 1 },
  celsius: { dimension: 'temperature', factor: 1, offset: 273.15 },
  fahrenheit: { dimension: 'temperature', factor: 5 / 9, offset: 459.67 * (5 / 9) },
  ...scaled('time', { nanosecond: 1e-9, microsecond: 1e-6, millisecond: 1e-3, second: 1, minute: 60, hour: 3_600 }),
  ...scaled('time', { day: 86_400, week: 604_800 }),
  ...scaled('months', { month: 1, year: 12 }),
  ...scaled('bits', { byte: 8, kilobyte: 8e3, megabyte: 8e6, gigabyte: 8e9, terabyte: 8e12, petabyte: 8e15 }),
  ...scaled('bits', { bit: 1, kilobit: 1e3, megabit: 1e6, gigabit: 1e9, terabit: 1e12 }),
  ...scaled('mass', { gram: 1, kilogram: 1e3, ounce: 28.349_523, pound: 453.592_37 }),
  ...scaled('length', { millimeter: 1e-3, centimeter: 1e-2, meter: 1, kilometer: 1e3 }),
  ...scaled('length', { inch: 0.0254, foot: 0.3048, yard: 0.9144, mile: 1_609.344 }),
  ...scaled('length^3', { milliliter: 1e-6, liter: 1e-3, gallon: 3.785_412e-3 }),
  ...scaled('length^2', { hectare: 1e4, acre: 4_046.856 }),
  ...scaled('length/time', { 'meter-per-second': 1, 'kilometer-per-second': 1e3, 'kilometer-per-hour': 1 / 3.6 }),
  ...scaled('length/time', { 'mile-per-hour': 0.447_04 }),
};

const platformCurrencies = ['USD', 'EUR', 'GBP', 'JPY', 'CNY', 'KRW', 'RUB', 'INR', 'CHF'];

/** Units of the SI and beside it: dimension with its factor, symbol, then names with which prefixes are joined. */
const siRows = `power W watt watts vatios ватт 瓦 ワット 와트
  joules J joule joules julios джоулей 焦耳 ジュール 줄
  joules:3600 Wh wattstunde wattstunden watt_hour watt_hours watthour watthours watt-hour watt-hours wattheure wattheures vatios-hora ватт-час ватт-часов 瓦时 ワット時
  joules:1.602e-19 eV electronvolt electronvolts elektronenvolt électronvolts
  frequency Hz hertz hercios герц 赫兹 赫 ヘルツ 헤르츠
  bits/time bps
  bits/time:8 Bps
  current A ampere amperes amp amps ampère ampères amperios ампер 安培 安 アンペア 암페어
  voltage V volt volts voltios вольт 伏特 伏 ボルト 볼트
  resistance Ω ohm ohms ohmios ом 欧姆 オーム 옴
  pressure Pa pascal pascals pascales паскаль 帕斯卡 帕 パスカル 파스칼
  pressure:133.322 mmHg mm_hg
  temperature K kelvin kelvins кельвин 开尔文 ケルビン 켈빈
  pressure:1e5 bar bars бар 巴 バール
  force N newton newtons ньютон 牛顿 ニュートン 뉴턴
  capacitance F farad farads faradios фарад 法拉 ファラド
  field T tesla teslas тесла 特斯拉 テスラ
  amount mol mole moles mol моль 摩尔 モル 몰
  dose Sv sievert sieverts 西弗 シーベルト
  light lx lux люкс 勒克斯 ルクス
  sound dB decibel decibels dezibel décibels decibelios децибел 分贝 デシベル 데시벨
  mass g gram grams gramm grammes gramos grammi gramas грамм граммов г 克 グラム 그램
  mass:1e6 t tonne tonnes tonnen toneladas tonnellate тонн тонны 吨 トン 톤
  length^3:1e-3 l liter litre litres liters litern litro litros litri литр литров 升 リットル 리터
  length m metre metres meter meters mètres metros metri метр метров 米 メートル 미터
  time s second seconds sekunden secondes segundos secondi секунд 秒 초`;

/** Exponent of ten, symbol, then how it is written in words. */
const prefixRows = `-12 p pico piko пико 皮 ピコ
  -9 n nano нано 纳 ナノ 나노
  -6 µ micro mikro микро 微 マイクロ 마이크로
  -3 m milli mili милли 毫 ミリ 밀리
  -1 d deci dezi déci деци
  -2 c centi zenti centí санти 厘 センチ 센티
  2 h hecto hekto etto гекто 百 ヘクト
  3 k kilo quilo chilo кило 千 キロ 킬로
  6 M mega méga мега 兆 メガ 메가
  9 G giga гига 吉 ギガ 기가
  12 T tera téra тера 太 テラ 테라`;

/** What the platform's names leave out: other spellings, and what is no unit of a measure. */
const furtherRows = `percent 1 ％ per_cent pct в_процентах في_المئة بالمئة
  percent 1e-4 ppm parts_per_million
  percent 1e-7 ppb parts_per_billion
  percent 0.1 ‰ per_mille permille promille
  points 0.01 basis_points basis_point basispunkte basispunkten
  points 1 percentage_points percentage_point prozentpunkte prozentpunkten prozentpunkt points_de_pourcentage puntos_porcentuales pontos_percentuais 百分点 个百分点 %p ポイント 퍼센트포인트 п.п. процентных_пунктов
  time 60 min
  time 3600 h 小時 个小时
  time 86400 d tagen
  months 1 monaten
  months 12 jahren
  months 120 decade decades jahrzehnt jahrzehnten jahrzehnte décennie décennies década décadas decennio decenni
  bits 8e3 kb
  bits 8e6 mb
  bits 8e9 gb
  bits 8192 kib kibibyte kibibytes
  bits 8388608 mib Mi mebibyte mebibytes
  bits 8589934592 gib Gi gibibyte gibibytes
  bits/time 1e6 mbps
  percent 10 割
  length^3 1e-3 L л
  length^3 1e-6 мл
  mass 1e-6 mcg
  mass 1e3 公斤
  mass 453.59237 lbs
  length 1 metern м
  length 1e-6 micron microns
  dollar 0.01 cents
  dollar 1 $ usd dollar dollars dólares долларов 美元 米ドル ドル 달러 دولار
  pound 1 £
  pound 0.01 pence
  yuan 1 元 yuan
  yen 1 yen
  rouble 1 rubles roubles
  INR 1 rupees
  CHF 1 franken sfr
  length 9.4607e15 light-year light-years ly lichtjahr lichtjahre lichtjahren année-lumière années-lumière año_luz años_luz световых_лет светового_года 光年
  length 3.0857e16 parsec parsecs pársec pársecs парсек парсека парсеков 秒差距 パーセク
  euro 1 € eur euro euros евро 欧元 ユーロ 유로 يورو`;

/** Names of units that are words of other languages, or of other units: an inch in English and Polish, a year in French, degrees. */
const otherWords: ReadonlySet<string> = new Set(['in', 'cal', 'an', 'F', 'N', 'T', 'pm']);

/** Dimensions of currencies by their code; others are named by it. */
const currencyNames: Readonly<Record<string, string>> = {
  ...{ USD: 'dollar', EUR: 'euro', GBP: 'pound', JPY: 'yen', CNY: 'yuan', KRW: 'won', RUB: 'rouble' },
};

const furtherMagnitudes = `1e3 k thousand mille тыс тысяч ألف آلاف 千
  1e4 万 萬
  1e6 mio mln mn млн миллион millón ملايين 百万 백만
  1e8 亿 億
  1e9 bn mrd md billion bilhão млрд миллиард مليارات
  1e12 trillion trillions tn trn трлн 兆`;

/** Powers of a length in words, before its name and behind it. */
const powers: readonly (readonly [RegExp, number])[] = [
  [
    /^(?:square |sq\.? |кв\.? |квадратн\p{L}+ |quadrat|平方|제곱)|(?: carrés?| cuadrados?| quadrados?|²|(?<=^(?:[munckd]?m|[мдск]?м))2)$/u,
    2,
  ],
  [/^(?:cubic |kubik|立方|세제곱)|(?: cubes?| cúbicos?|³|(?<=^[munckd]?m)3)$/u, 3],
];

/** Words that mean a minus sign, before a figure; those that also mean "less" are none. */
export const minusWord = /(?:(?<!\p{L})(?:minus|минус)|零下|(?<!\p{Script=Han})负|マイナス|氷点下|영하)\s?$/iu;

/** Longest name of a unit, in UTF-16 units. */
export const longestUnit = 32;

let known: { readonly units: ReadonlyMap<string, Unit>; readonly magnitudes: ReadonlyMap<string, number> } | undefined;

/** The unit of a name as it follows a figure; symbols by their case, names without. */
export function unitOf(name: string): Unit | undefined {
  const { units } = names();
  const spaced = name.replace(/\s+/gu, ' ').replace('° ', '°');
  // "DM", "US" and "MS" are no units in small letters.
  const found =
    units.get(spaced) ??
    (spaced.length > 2 || /^.\p{Ll}|^\p{Ll}./u.test(spaced) ? units.get(spaced.toLowerCase()) : undefined);
  if (found !== undefined) return found;
  const [above = '', below, ...rest] = spaced.split(perMark());
  if (below !== undefined && rest.length === 0) {
    const [over, under] = [unitOf(above.trim()), unitOf(below.trim())];
    return over && under
      ? { dimension: `${over.dimension}/${under.dimension}`, factor: over.factor / under.factor, over: over.factor }
      : undefined;
  }
  for (const [mark, power] of powers) {
    const side = spaced.toLowerCase().replace(mark, '');
    if (side === spaced.toLowerCase()) continue;
    const base = units.get(side);
    return base?.dimension === 'length' ? { dimension: `length^${power}`, factor: base.factor ** power } : undefined;
  }
  return undefined;
}

/** "per minute", "pro Quadratmeter": one of what is counted for each. */
export function perUnitOf(name: string): Unit | undefined {
  const [before, below, ...rest] = ` ${name}`.split(perMark());
  const under = before === '' && below !== undefined && rest.length === 0 ? unitOf(below.trim()) : undefined;
  return under && { dimension: `/${under.dimension}`, factor: 1 / under.factor, over: 1 };
}

let per: RegExp | undefined;

/** A slash, or the word between two units in each language, as the platform has it. */
function perMark(): RegExp {
  if (per !== undefined) return per;
  const words = languages.flatMap(({ tag }) =>
    [
      ['liter', 'kilometer'],
      ['kilometer', 'hour'],
    ].flatMap(([above, below]) => {
      const of = (unit: string, count: number): string =>
        writerOf(tag, { style: 'unit', unit, unitDisplay: 'long' })(count);
      const whole = of(`${above}-per-${below}`, 5);
      const word = whole.slice(of(above!, 5).length, -of(below!, 1).length);
      return whole === of(above!, 5) + word + of(below!, 1) && /^ \p{L}+ $/u.test(word) ? [word.trim()] : [];
    }),
  );
  per = new RegExp(String.raw`\s?\/\s?|\s(?:${[...new Set(words)].join('|')})\s`, 'u');
  return per;
}

/** The factor of a word of magnitude: 1e6 for "millones". */
export function magnitudeOf(name: string): number | undefined {
  return names().magnitudes.get(name.toLowerCase().replace(/\.$/, ''));
}

/** All names, made when the first figure is read: 60 ms. */
function names(): NonNullable<typeof known> {
  known ??= { units: unitNames(), magnitudes: magnitudeNames() };
  return known;
}

function unitNames(): Map<string, Unit> {
  const units = new Map<string, Unit>();
  // A symbol is another one in capitals: mW, MW.
  const addSymbol = (name: string, unit: Unit): void => {
    const key = name.normalize('NFKC');
    if (key !== '' && !otherWords.has(key) && !units.has(key)) units.set(key, unit);
  };
  const add = (name: string, unit: Unit): void => addSymbol(name.length > 3 ? name.toLowerCase() : name, unit);
  for (const [dimension, factor, ...all] of rowsOf(furtherRows))
    for (const name of all) add(name.replaceAll('_', ' '), { dimension: dimension!, factor: Number(factor) });
  for (const { tag } of languages) {
    for (const [unit, meaning] of Object.entries(platformUnits)) {
      for (const name of [1, 2, 5, 11].map(writerOf(tag, { style: 'unit', unit, unitDisplay: 'long' })))
        add(name, meaning);
      const symbol = writerOf(tag, { style: 'unit', unit, unitDisplay: 'short' })(2).replace(/\.$/, '');
      // "a" and "j" are words, "г" is a gram and a year.
      const isClear = symbol.length > 1 && (meaning.dimension === 'bits' || !/^[a-z]/i.test(symbol));
      if (tag === 'en' || isClear) addSymbol(symbol, meaning);
    }
    for (const currency of platformCurrencies) {
      const meaning = { dimension: currencyNames[currency] ?? currency, factor: 1 };
      for (const name of [1, 2, 5].map(writerOf(tag, { style: 'currency', currency, currencyDisplay: 'name' })))
        add(name, meaning);
    }
  }
  const prefixes = rowsOf(prefixRows);
  for (const [dimension = '', symbol = '', ...all] of rowsOf(siRows)) {
    const [name = '', factor = '1'] = dimension.split(':');
    const meaning = { dimension: name, factor: Number(factor) };
    addSymbol(symbol, meaning);
    const names = all.map((name) => name.replaceAll('_', ' '));
    for (const name of names) add(name, meaning);
    for (const [exponent, short = '', ...words] of prefixes) {
      const larger = { ...meaning, factor: meaning.factor * 10 ** Number(exponent) };
      addSymbol(short + symbol, larger);
      if (short === 'k') addSymbol(`K${symbol}`, larger);
      for (const word of words) for (const name of names) add(word + name, larger);
    }
  }
  return units;
}

function magnitudeNames(): Map<string, number> {
  const found = new Map<string, number>();
  const add = (name: string, factor: number): void => {
    const key = name.toLowerCase();
    if (key !== '' && !found.has(key)) found.set(key, factor);
  };
  for (const [factor, ...all] of rowsOf(furtherMagnitudes)) for (const name of all) add(name, Number(factor));
  for (const { tag } of languages) {
    const [long, short] = (['long', 'short'] as const).map(
      (compactDisplay) => new Intl.NumberFormat(tag, { notation: 'compact', compactDisplay }),
    );
    for (const exponent of [3, 4, 6, 8, 9, 12])
      for (const format of [long!, short!])
        for (const count of [1, 2, 5]) {
          const text = format.format(count * 10 ** exponent);
          const name = nameIn(text).replace(/\.$/, '');
          // The figure may be another one: "20亿" of two billion.
          const number = Number(/^\p{Nd}+/u.exec(text)?.[0] ?? Number.NaN);
          if (name.length > 2 || /^\p{Lo}+$/u.test(name)) add(name, Math.round((count * 10 ** exponent) / number));
        }
  }
  return found;
}

/** What stands beside the figure in a number as a language writes it. */
function writerOf(tag: string, options: Intl.NumberFormatOptions): (count: number) => string {
  const format = new Intl.NumberFormat(tag, { ...options, maximumFractionDigits: 0 });
  return (count) => nameIn(format.format(count));
}

function nameIn(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Nd}+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

function rowsOf(rows: string): string[][] {
  return rows.split('\n').map((row) => row.trim().split(' '));
}

function scaled(dimension: string, factors: Readonly<Record<string, number>>): Record<string, Unit> {
  return Object.fromEntries(Object.entries(factors).map(([name, factor]) => [name, { dimension, factor }]));
}
