import type { Language } from './language.ts';

export const pl: Language = {
  tag: 'pl',
  stopWords: `a aby albo ale bardzo by być czy dla do gdy gdzie go i ich ile im jak jaka jakie jako jego jej jest już kiedy
    kto która które który lub ma mnie może na nad nie niż o od oraz po pod przez przy są się ta tak także tego tej
    ten to tu tylko w we wiele więc z za ze że`,
  askingWords: `proszę powiedz pokaż wyjaśnij co kto kiedy dlaczego gdzie jak ile który która które jaki jaka jakie
    czym różnica porównaj między`,
  letters: /[ąćęłńśźż]/gu,
  backReferences:
    'on[aoie]?|to|ten|ta|te|ci|tak(?:i|a|ie)|oba|obie|jednak|ponadto|dlatego|w t(?:ym|ej|ych)|na przykład',
};
