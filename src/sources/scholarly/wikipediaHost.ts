/** Languages of the encyclopedia's larger editions; a question in any other is looked up in English. */
const editions =
  'en de fr es it pt nl pl ru uk zh ja ko ar fa he tr vi id ms th hi bn ta cs sk hu ro bg sr hr sl el fi sv no da et lt lv ca eu gl az hy ka kk uz'.split(
    ' ',
  );

export const wikipediaHosts: readonly string[] = editions.map((edition) => `${edition}.wikipedia.org`);

/** The edition of a BCP 47 tag. */
export function editionOf(language: string): string {
  const primary = language.toLowerCase().split('-')[0] ?? '';
  const name = primary === 'nb' || primary === 'nn' ? 'no' : primary;
  return editions.includes(name) ? name : 'en';
}

/** Base address of an edition. An endpoint that the user set is asked as it is. */
export function editionEndpoint(endpoint: string, edition: string): string {
  return endpoint.replace(/^https:\/\/en\.wikipedia\.org(?=\/|$)/, `https://${edition}.wikipedia.org`);
}
