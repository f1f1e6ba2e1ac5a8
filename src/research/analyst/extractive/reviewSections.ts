import { terms } from '../../text/tokenize.ts';
import type { Review, ReviewedSection, ReviewInput } from '../analyst.ts';
import { facets } from './facets.ts';
import { readQuestion, type ReadQuestion } from './question.ts';
import { facetOfSection } from './rankPassages.ts';

/** Findings from which on a section counts as covered, and the sources they shall come from. */
const enoughFindings = 4;
const enoughSources = 2;

/**
 * Judges sections by numbers: how many quotes, from how many sources, how many of the section's words they speak of.
 * A section goes back once, and only when it is thin while others are not: what nothing knows, a second search won't find.
 * Pure.
 */
export function reviewSections(input: ReviewInput): Review {
  const read = readQuestion(input.question);
  const judged = input.sections.map((section) => ({ section, ...judge(section, read) }));
  const hasEvidence = judged.some(({ findings }) => findings > 0);
  const thin = judged.filter(({ status }) => status !== 'sufficient');
  const canGoBack = input.round === 1 && input.roundsLeft > 0 && hasEvidence;
  const back = canGoBack ? thin.filter(({ section, findings }) => section.status === 'completed' && findings < 2 && section.sourceIds.length > 0) : [];
  const mean = judged.reduce((sum, { share }) => sum + share, 0) / Math.max(1, judged.length);
  return {
    isSufficient: back.length === 0,
    overallScore: Math.max(1, Math.min(10, Math.round(1 + 9 * mean))),
    sectionCoverage: judged.map(({ section, status, findings, sources }) => ({
      id: section.id,
      status,
      notes: `${findings} ${findings === 1 ? 'quote' : 'quotes'} from ${sources} ${sources === 1 ? 'source' : 'sources'}`,
    })),
    gaps: back.map(({ section }) => ({ section: section.id, gap: `Too few quotes; search for “${otherQuery(section, read)}”.` })),
    sectionsToRetry: back.map(({ section }) => section.id),
    contradictions: [],
    reasoning: `${judged.length - thin.length} of ${judged.length} sections have at least ${enoughFindings} quotes from ${enoughSources} sources.`,
  };
}

interface Judged {
  readonly findings: number;
  readonly sources: number;
  /** 0 to 1. */
  readonly share: number;
  readonly status: 'sufficient' | 'partial' | 'missing';
}

function judge(section: ReviewedSection, read: ReadQuestion): Judged {
  const findings = section.findings.length;
  const sources = new Set(section.findings.map(({ source }) => source)).size;
  const words = new Set(terms(`${section.title} ${read.keywords}`));
  const spoken = new Set(section.findings.flatMap(({ claim }) => terms(claim)));
  const covered = words.size === 0 ? 1 : [...words].filter((word) => spoken.has(word)).length / words.size;
  const share = 0.5 * Math.min(1, findings / enoughFindings) + 0.3 * Math.min(1, sources / enoughSources) + 0.2 * covered;
  const status = findings === 0 || section.status === 'failed' ? 'missing' : findings >= enoughFindings && sources >= enoughSources ? 'sufficient' : 'partial';
  return { findings, sources, share: findings === 0 ? 0 : share, status };
}

/** Words for the section that its own queries did not use. */
function otherQuery(section: ReviewedSection, read: ReadQuestion): string {
  const facet = facetOfSection({ title: section.title, description: section.description, queries: [] }, read);
  const subject = read.keywords || terms(section.title).slice(0, 4).join(' ');
  return `${subject} ${facet === undefined ? 'survey' : facets[facet].queries[2]}`;
}
