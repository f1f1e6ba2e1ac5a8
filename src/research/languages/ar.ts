import type { Language } from './language.ts';

export const ar: Language = {
  tag: 'ar',
  stopWords: 'أيضا لماذا ليس يا',
  askingWords: `ما ماذا من متى أين لماذا كيف كم أي هل الفرق قارن بين`,
  referenceHeadings: 'المراجع|المصادر',
  conclusionHeadings: 'الخلاصة.*|الخاتمة.*',
  pointing: 'هذا هذه ذلك تلك هؤلاء أولئك ذاك هو هي هم',
  interrogatives: 'ما ماذا متى أين لماذا كيف كم أي',
  requests: 'ساعدني مساعدة ابحث بحث البحث أخبرني معلومات موضوع سؤال تقرير شيء',
};
