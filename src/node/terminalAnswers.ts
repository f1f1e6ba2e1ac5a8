import { isJustStart, isYes } from '../research/policy/justStart.ts';
import { l10n } from './l10n.ts';
import type { ReviewDecision, ReviewToDecide } from '../research/ports.ts';

/** What answers typed by a person mean. */
export function isConsent(text: string): boolean {
  return isJustStart(text) || isYes(text);
}

export const isRefusal = (text: string): boolean =>
  /^(?:n|no|cancel|stop|quit|abort|0|false|nein|abbrechen|non|нет|否|不|取消|いいえ|キャンセル|아니요|취소)$/iu.test(
    text,
  );

/** Score, verdict and gaps of a review. */
export function reviewVerdict(asked: ReviewToDecide): string {
  const { review, retry } = asked;
  const gaps = review.gaps.map(({ section, gap }) => {
    const known = openSections(asked).find(({ id, title }) => id === section || title === section);
    return `${known ? `${known.id} "${known.title}"` : section}: ${gap}`;
  });
  const verdict =
    (review.isSufficient ?? retry.length === 0)
      ? l10n.t('The review rates the findings {0} of 10, sufficient.', review.overallScore)
      : l10n.t('The review rates the findings {0} of 10, insufficient.', review.overallScore);
  return [verdict, ...gaps].join(' ');
}

export function reviewAnswers(asked: ReviewToDecide): string {
  const { retry } = asked;
  const ids = openSections(asked).map(({ id }) => id);
  const first = retry[0] ?? ids[0];
  const answers = [
    ...(retry.length === 0 ? [] : [l10n.t('yes (research {0} further)', retry.join(', '))]),
    l10n.t('no (write the report now)'),
    ...(first === undefined
      ? []
      : [l10n.t('sections of {0}, like "{1}" or "{1}: what to look for"', ids.join(', '), first)]),
  ];
  return l10n.t('Allowed answers: {0}.', l10n.list(answers));
}

/**
 * What an answer to a review means: yes, no, or sections by id or number with what their researchers are to look for, separated by
 * semicolons (`s2, s3: costs; 5`). Undefined for everything else.
 */
export function readReviewAnswer(text: string, asked: ReviewToDecide): ReviewDecision | undefined {
  const sections = openSections(asked);
  const answer = text.trim();
  if (isRefusal(answer)) return 'report';
  const back = new Map<string, string>();
  let last: readonly string[] = [];
  for (const part of answer.split(';')) {
    const [head = ''] = part.split(':', 1);
    const names = head.split(/[\s,]+/).filter((name) => name !== '');
    const ids = names.map((name) => sections.find(({ id }) => id === name.toLowerCase() || id === `s${name}`)?.id);
    const known = ids.filter((id) => id !== undefined);
    const namesSections = known.length > 0 && known.length === ids.length;
    if (namesSections) last = known;
    // A remark may contain semicolons.
    const remark = namesSections ? part.slice(head.length + 1) : part;
    if (last.length === 0) return !/^s?\d/i.test(answer) && isConsent(answer) ? 'continue' : undefined;
    for (const id of last) back.set(id, [back.get(id), remark].filter(Boolean).join(';').trim());
  }
  return { sections: [...back].map(([id, remark]) => ({ id, remark })) };
}

function openSections({ sections, retry }: ReviewToDecide): NonNullable<ReviewToDecide['sections']> {
  return sections ?? retry.map((id) => ({ id, title: id }));
}
