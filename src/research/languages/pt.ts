import type { Language } from './language.ts';

export const pt: Language = {
  tag: 'pt',
  stopWords: `a ao aos as até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era essa
    esse esta está este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos
    nós num numa o os ou para pela pelas pelo pelos por porque quais qual quando que quem são se seja sem ser
    seu seus sobre sua suas também tem tém têm um uma umas uns você vocês`,
  askingWords: `diga mostra explica que quem quando porque onde como quanto quanta quantos quantas qual quais
    significa há diferença compara entre`,
  listWords: 'lista enumere quais todos todas',
  compareWords: 'comparar compare comparação diferença diferenças',
  joinWords: 'e ou com',
  letters: /[ãõ]/gu,
  backReferences: [
    'el[ea]s?|isto|isso|[nd]?(?:est|ess)[ea]s?|seus?|suas?|amb[oa]s|tal|tais|assim|portanto|porém|contudo',
    'além disso|por (?:isso|exemplo)',
  ].join('|'),
  chatter: [
    String.raw`\bcomo (?:um )?(?:modelo de linguagem|ia|inteligência artificial|assistente)\b`,
    String.raw`^aqui está (?:o|a|seu|sua) .{0,30}(?:relatório|seção|resposta|resumo)\b`,
  ].join('|'),
};
