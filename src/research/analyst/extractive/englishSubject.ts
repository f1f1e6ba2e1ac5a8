import type { GatheredCall } from '../analyst.ts';

const mostWords = 6;

/** What a search said that the subject of a question is called in English, with the question's own Latin words. */
export function englishSubject(gathered: readonly GatheredCall[], question: string): string | undefined {
  const told = gathered.find((call) => call.english !== undefined)?.english;
  if (told === undefined) return undefined;
  const latin = question.match(/[A-Za-z][\w.+#-]*/g) ?? [];
  return [...new Set([...told.split(/\s+/), ...latin])].slice(0, mostWords).join(' ');
}
