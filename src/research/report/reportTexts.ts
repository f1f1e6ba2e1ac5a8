/** The few fixed words of a report that the program itself writes, by language. */
export interface ReportTexts {
  readonly conclusion: string;
  readonly references: string;
  readonly howMade: string;
  /** {0}: what was searched. */
  readonly nothingFound: string;
  /** {0}: why. */
  readonly sectionFailed: string;
  /** {0}: number of sections with findings, {1}: number of sources. */
  readonly covered: string;
  /** {0}: titles. */
  readonly notCovered: string;
  readonly retrieved: string;
}

const english: ReportTexts = {
  conclusion: 'Conclusion and outlook',
  references: 'References',
  howMade: 'How this report was made',
  nothingFound: 'Nothing was found for this section; searched: {0}.',
  sectionFailed: 'This section could not be researched: {0}',
  covered: 'Sections with findings: {0}. Sources: {1}.',
  notCovered: 'Nothing was found on: {0}.',
  retrieved: 'Retrieved',
};

const byLanguage: Readonly<Record<string, ReportTexts>> = {
  en: english,
  zh: {
    conclusion: '结论与展望',
    references: '参考文献',
    howMade: '本报告的生成方式',
    nothingFound: '本节未找到任何资料；已检索：{0}。',
    sectionFailed: '本节未能完成研究：{0}',
    covered: '有发现的章节：{0}。来源：{1}。',
    notCovered: '以下内容未找到资料：{0}。',
    retrieved: '检索于',
  },
  ja: {
    conclusion: '結論と展望',
    references: '参考文献',
    howMade: 'このレポートの作成方法',
    nothingFound: 'この節では何も見つかりませんでした。検索先：{0}。',
    sectionFailed: 'この節は調査できませんでした：{0}',
    covered: '結果のある節：{0}。出典：{1}。',
    notCovered: '次については何も見つかりませんでした：{0}。',
    retrieved: '取得日',
  },
  ko: {
    conclusion: '결론 및 전망',
    references: '참고문헌',
    howMade: '이 보고서의 작성 방법',
    nothingFound: '이 절에서는 아무것도 찾지 못했습니다. 검색 대상: {0}.',
    sectionFailed: '이 절은 조사하지 못했습니다: {0}',
    covered: '결과가 있는 절: {0}. 출처: {1}.',
    notCovered: '다음에 대해서는 찾지 못했습니다: {0}.',
    retrieved: '검색일',
  },
  ar: {
    conclusion: 'الخلاصة والآفاق',
    references: 'المراجع',
    howMade: 'كيف أُعدّ هذا التقرير',
    nothingFound: 'لم يُعثر على شيء لهذا القسم؛ جرى البحث في: {0}.',
    sectionFailed: 'تعذّر البحث في هذا القسم: {0}',
    covered: 'أقسام فيها نتائج: {0}. المصادر: {1}.',
    notCovered: 'لم يُعثر على شيء عن: {0}.',
    retrieved: 'تاريخ الاطلاع',
  },
  ru: {
    conclusion: 'Выводы и перспективы',
    references: 'Источники',
    howMade: 'Как составлен этот отчёт',
    nothingFound: 'Для этого раздела ничего не найдено; поиск: {0}.',
    sectionFailed: 'Этот раздел не удалось исследовать: {0}',
    covered: 'Разделов с результатами: {0}. Источников: {1}.',
    notCovered: 'Ничего не найдено по темам: {0}.',
    retrieved: 'Дата обращения',
  },
  de: {
    conclusion: 'Fazit und Ausblick',
    references: 'Quellen',
    howMade: 'Wie dieser Bericht entstand',
    nothingFound: 'Für diesen Abschnitt wurde nichts gefunden; gesucht in: {0}.',
    sectionFailed: 'Dieser Abschnitt konnte nicht recherchiert werden: {0}',
    covered: 'Abschnitte mit Ergebnissen: {0}. Quellen: {1}.',
    notCovered: 'Nichts gefunden zu: {0}.',
    retrieved: 'Abgerufen',
  },
  fr: {
    conclusion: 'Conclusion et perspectives',
    references: 'Références',
    howMade: 'Comment ce rapport a été établi',
    nothingFound: 'Rien n’a été trouvé pour cette section ; recherché dans : {0}.',
    sectionFailed: 'Cette section n’a pas pu être étudiée : {0}',
    covered: 'Sections avec résultats : {0}. Sources : {1}.',
    notCovered: 'Rien n’a été trouvé sur : {0}.',
    retrieved: 'Consulté le',
  },
  es: {
    conclusion: 'Conclusión y perspectivas',
    references: 'Referencias',
    howMade: 'Cómo se hizo este informe',
    nothingFound: 'No se encontró nada para esta sección; se buscó en: {0}.',
    sectionFailed: 'No se pudo investigar esta sección: {0}',
    covered: 'Secciones con resultados: {0}. Fuentes: {1}.',
    notCovered: 'No se encontró nada sobre: {0}.',
    retrieved: 'Consultado el',
  },
};

export function reportTexts(language: string): ReportTexts {
  return byLanguage[language.toLowerCase().split('-')[0]!] ?? english;
}

/** Headings under which a model may have listed references of its own; code writes the only ones. */
const referenceHeading =
  /^(?:\d+[.)]?\s*)?(?:references?|bibliography|sources|works cited|citations|参考文献|参考资料|引用|来源|資料|출처|참고\s?문헌|المراجع|المصادر|источники|литература|список литературы|quellen(?:verzeichnis)?|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|fuentes)\s*:?$/iu;

export function isReferenceHeading(title: string): boolean {
  return referenceHeading.test(title.trim());
}

const conclusionHeading =
  /^(?:\d+[.)]?\s*)?(?:conclusions?(?: (?:and|&) (?:outlook|future.*))?|outlook|结论.*|结语.*|总结与展望|結論.*|まとめ.*|결론.*|الخلاصة.*|الخاتمة.*|выводы.*|заключение.*|fazit.*|schluss.*|conclusión.*|conclusion et .*)$/iu;

export function isConclusionHeading(title: string): boolean {
  return conclusionHeading.test(title.trim());
}

/** Puts values into `{0}`, `{1}`, … of a fixed text. */
export function format(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
