import type { Language } from './language.ts';

export const tr: Language = {
  tag: 'tr',
  stopWords: 'hangileri mi nedir nelerdir yok',
  askingWords: `lütfen söyle göster açıkla ne kim zaman neden niçin nerede nasıl kaç hangi fark karşılaştır arasında
    var mı`,
  letters: /[ğış]/gu,
  backReferences: 'bu|bunlar|bunun|onlar|böyle|ancak|ayrıca|örneğin',
};
