import type { Language } from './language.ts';

export const id: Language = {
  tag: 'id',
  stopWords: `ada adalah agar akan apa apakah atau bagaimana bagi bahwa bisa dalam dan dapat dari dengan di ini itu jika
    juga karena ke kepada mengapa oleh pada saja saya sebagai secara tentang telah tersebut tidak untuk yang`,
  askingWords: `apa siapa kapan mengapa dimana bagaimana berapa mana beda bandingkan antara`,
  listWords: 'daftar sebutkan semua',
};
