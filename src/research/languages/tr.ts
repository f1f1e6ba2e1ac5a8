import type { Language } from './language.ts';

export const tr: Language = {
  tag: 'tr',
  stopWords: `acaba ama ancak bir bu çok da daha de değil diğer en gibi hangi hangileri her için ile ise kadar ki mı mi mu
    mü nasıl ne neden nedir nelerdir o olan olarak oldu sonra şu tüm var ve veya ya yok`,
  askingWords: `lütfen söyle göster açıkla ne kim zaman neden niçin nerede nasıl kaç hangi fark karşılaştır arasında
    var mı`,
  listWords: 'listele hangi hangileri tüm',
  letters: /[ğış]/gu,
  backReferences: 'bu|bunlar|bunun|onlar|böyle|ancak|ayrıca|örneğin',
};
