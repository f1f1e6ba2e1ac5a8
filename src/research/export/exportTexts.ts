/** The fixed words of an exported page, in the language of its report. */
export interface ExportTexts {
  readonly question: string;
  readonly created: string;
  readonly strategy: string;
  readonly model: string;
  readonly run: string;
  /** {0}: number of the reference. */
  readonly reference: string;
  /** {0}: number of the reference, {1}: which of its places in the text. */
  readonly back: string;
  readonly code: string;
  readonly table: string;
}

const english: ExportTexts = {
  question: 'Question',
  created: 'Date',
  strategy: 'Strategy',
  model: 'Model',
  run: 'Run',
  reference: 'Reference {0}',
  back: 'Back to the text that cites {0} ({1})',
  code: 'Code',
  table: 'Table',
};

const byLanguage: Readonly<Record<string, ExportTexts>> = {
  en: english,
  zh: {
    question: '问题',
    created: '日期',
    strategy: '策略',
    model: '模型',
    run: '运行',
    reference: '参考文献 {0}',
    back: '回到引用 {0} 的正文（{1}）',
    code: '代码',
    table: '表格',
  },
  ja: {
    question: '質問',
    created: '日付',
    strategy: '戦略',
    model: 'モデル',
    run: '実行',
    reference: '参考文献 {0}',
    back: '{0} を引用した本文へ戻る（{1}）',
    code: 'コード',
    table: '表',
  },
  ko: {
    question: '질문',
    created: '날짜',
    strategy: '전략',
    model: '모델',
    run: '실행',
    reference: '참고문헌 {0}',
    back: '{0}을(를) 인용한 본문으로 돌아가기 ({1})',
    code: '코드',
    table: '표',
  },
  ar: {
    question: 'السؤال',
    created: 'التاريخ',
    strategy: 'الاستراتيجية',
    model: 'النموذج',
    run: 'التشغيل',
    reference: 'المرجع {0}',
    back: 'العودة إلى النص الذي يستشهد بالمرجع {0} ({1})',
    code: 'شيفرة',
    table: 'جدول',
  },
  ru: {
    question: 'Вопрос',
    created: 'Дата',
    strategy: 'Стратегия',
    model: 'Модель',
    run: 'Запуск',
    reference: 'Источник {0}',
    back: 'Назад к тексту со ссылкой на {0} ({1})',
    code: 'Код',
    table: 'Таблица',
  },
  de: {
    question: 'Frage',
    created: 'Datum',
    strategy: 'Strategie',
    model: 'Modell',
    run: 'Lauf',
    reference: 'Quelle {0}',
    back: 'Zurück zum Text, der {0} zitiert ({1})',
    code: 'Code',
    table: 'Tabelle',
  },
  fr: {
    question: 'Question',
    created: 'Date',
    strategy: 'Stratégie',
    model: 'Modèle',
    run: 'Exécution',
    reference: 'Référence {0}',
    back: 'Retour au texte qui cite {0} ({1})',
    code: 'Code',
    table: 'Tableau',
  },
  es: {
    question: 'Pregunta',
    created: 'Fecha',
    strategy: 'Estrategia',
    model: 'Modelo',
    run: 'Ejecución',
    reference: 'Referencia {0}',
    back: 'Volver al texto que cita {0} ({1})',
    code: 'Código',
    table: 'Tabla',
  },
};

/** For a language without its own texts: English. */
export function exportTexts(language: string): ExportTexts {
  return byLanguage[language.toLowerCase().split('-')[0]!] ?? english;
}
