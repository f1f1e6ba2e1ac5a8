import { stem, tokenize } from '../../text/tokenize.ts';

/** A side from which any subject can be looked at. Sections, queries and the choice of sentences go by facets. */
export type FacetId =
  | 'definition'
  | 'background'
  | 'techniques'
  | 'evaluation'
  | 'cost'
  | 'tools'
  | 'applications'
  | 'limits'
  | 'recent'
  | 'choice';

interface Facet {
  /** English words that follow the subject in a query, the third ones at a second attempt. Services are searched in English. */
  readonly queries: readonly [first: string, second: string, third: string];
  /** Words of a sentence that speak for the facet. */
  readonly cues: ReadonlySet<string>;
  /** Words of a question or heading that name the facet. */
  readonly names: RegExp;
}

function facet(queries: Facet['queries'], names: RegExp, cues: string): Facet {
  return {
    queries,
    names,
    cues: new Set(
      cues
        .split(/\s+/)
        .flatMap((word) => tokenize(word))
        .map(stem),
    ),
  };
}

export const facets: Readonly<Record<FacetId, Facet>> = {
  definition: facet(
    ['overview', 'how it works', 'introduction'],
    /\b(?:definitions?|how (?:it|they) works?|how .{1,60} works?|what .{1,80} (?:is|are)\b|mechanisms?|principles?|concepts?|components?|architecture|basics|introduction|overview)\b|定义|原理|概念|机制|机理|定義|仕組み|概要|정의|원리|개념|메커니즘|تعريف|مفهوم|определени|принцип|definition|funktionsweise|définition|fonctionnement|definición|funcionamiento/iu,
    `defined consists combines introduced pipeline architecture component components step steps idea concept principle method framework model paradigm
     是 指 定义 称为 原理 とは 仕組み 定義 정의 이란 это называется 是指 heißt ist bezeichnet désigne consiste es consiste`,
  ),
  background: facet(
    ['history', 'survey', 'evolution'],
    /\b(?:background|history|origins?|evolution|development|foundations?)\b|背景|历史|发展|歴史|経緯|배경|역사|خلفية|تاريخ|истори|предпосылк|hintergrund|geschichte|entwicklung|contexte|historique|historia|antecedentes/iu,
    'introduced proposed first early origin history since earlier classic traditional survey evolved before became 提出 最早 历史 提案 歴史 제안 впервые предложен eingeführt introduit introducido',
  ),
  techniques: facet(
    ['techniques', 'methods', 'algorithm approach'],
    /\b(?:techniques?|methods?|methodolog(?:y|ies)|approach(?:es)?|algorithms?|strateg(?:y|ies)|ways|types?|kinds?|variants?|patterns?|architectures?|models?)\b|技术|技術|方法|手法|算法|策略|类型|种类|種類|アルゴリズム|기술|기법|방법|종류|알고리즘|تقنيات|طرق|أساليب|أنواع|метод|подход|техник|виды|methoden|techniken|verfahren|ansätze|arten|méthodes|approches|técnicas|métodos|enfoques/iu,
    `uses use using splits ranks encodes searches merges combines trains learns asks rewrites generates scores chooses selects clusters summarises summarizes retrieves reranks fuses adds lets gives
     method technique approach algorithm strategy search query step model builds predicts decides expands 方法 技术 算法 采用 使用 手法 方式 기법 방법 метод подход использует methode verfahren nutzt méthode utilise método utiliza`,
  ),
  evaluation: facet(
    ['evaluation benchmark', 'results comparison', 'metrics accuracy'],
    /\b(?:evaluat\w+|benchmarks?|metrics?|results?|quality|accuracy|performance comparison|measur\w+|datasets?)\b|评估|评测|指标|结果|评价|評価|指標|結果|평가|지표|결과|성능|تقييم|نتائج|مقاييس|оценк|результат|метрик|bewertung|evaluierung|ergebnisse|évaluation|résultats|evaluación|resultados/iu,
    `evaluation evaluate evaluated benchmark benchmarks metric metrics measure measured measures recall precision accuracy f1 ndcg mrr score scores dataset datasets percent percentage outperforms outperformed outperform
     improves improved improvement beat baseline baselines results experiments faithfulness judge test 评估 基准 指标 准确率 提升 评测 实验 評価 精度 結果 평가 정확도 실험 точност оценк результат genauigkeit ergebnis précision résultat precisión resultado`,
  ),
  cost: facet(
    ['efficiency latency cost', 'scalability', 'memory throughput'],
    /\b(?:costs?|speed|latency|efficien\w+|scalab\w+|scale|performance|memory|throughput|price)\b|成本|速度|性能|效率|延迟|コスト|速度|効率|비용|속도|효율|تكلفة|سرعة|كفاءة|стоимост|скорост|эффективност|kosten|geschwindigkeit|effizienz|coûts?|vitesse|coste|velocidad|eficiencia/iu,
    `cost costs latency speed fast faster slow slower milliseconds seconds hours memory tokens cheap expensive efficient efficiency overhead throughput scale scales linear larger smaller gpu hardware
     成本 延迟 速度 效率 内存 コスト 速度 メモリ 비용 속도 메모리 стоимость скорость kosten schnell coût rapide coste rápido`,
  ),
  tools: facet(
    ['open source implementation', 'library framework', 'software repository'],
    /\b(?:tools?|librar(?:y|ies)|frameworks?|packages?|implementations?|software|open[- ]source|databases?)\b|工具|框架|库|实现|开源|软件|ツール|実装|ライブラリ|도구|구현|라이브러리|프레임워크|أدوات|مكتبات|инструмент|библиотек|реализаци|werkzeuge|bibliotheken|implementierung|outils|bibliothèques|herramientas|bibliotecas|implementaci/iu,
    `library framework tool tools package database server api repository written implementation implements platform toolkit engine sdk plugin integrates rust python typescript javascript postgresql
     库 框架 工具 开源 实现 数据库 ライブラリ フレームワーク ツール 도구 라이브러리 프레임워크 библиотека инструмент bibliothek werkzeug bibliothèque outil biblioteca herramienta`,
  ),
  applications: facet(
    ['applications', 'use cases', 'industry case study'],
    /\b(?:applications?|use cases?|uses|examples?|practice|in practice|industry|deployment)\b|应用|场景|实践|案例|応用|活用|事例|응용|활용|사례|تطبيقات|استخدامات|применени|практик|anwendung|praxis|applications|cas d'usage|aplicaciones|casos de uso/iu,
    `application applications practice practical deployed deployment production industry industrial medical legal clinical financial enterprise customer hospital practitioner
     应用 场景 领域 医疗 実用 応用 医療 応用 활용 분야 применяется anwendung einsatz application utilisé aplicación uso`,
  ),
  limits: facet(
    ['limitations challenges', 'failure modes', 'errors risks'],
    /\b(?:limits?|limitations?|challenges?|problems?|issues?|risks?|drawbacks?|downsides?|pitfalls?|disadvantages?|weakness\w*|failures?|failure modes?|security|safety|open (?:problems|questions))\b|局限|挑战|缺点|问题|风险|課題|限界|問題|リスク|한계|과제|문제|위험|تحديات|حدود|مشاكل|مخاطر|ограничени|проблем|недостат|риск|grenzen|probleme|nachteile|risiken|limites|problèmes|défis|límites|limitaciones|problemas|desafíos/iu,
    `limit limits limitation limitations challenge challenges challenging struggle struggles vulnerability vulnerable leakage noisy bottleneck problem problems fail fails failure failures error errors risk risks hallucinate hallucinates hallucination hallucinations unsupported drawback weak weakness hard difficult cannot unable irrelevant
     conflicting stale sensitive attack attacks injection poisoning bias harm remains remain drops degrade degrades worse despite lacks lack suffers suffer wrong attack 局限 挑战 问题 错误 幻觉 失败 课题 課題 限界 誤り 한계 문제 오류 проблема ограничение ошибка problem grenze fehler problème limite erreur problema límite error`,
  ),
  recent: facet(
    ['recent advances', 'state of the art', 'new trends'],
    /\b(?:recent|latest|new(?:est)?|trends?|developments?|advances?|progress|state of the art|future|outlook|emerging)\b|最新|进展|趋势|未来|動向|展望|최신|동향|전망|أحدث|تطورات|новы|тенденци|развити|aktuell|neue|trends|récent|avancées|reciente|avances|tendencias/iu,
    `recent recently new novel latest emerging agentic advance advances now growing trend future 2024 2025 2026 最新 近年 新 最近 최근 новый недавно neu aktuell récent nouveau reciente nuevo`,
  ),
  choice: facet(
    ['comparison trade-offs', 'when to use', 'advantages disadvantages'],
    /\b(?:when to (?:use|choose)|choos\w+|choice|trade-?offs?|strengths? and weakness\w*|pros and cons|recommend\w*|suits?)\b|选择|选型|优缺点|取舍|選び方|使い分け|선택|장단점|اختيار|مزايا وعيوب|выбор|преимуществ|auswahl|stärken|choix|avantages|elección|ventajas/iu,
    `suits suit better best worse choose trade trades tradeoff whereas while instead prefer preferable strong strength advantage advantages disadvantage helps most when between price depends 适合 优点 缺点 选择 更 向いて 利点 欠点 적합 장점 단점 подходит лучше преимущество besser vorteil nachteil mieux avantage mejor ventaja`,
  ),
};

/** The order in which names are looked for: the more telling first. */
const nameOrder: readonly FacetId[] = [
  'evaluation',
  'limits',
  'cost',
  'tools',
  'applications',
  'choice',
  'recent',
  'techniques',
  'background',
  'definition',
];

/** The facet that a word of a question or a heading names. */
export function facetOfWord(text: string): FacetId | undefined {
  if (text === '') return undefined;
  return nameOrder.find((id) => facets[id].names.test(text));
}

const facetsByCue = new Map<string, FacetId[]>();
for (const id of Object.keys(facets) as FacetId[]) {
  for (const cue of facets[id].cues) facetsByCue.set(cue, [...(facetsByCue.get(cue) ?? []), id]);
}

/** How many distinct words of a sentence speak for each facet; facets without any are left out. */
export function cueCounts(words: ReadonlySet<string>): ReadonlyMap<FacetId, number> {
  const counts = new Map<FacetId, number>();
  for (const word of words) for (const id of facetsByCue.get(word) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
