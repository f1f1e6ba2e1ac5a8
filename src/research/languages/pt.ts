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
  letters: /[ãõ]/gu,
  backReferences: [
    'el[ea]s?|isto|isso|[nd]?(?:est|ess)[ea]s?|seus?|suas?|amb[oa]s|tal|tais|assim|portanto|porém|contudo',
    'além disso|por (?:isso|exemplo)',
  ].join('|'),
  chatter: [
    String.raw`\bcomo (?:um )?(?:modelo de linguagem|ia|inteligência artificial|assistente)\b`,
    String.raw`^aqui está (?:o|a|seu|sua) .{0,30}(?:relatório|seção|resposta|resumo)\b`,
  ].join('|'),
  turns: {
    not: 'não nunca nem nenhum nenhuma jamais impossível',
    softly: `sem salvo exceto evita impede falta remove removeu ignora proíbe proibida proibido deixa descartou excluídos descartados`,
    than: 'que',
    joins: 'e mas enquanto embora porém passo',
    about: 'cerca quase aproximadamente uns umas mais_de menos_de',
    all: 'todos todas sempre',
    some: 'alguns algumas maioria parte muitos vários certas',
    opposites: `no_máximo|máximo|máxima|até/no_mínimo|mínimo|mínima|pelo_menos
      acima|mais_de|superior/abaixo|menos_de|inferior alto|alta/baixo|baixa maior|maiores/menor|menores
      sobe|subiu|subiram|aumentou|aumentaram|cresceu|cresceram|aumenta/cai|caiu|caíram|diminuiu|diminuíram|recuou|reduziu|reduzido|baixou
      primeiro|primeira/último|última começa/termina abre/fecha sempre/nunca
      ativado|ativada|ativados/desativado|desativada|desativados rápido|rápida/lento|lenta mais/menos
      melhor/pior antes/após|depois novo|nova/antigo|antiga|velho`,
  },
};
