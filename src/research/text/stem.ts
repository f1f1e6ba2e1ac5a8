/**
 * Light stemming without a dictionary: endings of inflection and of the commonest derivations, longest first, of the languages
 * written in a script taken together. Both the question and the texts go through it, so a stem need not be a word; what
 * matters is that forms of one word meet and that few others do (after Harman's S-stemmer and Savoy's light stemmers).
 */
const latin =
  /(?:ations?|itions?|ations|ionen|ions?|ements?|ments?|ingly|ings?|edly|ities|ungen|ung|heiten|heit|keiten|keit|iert|ieren|ables?|ives?|eries|ery|ers?|ors?|ies|ied|ed|es|en|em|ern|er|ly|os|as|s|e|y)$/;
const cyrillic =
  /(?:иями|ями|ами|иях|ого|его|ому|ему|ыми|ими|ость|ости|ение|ения|ений|ать|ить|ять|ять|ых|их|ой|ей|ий|ый|ая|яя|ое|ее|ые|ие|ов|ев|ам|ям|ах|ях|ом|ем|ть|ся|а|я|ы|и|о|е|у|ю|ь|й)$/;
const keptWhole = /(?:ss|us|is|[0-9])$/;
const latinWord = /^[a-z]+$/;
const leastStem = 4;
const longestEnding = 6;
/** Long endings occur at longer words: "station" is no "st". */
const leastBeforeLong = 5;

export function stem(word: string): string {
  if (word.length <= 3) return word;
  if (latinWord.test(word)) {
    let stemmed = word;
    for (let pass = 0; pass < 2; pass += 1) {
      const shorter = keptWhole.test(stemmed) ? stemmed : cut(stemmed, latin);
      if (shorter === stemmed) break;
      stemmed = shorter;
    }
    // "stopp(ed)" and "stop", "ereigniss(e)" and "ereignis".
    return stemmed !== word && /([bdfgklmnprstz])\1$/.test(stemmed) ? stemmed.slice(0, -1) : stemmed;
  }
  const code = word.charCodeAt(0);
  if (code >= 0x400 && code < 0x530) return cut(word, cyrillic);
  if (word.startsWith('ال') && word.length > 4) return word.slice(2);
  if (word.startsWith('وال') && word.length > 5) return word.slice(3);
  return word;
}

function cut(word: string, endings: RegExp): string {
  const ending = endings.exec(word.slice(-longestEnding))?.[0];
  if (ending === undefined) return word;
  const left = word.length - ending.length;
  if (left >= (ending.length > 3 ? leastBeforeLong : leastStem)) return word.slice(0, left);
  // A plural of a short word: "keys", "logs".
  return left >= 3 && ending === 's' ? word.slice(0, left) : word;
}
