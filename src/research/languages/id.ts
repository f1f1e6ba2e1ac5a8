import type { Language } from './language.ts';

export const id: Language = {
  tag: 'id',
  stopWords: 'secara untuk',
  askingWords: `apa siapa kapan mengapa dimana bagaimana berapa mana beda bandingkan antara`,
};
