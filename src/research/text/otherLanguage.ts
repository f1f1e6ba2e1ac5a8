import { fillText } from '../../protocol/fillText.ts';
import { baseTag } from '../languages/languages.ts';
import { textsIn, translated } from '../languages/texts.ts';
import { detectLanguage, sureLanguage } from './language.ts';

/** The line that says what keeps a question from its answer where the texts are in another language; none where they are in its own. */
export function otherLanguage(texts: string, question: string, language: string): readonly string[] {
  const own = sureLanguage(texts);
  if (own === undefined || own === detectLanguage(question)) return [];
  const names = new Intl.DisplayNames([translated.includes(baseTag(language)) ? language : 'en'], { type: 'language' });
  return [fillText(textsIn(language, 'digest').otherLanguage, { language: names.of(own)! })];
}
