/** A passage in which a figure's condition stands beside its sentence, and not in it. */
export interface ConditionCase {
  readonly name: string;
  readonly text: string;
  /** How the quoted sentence, item or row begins. */
  readonly quoted: string;
  /** What somebody who reports the figure has to know. */
  readonly conditions: readonly string[];
}

const filler = `The project is developed by a small group in two time zones. Contributions are welcome at any time of the year.

`;

/** Written before anything was built on them. */
export const conditionCases: readonly ConditionCase[] = [
  {
    name: 'pronoun for the system',
    text: `${filler}We compare Lumen with the previous scheduler on 64 nodes of the Aare cluster. It shortens the median wait by 12 %.`,
    quoted: 'It shortens',
    conditions: ['Lumen', '64 nodes', 'previous scheduler'],
  },
  {
    name: 'pronoun two sentences back',
    text: `${filler}The Tarn index keeps only the first eight bytes of a key. It is rebuilt at every start. It takes 340 MB for 50 million keys.`,
    quoted: 'It takes 340 MB',
    conditions: ['Tarn index'],
  },
  {
    name: 'condition behind the figure',
    text: `${filler}Throughput reaches 2,300 requests a second with the new encoder. The measurement was made on one core with a batch size of 32. Nothing else ran.`,
    quoted: 'Throughput reaches',
    conditions: ['one core', 'batch size of 32'],
  },
  {
    name: 'row of a table with a caption above',
    text: `${filler}Table 2: Recall at 10 on the Birch test set, without reranking.

| Model | Recall | Index size (GB) |
| --- | --- | --- |
| Alder | 0.71 | 4.2 |
| Willow | 0.78 | 9.6 |
| Rowan | 0.66 | 2.1 |

The next section has the ablations.
`,
    quoted: '| Willow',
    conditions: ['Recall', 'Index size (GB)', 'Birch test set'],
  },
  {
    name: 'row of a table with a caption below',
    text: `${filler}| Format | Write (MB/s) | Read (MB/s) |
| --- | --- | --- |
| plain | 410 | 620 |
| packed | 180 | 790 |

Table 4. Speeds on an SSD of 2021, files of 1 GB.
`,
    quoted: '| packed',
    conditions: ['Write (MB/s)', 'Read (MB/s)', 'SSD of 2021'],
  },
  {
    name: 'item under a leading line',
    text: `${filler}The limits of the free plan, per project and month, are:

- builds: 500
- storage of artifacts and caches together: 2 GB
- seats: 3
`,
    quoted: '- storage of artifacts',
    conditions: ['free plan', 'per project and month'],
  },
  {
    name: 'section of a version',
    text: `# Changes

## 4.2 (March 2025)

The default time limit of a request is 45 seconds now. Older clients keep theirs.

## 4.1

The default time limit of a request was 90 seconds.
`,
    quoted: 'The default time limit of a request is 45',
    conditions: ['4.2'],
  },
  {
    name: 'demonstrative',
    text: `${filler}Patients over 70 years received half of the dose for twelve weeks. In this group 8 of 112 stopped early because of nausea.`,
    quoted: 'In this group',
    conditions: ['over 70 years', 'half of the dose'],
  },
  {
    name: 'German pronoun',
    text: `Das Verfahren wurde im Winter 2022 an zwölf Wärmepumpen in Altbauten geprüft. Es senkte den Verbrauch um 9 Prozent. Die Messung dauerte vier Monate.`,
    quoted: 'Es senkte',
    conditions: ['Winter 2022', 'zwölf Wärmepumpen'],
  },
  {
    name: 'Chinese demonstrative',
    text: `我们在含有两万条中文问答的测试集上评估了重排序模块。该方法使准确率提高了6.4个百分点。训练只用了一块显卡。`,
    quoted: '该方法使',
    conditions: ['两万条中文问答'],
  },
  {
    name: 'the latter',
    text: `${filler}The team tried a ring buffer and a lock-free queue on the ARM boards. The latter lost 3 of 10 million messages under load.`,
    quoted: 'The latter',
    conditions: ['lock-free queue', 'ARM boards'],
  },
  {
    name: 'short result',
    text: `${filler}All runs use the 2019 census data and ten-fold cross-validation. Accuracy rose by 4.1 points.`,
    quoted: 'Accuracy rose',
    conditions: ['2019 census', 'ten-fold'],
  },
  {
    name: 'a claim with a condition of the sentence before',
    text: `${filler}Compression was switched off for these tests. The server answered in 8 ms at the median and in 41 ms at the 99th percentile.`,
    quoted: 'The server answered',
    conditions: ['Compression was switched off'],
  },
  {
    name: 'French pronoun',
    text: `Le nouveau capteur a été essayé pendant six mois dans trois serres de Bretagne. Il a réduit l'arrosage de 22 %. Les agriculteurs en sont satisfaits.`,
    quoted: 'Il a réduit',
    conditions: ['trois serres', 'six mois'],
  },
  {
    name: 'list nested under a heading',
    text: `# Sizing

## Clusters with more than 50 nodes

Memory matters most here.

1. Give each coordinator 16 GB of memory.
2. Give each worker 8 GB of memory.
`,
    quoted: '2. Give each worker',
    conditions: ['more than 50 nodes'],
  },
];

/** Looked at once, when everything was built. */
export const heldOutConditionCases: readonly ConditionCase[] = [
  {
    name: 'they',
    text: `${filler}Forty volunteers slept four nights in a room at 26 degrees. They woke up 1.7 times more often than in the control week.`,
    quoted: 'They woke up',
    conditions: ['26 degrees', 'Forty volunteers'],
  },
  {
    name: 'this',
    text: `${filler}From release 9 on, the planner pushes filters into the scan of Parquet files. This cuts the bytes that are read by 63 % for the log workload.`,
    quoted: 'This cuts',
    conditions: ['release 9', 'Parquet'],
  },
  {
    name: 'table of prices',
    text: `## Prices in the Frankfurt region

Prices are per hour and without tax.

| Size | On demand | Reserved for a year |
|---|---|---|
| small | 0.021 | 0.013 |
| medium | 0.083 | 0.052 |
`,
    quoted: '| medium',
    conditions: ['On demand', 'Reserved for a year', 'per hour'],
  },
  {
    name: 'table under a sentence',
    text: `${filler}The following table gives the boiling points at 1 bar.

| Substance | Point (°C) |
| :-- | --: |
| acetone | 56.1 |
| ethanol | 78.4 |
| toluene | 110.6 |
`,
    quoted: '| toluene',
    conditions: ['Point (°C)', '1 bar'],
  },
  {
    name: 'condition in the next sentence',
    text: `${filler}The lossless mode of the codec needs 18 % fewer bits than its predecessor. That holds for speech only; music gains nothing.`,
    quoted: 'The lossless mode',
    conditions: ['speech only'],
  },
  {
    name: 'items with a lead',
    text: `${filler}On a laptop of 2020 with 8 GB of memory, a cold start takes:

* with the cache on disk: 0.9 seconds
* with the cache deleted before: 6.3 seconds
`,
    quoted: '* with the cache deleted',
    conditions: ['laptop of 2020', 'cold start'],
  },
  {
    name: 'heading with the platform',
    text: `# Limits

## Windows

The longest path that the tool accepts is 260 characters long.

## Linux

The longest path that the tool accepts is 4,096 characters long.
`,
    quoted: 'The longest path that the tool accepts is 260',
    conditions: ['Windows'],
  },
  {
    name: 'Spanish demonstrative',
    text: `La cooperativa instaló paneles en los tejados de 40 viviendas de Soria en 2023. Esta medida redujo la factura media en 310 euros al año. Hubo pocas averías.`,
    quoted: 'Esta medida',
    conditions: ['paneles', '40 viviendas'],
  },
  {
    name: 'Italian pronoun',
    text: `Il modulo di scambio è stato provato su treni merci tra Verona e Monaco. Esso riduce i tempi di sosta di 14 minuti. La prova è durata un anno.`,
    quoted: 'Esso riduce',
    conditions: ['treni merci', 'Verona'],
  },
  {
    name: 'Japanese demonstrative',
    text: `提案手法は夜間の道路画像五千枚で評価した。この手法は検出率を7.2ポイント改善した。学習には三日かかった。`,
    quoted: 'この手法は',
    conditions: ['夜間の道路画像'],
  },
  {
    name: 'German demonstrative',
    text: `Die Stadt sperrte die Uferstraße im Sommer 2021 für Autos. Dadurch sank der Lärm an den Hausfassaden um 5 Dezibel. Danach wurde sie wieder geöffnet.`,
    quoted: 'Dadurch sank',
    conditions: ['Uferstraße', 'Sommer 2021'],
  },
  {
    name: 'Russian pronoun',
    text: `Новый алгоритм сжатия проверили на журналах почтового сервера за 2024 год. Он уменьшил их объём на 37 процентов. Проверка заняла неделю.`,
    quoted: 'Он уменьшил',
    conditions: ['алгоритм сжатия', 'почтового сервера'],
  },
  {
    name: 'such',
    text: `${filler}Queries with more than five joins are planned by the genetic optimiser. Such queries took 2.4 seconds on average in the audit of 2022.`,
    quoted: 'Such queries',
    conditions: ['more than five joins'],
  },
  {
    name: 'however',
    text: `${filler}With the small dictionary, training ends after 40 minutes. However, the error rate grows from 3.1 to 4.8 percent.`,
    quoted: 'However',
    conditions: ['small dictionary'],
  },
  {
    name: 'definition of the measure before',
    text: `${filler}Freshness is the share of pages that are indexed within an hour of their change. The value is 0.83 in the crawl of May.`,
    quoted: 'The value is',
    conditions: ['Freshness', 'within an hour'],
  },
];
