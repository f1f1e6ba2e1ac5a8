import type { AnalystLimits } from '../analyst.ts';
import type { FacetId } from './facets.ts';
import type { ReadQuestion } from './question.ts';

const byType: Readonly<Record<ReadQuestion['type'], readonly FacetId[]>> = {
  general: ['definition', 'techniques', 'evaluation', 'tools', 'limits'],
  list: ['definition', 'techniques', 'evaluation', 'tools', 'limits'],
  deep_dive: ['definition', 'background', 'techniques', 'evaluation', 'cost', 'applications', 'limits'],
  comparison: ['definition', 'evaluation', 'cost', 'limits', 'choice'],
};
/** "What is X?": a definition and what belongs to it. */
const short: readonly FacetId[] = ['definition', 'techniques', 'evaluation', 'limits'];
const added: Readonly<Record<AnalystLimits['depth'], readonly FacetId[]>> = {
  quick: [],
  standard: [],
  deep: ['recent', 'cost', 'applications'],
};

/** The sides from which a question's subject is looked at, in the order of the report; 3 to 7. */
export function facetsOf(read: ReadQuestion, depth: AnalystLimits['depth']): FacetId[] {
  const pattern = read.asksForMeaning && depth !== 'deep' ? short : byType[read.type];
  const standard = [...pattern, ...added[depth]].map((facet) =>
    facet === 'tools' && isLifeScience(read) ? 'applications' : facet,
  );
  const wanted = new Set(standard);
  // What the question asks for comes right after the definition, or first when it asks how to do something.
  const asked = read.facet === undefined || read.facet === 'definition' ? [] : [read.facet];
  const order = read.subject === '' ? [...asked, ...wanted] : [standard[0]!, ...asked, ...wanted];
  const facets = [...new Set(order)].slice(0, 7);
  if (depth !== 'quick') return facets;
  const last = facets.at(-1)!;
  return [...new Set([...facets.slice(0, 2), last, ...facets])].slice(0, 3);
}

/** Nobody implements a mutation: such subjects have uses where software has tools. */
function isLifeScience({ keywords, aspect }: ReadQuestion): boolean {
  return /\b(?:\p{L}{2,}(?:[dglnptv]|(?<!ph)r|te)ase|gene|genes|genom\p{L}*|protein|proteins|receptors?|agonists?|antagonists?|inhibitors?|antibod(?:y|ies)|mutations?|cancers?|tumou?rs?|disease|syndrome|therap(?:y|ies)|treatments?|drugs?|vaccines?|clinical|patients?|cells?|enzymes?|virus(?:es)?|bacteria\p{L}*|KRAS|EGFR|BRAF|HER2|PD-L?1|GLP-1|CRISPR|mRNA|[A-Z]\d{2,4}[A-Z])\b|耐药|疾病|治疗|基因|蛋白|肿瘤|癌|药物|患者|临床|疫苗|細胞|遺伝子|薬|치료|질병|유전자|단백질|암 |약물/u.test(
    `${keywords} ${aspect}`,
  );
}
