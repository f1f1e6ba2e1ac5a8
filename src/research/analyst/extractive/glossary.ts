/**
 * English names of subjects that people ask about in their own language while papers, projects and notes speak English. A
 * word-for-word list of set terms, nothing is translated beyond it: English, then Chinese, Japanese, Korean, Arabic, Russian,
 * German, French and Spanish, several forms separated by a bar.
 */
const entries: readonly (readonly [english: string, ...others: readonly string[]])[] = [
  ['retrieval-augmented generation', '检索增强生成|檢索增強生成', '検索拡張生成', '검색 증강 생성|검색증강생성', 'التوليد المعزز بالاسترجاع', 'генерация с дополненной выборкой|поисковая дополненная генерация', 'abrufgestützte generierung', 'génération augmentée par récupération|génération augmentée', 'generación aumentada por recuperación|generación aumentada'],
  ['large language models', '大语言模型|大型语言模型|大模型', '大規模言語モデル', '대규모 언어 모델|거대 언어 모델', 'النماذج اللغوية الكبيرة', 'большие языковые модели|больших языковых моделей', 'große sprachmodelle|großer sprachmodelle', 'grands modèles de langage', 'grandes modelos de lenguaje'],
  ['language models', '语言模型', '言語モデル', '언어 모델', 'النماذج اللغوية', 'языковые модели|языковых моделей', 'sprachmodelle', 'modèles de langage', 'modelos de lenguaje'],
  ['vector databases', '向量数据库', 'ベクトルデータベース', '벡터 데이터베이스', 'قواعد البيانات المتجهية', 'векторные базы данных|векторных баз данных', 'vektordatenbanken', 'bases de données vectorielles', 'bases de datos vectoriales'],
  ['vector search', '向量检索|向量搜索', 'ベクトル検索', '벡터 검색', 'البحث المتجهي', 'векторный поиск', 'vektorsuche', 'recherche vectorielle', 'búsqueda vectorial'],
  ['dense retrieval', '稠密检索', '密ベクトル検索|密検索', '밀집 검색', '', 'плотный поиск', '', 'recherche dense', 'recuperación densa'],
  ['sparse retrieval', '稀疏检索', '疎検索', '희소 검색', '', 'разреженный поиск', '', 'recherche creuse', 'recuperación dispersa'],
  ['hybrid search', '混合检索|混合搜索', 'ハイブリッド検索', '하이브리드 검색', 'البحث الهجين', 'гибридный поиск', 'hybride suche|hybridsuche', 'recherche hybride', 'búsqueda híbrida'],
  ['semantic search', '语义搜索|语义检索', 'セマンティック検索|意味検索', '시맨틱 검색|의미 검색', 'البحث الدلالي', 'семантический поиск', 'semantische suche', 'recherche sémantique', 'búsqueda semántica'],
  ['reranking', '重排序|重排', 'リランキング|再ランキング', '재순위화|리랭킹', 'إعادة الترتيب', 'переранжирование', '', 'réordonnancement', 'reordenamiento|reclasificación'],
  ['query rewriting', '查询改写|查询重写', 'クエリ書き換え', '쿼리 재작성', '', 'переписывание запросов', '', 'réécriture de requêtes', 'reescritura de consultas'],
  ['chunking', '文本分块|文档切分|分块', 'チャンク分割|チャンキング', '청킹', '', 'разбиение на фрагменты', '', '', ''],
  ['embeddings', '词嵌入|嵌入向量|嵌入', '埋め込み', '임베딩', 'التضمينات', 'эмбеддинги|эмбеддингов', 'einbettungen', 'plongements', 'incrustaciones'],
  ['hallucination', '幻觉', 'ハルシネーション|幻覚', '환각', 'الهلوسة', 'галлюцинации|галлюцинаций', 'halluzinationen', 'hallucinations', 'alucinaciones'],
  ['prompt injection', '提示注入|提示词注入', 'プロンプトインジェクション', '프롬프트 인젝션|프롬프트 주입', 'حقن الأوامر', 'внедрение промптов|промпт-инъекции', '', 'injection de prompt', 'inyección de prompts'],
  ['fine-tuning', '微调', 'ファインチューニング|微調整', '파인튜닝|미세 조정', 'الضبط الدقيق', 'дообучение|тонкая настройка', 'feinabstimmung', 'affinage', 'ajuste fino'],
  ['knowledge graphs', '知识图谱', 'ナレッジグラフ|知識グラフ', '지식 그래프', 'الرسوم البيانية المعرفية', 'графы знаний|графов знаний', 'wissensgraphen', 'graphes de connaissances', 'grafos de conocimiento'],
  ['agents', '智能体', 'エージェント', '에이전트', 'الوكلاء', 'агенты|агентов', 'agenten', '', 'agentes'],
  ['attention mechanism', '注意力机制', '注意機構', '어텐션 메커니즘', 'آلية الانتباه', 'механизм внимания', 'aufmerksamkeitsmechanismus', "mécanisme d'attention", 'mecanismo de atención'],
  ['diffusion models', '扩散模型', '拡散モデル', '확산 모델', 'نماذج الانتشار', 'диффузионные модели|диффузионных моделей', 'diffusionsmodelle', 'modèles de diffusion', 'modelos de difusión'],
  ['reinforcement learning', '强化学习', '強化学習', '강화 학습|강화학습', 'التعلم المعزز', 'обучение с подкреплением', 'bestärkendes lernen', 'apprentissage par renforcement', 'aprendizaje por refuerzo'],
  ['federated learning', '联邦学习', '連合学習', '연합 학습', 'التعلم الاتحادي', 'федеративное обучение', 'föderiertes lernen', 'apprentissage fédéré', 'aprendizaje federado'],
  ['machine learning', '机器学习', '機械学習', '머신러닝|기계 학습', 'تعلم الآلة|التعلم الآلي', 'машинное обучение', 'maschinelles lernen', 'apprentissage automatique', 'aprendizaje automático'],
  ['deep learning', '深度学习', '深層学習|ディープラーニング', '딥러닝', 'التعلم العميق', 'глубокое обучение', 'tiefes lernen', 'apprentissage profond', 'aprendizaje profundo'],
  ['neural networks', '神经网络', 'ニューラルネットワーク', '신경망', 'الشبكات العصبية', 'нейронные сети|нейронных сетей', 'neuronale netze', 'réseaux de neurones', 'redes neuronales'],
  ['knowledge distillation', '知识蒸馏', '知識蒸留', '지식 증류', 'تقطير المعرفة', 'дистилляция знаний', 'wissensdestillation', 'distillation de connaissances', 'destilación de conocimiento'],
  ['quantization', '模型量化|量化', '量子化', '양자화', 'التكميم', 'квантизация|квантование', 'quantisierung', 'quantification', 'cuantización'],
  ['multimodal', '多模态', 'マルチモーダル', '멀티모달', 'متعدد الوسائط', 'мультимодальные|мультимодальных', 'multimodal', 'multimodal', 'multimodal'],
  ['speculative decoding', '推测解码|投机解码', '投機的デコーディング', '추측 디코딩', '', 'спекулятивное декодирование', '', 'décodage spéculatif', 'decodificación especulativa'],
  ['long context', '长上下文', '長文脈|ロングコンテキスト', '긴 문맥|롱 컨텍스트', 'السياق الطويل', 'длинный контекст', 'langer kontext', 'contexte long', 'contexto largo'],
  ['quantum computing', '量子计算', '量子コンピューティング|量子計算', '양자 컴퓨팅', 'الحوسبة الكمومية', 'квантовые вычисления|квантовых вычислений', 'quantencomputing', 'informatique quantique', 'computación cuántica'],
  ['quantum entanglement', '量子纠缠', '量子もつれ', '양자 얽힘', 'التشابك الكمومي', 'квантовая запутанность', 'quantenverschränkung', 'intrication quantique', 'entrelazamiento cuántico'],
  ['sorting algorithms', '排序算法', 'ソートアルゴリズム', '정렬 알고리즘', 'خوارزميات الترتيب', 'алгоритмы сортировки', 'sortieralgorithmen', 'algorithmes de tri', 'algoritmos de ordenación|algoritmos de ordenamiento'],
  ['resistance', '耐药', '耐性', '내성', 'المقاومة', 'резистентность', 'resistenz', 'résistance', 'resistencia'],
];

const byName: readonly (readonly [name: string, english: string])[] = entries
  .flatMap(([english, ...others]) => others.flatMap((names) => names.split('|')).map((name): [string, string] => [name, english]))
  .filter(([name, english]) => name !== '' && name !== english)
  // The longer name first: "大语言模型" holds "语言模型".
  .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));

/** The set terms of a text in English, its Latin words beside them kept; "" when it holds no term of the list. */
export function englishOf(text: string): string {
  let rest = text.toLowerCase();
  const found: string[] = [];
  for (const [name, english] of byName) {
    if (!rest.includes(name)) continue;
    rest = rest.replaceAll(name, ' ');
    if (!found.includes(english)) found.push(english);
  }
  if (found.length === 0) return '';
  const names = text.match(/[A-Za-z][A-Za-z0-9.+#-]*/g)?.filter((word) => /\p{Lu}|\d/u.test(word) && rest.includes(word.toLowerCase())) ?? [];
  return [...names, ...found].join(' ');
}
