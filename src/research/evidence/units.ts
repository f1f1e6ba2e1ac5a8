/**
 * Units and words of magnitude in the languages that reports are written in: one name for each dimension, the factor to its base, and
 * the names as they follow a figure, in lower case. Months and years have no fixed length in days: they are a dimension of their own.
 */
const unitRows = `percent 1 % ％ percent per_cent prozent pour_cent por_ciento por_cento процент процента процентов 퍼센트 في_المئة في_المائة بالمئة بالمائة
  points 1 percentage_points percentage_point prozentpunkte prozentpunkten points_de_pourcentage puntos_porcentuales pontos_percentuais 百分点 个百分点 %p ポイント п.п. процентных_пунктов
  celsius 1 °c °_c celsius 摄氏度
  fahrenheit 1 °f °_f fahrenheit
  time 0.001 ms millisecond milliseconds millisekunden millisecondes milisegundos milissegundos мс 毫秒 ミリ秒 밀리초
  time 1 s sec second seconds sekunde sekunden seconde secondes segundo segundos секунд секунды секунда сек 秒 秒間 초 ثانية ثوان ثواني
  time 60 min minute minutes minuten minuto minutos минут минуты минута мин 分钟 分 分間 분 دقيقة دقائق
  time 3600 h hour hours stunde stunden heure heures hora horas час часа часов 小时 小時 个小时 時間 시간 ساعة ساعات
  time 86400 day days tag tage tagen jour jours día días dia dias день дня дней 天 日間 일 일간 يوم يوما أيام
  time 604800 week weeks woche wochen semaine semaines semana semanas неделя недели недель 周 星期 週間 주 주간 أسبوع أسبوعا أسابيع
  months 1 month months monat monate monaten mois mes meses mês месяц месяца месяцев 个月 か月 ヶ月 カ月 개월 شهر شهرا أشهر
  months 12 year years jahr jahre jahren an ans année années año años ano anos год года лет 年 年間 년 سنة سنوات عام عاما أعوام
  bytes 1e3 kb kib ko кб kilobyte kilobytes
  bytes 1e6 mb mib mo мб megabyte megabytes ميغابايت
  bytes 1e9 gb gib go гб gigabyte gigabytes غيغابايت
  bytes 1e12 tb tib тб terabyte terabytes
  mass 1e-6 µg μg mcg microgram micrograms
  mass 0.001 mg milligram milligrams milligramm мг ملغ 毫克
  mass 1 g gram grams gramm grammes gramos gramas грамм г 克 グラム 그램
  mass 1e3 kg kilogram kilograms kilogramm кг 公斤 千克 キロ 킬로그램 كيلوغرام
  mass 1e6 t tonne tonnes ton tons tonnen toneladas тонн тонны 吨 トン 톤 طن
  length 0.001 mm millimetre millimetres millimeter millimeters мм 毫米 ミリ
  length 0.01 cm centimetre centimetres centimeter centimeters см 厘米 センチ
  length 1 m metre metres meter meters metern mètres metros метров 米 メートル 미터 متر
  length 1e3 km kilometre kilometres kilometer kilometers kilomètres kilómetros quilômetros км километров 公里 千米 キロメートル 킬로미터 كيلومتر
  length 1609.344 mile miles meilen milles millas milhas миль 英里 マイル 마일 ميل
  volume 0.001 ml milliliter millilitres milliliters mililitros мл 毫升
  volume 1 l litre litres liter liters litern litros литров л 升 リットル 리터 لتر
  power 1 w watt watts ватт вт
  power 1e3 kw kilowatt kilowatts квт 千瓦
  power 1e6 mw megawatt megawatts мвт 兆瓦
  speed 1 m/s м/с
  speed 0.27777777778 km/h км/ч
  speed 0.44704 mph
  dollar 1 usd dollar dollars dólares долларов 美元 ドル 달러 دولار
  euro 1 € eur euro euros евро 欧元 ユーロ 유로 يورو
  yuan 1 yuan 元 人民币
  yen 1 yen 円
  won 1 won 원
  rouble 1 рублей рубля руб
  miles/h 1 knots`;

const magnitudeRows = `1e3 thousand tausend mille mil тыс тысяч тысячи 千 천 ألف آلاف k
  1e4 万 萬 만
  1e6 million millions millionen mio millón millones milhão milhões млн миллион миллиона миллионов 百万 백만 مليون ملايين
  1e8 亿 億 억
  1e9 billion billions milliarde milliarden mrd milliard milliards bilhão bilhões млрд миллиард миллиарда миллиардов مليار مليارات bn`;

export interface Unit {
  readonly dimension: string;
  readonly factor: number;
}

const rowsOf = (rows: string): string[][] => rows.split('\n').map((row) => row.trim().split(' '));

export const units: ReadonlyMap<string, Unit> = new Map(
  rowsOf(unitRows).flatMap(([dimension, factor, ...names]) =>
    names.map((name) => [name.replaceAll('_', ' '), { dimension: dimension!, factor: Number(factor) }] as const),
  ),
);

export const magnitudes: ReadonlyMap<string, number> = new Map(
  rowsOf(magnitudeRows).flatMap(([factor, ...names]) => names.map((name) => [name, Number(factor)] as const)),
);
