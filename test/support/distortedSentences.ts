/**
 * Sentences that cite a passage which speaks of the same thing: faithful ones, and ones that turn what it says round (negation,
 * opposite, another figure, another unit). The first half was used to build the check, the second to look at it once.
 */
export interface DistortedSentence {
  readonly half: 'first' | 'second';
  readonly passage: string;
  readonly faithful: readonly string[];
  readonly distorted: readonly string[];
}

export const distortedSentences: readonly DistortedSentence[] = [
  {
    half: 'first',
    passage:
      'The connection pool holds 20 connections and waits 30 seconds before it gives up. Idle connections are closed after 10 minutes. The pool does not grow under load, because the database accepts at most 100 clients.',
    faithful: [
      'The pool keeps 20 connections and gives up after 30 seconds of waiting.',
      'Connections that are idle for 10 minutes are closed.',
      'Because the database accepts no more than 100 clients, the pool never grows under load.',
      'Under load the pool does not grow.',
      'The pool stays at 20 connections even under load, as the database is limited to 100 clients.',
    ],
    distorted: [
      'Idle connections are not closed after 10 minutes.',
      'The pool does grow under load, because the database accepts at most 100 clients.',
      'The connection pool holds 30 connections and waits 20 minutes before it gives up.',
      'The connection pool holds 20 connections and waits 30 minutes before it gives up.',
      'Idle connections are closed after thirty minutes.',
      'The database accepts at least 100 clients.',
    ],
  },
  {
    half: 'first',
    passage:
      'Roof vents open in steps of 10 percent above 24 °C. Wind above 12 m/s closes the windward side. Screens close at night below 16 °C outside, which saved 18 percent of the gas in the winter of 2023.',
    faithful: [
      'Above 24 °C the roof vents open by 10 percent at a time.',
      'The windward side is closed when the wind exceeds 12 m/s.',
      'Closing the screens on nights below 16 °C saved 18 percent of the gas in winter 2023.',
      'In the winter of 2023 screens cut gas use by 18%.',
      'The vents and screens both depend on temperature.',
    ],
    distorted: [
      'Roof vents open in steps of 10 percent below 24 °C.',
      'Roof vents do not open in steps of 10 percent above 24 °C.',
      'Wind above 12 km/h closes the windward side.',
      'Screens close at night below 16 °F outside.',
      'Screens close at night below 24 °C outside.',
      'Wind below 12 m/s closes the windward side.',
    ],
  },
  {
    half: 'first',
    passage:
      'Dense retrieval finds paraphrases that share no word with the question. It is weak at rare names and identifiers, where sparse retrieval is strong. Without fine-tuning, dense models lose to BM25 on 11 of 18 data sets.',
    faithful: [
      'Dense retrieval can find paraphrases without any word in common with the question.',
      'For rare names and identifiers sparse retrieval is the stronger choice.',
      'BM25 beats dense models on 11 of 18 data sets when these are not fine-tuned.',
      'Dense models that were never fine-tuned lose to BM25 on most data sets (11 of 18).',
      'Rare names and identifiers are a weakness of dense retrieval.',
    ],
    distorted: [
      'Dense retrieval is not weak at rare names and identifiers.',
      'Dense retrieval never finds paraphrases that share no word with the question.',
      'Without fine-tuning, dense models lose to BM25 on 18 of 180 data sets.',
    ],
  },
  {
    half: 'first',
    passage:
      'Der Cache wird nach 15 Minuten geleert. Einträge über 2 MB werden nicht gespeichert. Die Trefferquote stieg nach der Umstellung von 61 auf 83 Prozent.',
    faithful: [
      'Nach der Umstellung stieg die Trefferquote von 61 auf 83 Prozent.',
      'Einträge, die größer als 2 MB sind, speichert der Cache nicht.',
      'Der Cache wird alle 15 Minuten geleert.',
    ],
    distorted: [
      'Der Cache wird nach 15 Minuten nicht geleert.',
      'Einträge über 2 MB werden gespeichert.',
      'Die Trefferquote sank nach der Umstellung von 61 auf 83 Prozent.',
      'Einträge über 2 GB werden nicht gespeichert.',
    ],
  },
  {
    half: 'second',
    passage:
      'Backups run every night at 02:00 and take about 40 minutes. They are kept for 14 days on site and for 6 months off site. A restore was last tested in May 2024; it failed for two of nine volumes.',
    faithful: [
      'Backups take roughly 40 minutes and start at 02:00 each night.',
      'On-site copies are kept for 14 days, off-site copies for 6 months.',
      'When a restore was last tested, in May 2024, 2 of 9 volumes failed.',
      'The last restore test did not succeed for two of the nine volumes.',
      'Off-site backups outlive on-site ones.',
    ],
    distorted: [
      'Backups are not kept for 14 days on site.',
      'They are kept for 14 months on site and for 6 days off site.',
      'Backups run every night at 02:00 and take about 40 hours.',
      'A restore was last tested in May 2024; it failed for six of nine volumes.',
      'They are kept for 40 days on site.',
    ],
  },
  {
    half: 'second',
    passage:
      'Version 3 removed the synchronous client. Requests time out after 60 s by default, and are retried at most 5 times. HTTP/2 is disabled unless the flag is set, since it increased memory use by 35 percent in tests.',
    faithful: [
      'The synchronous client is gone since version 3.',
      'By default a request times out after 60 s and is retried up to 5 times.',
      'Since it increased memory use by 35 percent in tests, HTTP/2 is disabled by default.',
      'HTTP/2 is not enabled unless a flag is set.',
      'Tests showed that HTTP/2 uses 35% more memory.',
    ],
    distorted: [
      'Version 3 did not remove the synchronous client.',
      'Requests time out after 60 minutes by default.',
      'HTTP/2 is enabled unless the flag is set, since it increased memory use by 35 percent in tests.',
      'HTTP/2 decreased memory use by 35 percent in tests.',
      'Requests time out after 35 s by default.',
      'Requests are retried at least 5 times.',
    ],
  },
  {
    half: 'second',
    passage:
      'Los sensores envían datos cada 5 minutos. La batería dura 18 meses y no se puede cambiar. Por encima de 45 °C el sensor se apaga.',
    faithful: [
      'La batería de los sensores dura 18 meses y no puede cambiarse.',
      'El sensor se apaga por encima de 45 °C.',
      'Cada 5 minutos los sensores envían datos.',
    ],
    distorted: [
      'La batería dura 18 meses y se puede cambiar.',
      'Por debajo de 45 °C el sensor se apaga.',
      'Los sensores no envían datos cada 5 minutos.',
      'La batería dura 18 años y no se puede cambiar.',
    ],
  },
];
