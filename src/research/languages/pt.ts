import type { Language } from './language.ts';

export const pt: Language = {
  tag: 'pt',
  stopWords: 'é porque quais ser sobre têm umas uns',
  askingWords: `diga mostra explica que quem quando porque onde como quanto quanta quantos quantas qual quais
    significa há diferença compara entre`,
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
