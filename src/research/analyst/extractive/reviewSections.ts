import { terms } from '../../text/tokenize.ts';
import type { Review, ReviewedSection, ReviewInput } from '../analyst.ts';
import { shownCount } from './choosePassages.ts';
import { allocateQuotes } from './allocateQuotes.ts';
import { facets } from './facets.ts';
import { readQuestion, type ReadQuestion } from './question.ts';
import { facetOfSection } from './rankPassages.ts';

/** Findings from which on a section counts as covered, and the sources they shall come from. */
const enoughFindings = 4;
const enoughSources = 2;

/**
 * Judges sections by numbers: how many quotes of its own, from how many sources, how many of the section's words they speak of.
 * A section goes back once, and only when it is thin while others are not: what nothing knows, a second search won't find.
 * Pure.
 */
export function reviewSections(input: ReviewInput): Review {
  const read = readQuestion(input.question);
  const own = ownFindings(input.sections);
  const judged = input.sections.map((section, index) => ({ section, ...judge(section, own[index]!, read) }));
  const hasEvidence = judged.some(({ findings }) => findings > 0);
  const thin = judged.filter(({ status }) => status !== 'sufficient');
  const canGoBack = input.round === 1 && input.roundsLeft > 0 && hasEvidence;
  const back = canGoBack
    ? thin.filter(
        ({ section }) => section.status === 'completed' && section.findings.length < 2 && section.sourceIds.length > 0,
      )
    : [];
  const mean = judged.reduce((sum, { share }) => sum + share, 0) / Math.max(1, judged.length);
  return {
    isSufficient: back.length === 0,
    overallScore: Math.max(1, Math.min(10, Math.round(1 + 9 * mean))),
    sectionCoverage: judged.map(({ section, status, findings, sources }) => ({
      id: section.id,
      status,
      notes: `${findings} ${findings === 1 ? 'quote' : 'quotes'} from ${sources} ${sources === 1 ? 'source' : 'sources'}`,
    })),
    gaps: back.map(({ section }) => ({
      section: section.id,
      gap: `Too few quotes; search for “${otherQuery(section, read)}”.`,
    })),
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

type Findings = ReviewedSection['findings'];

/** The findings that the report gives to each section: a quote stands in it once, where it is among the better ones. */
function ownFindings(sections: readonly ReviewedSection[]): Findings[] {
  const bidders = sections.map(({ status, findings }) => ({
    candidates: (status === 'failed' ? [] : findings).map((finding, rank) => ({
      finding,
      text: finding.quote,
      score: 1 / (1 + rank),
    })),
    target: shownCount('deep', true),
    shown: [] as { readonly finding: Findings[number]; readonly text: string; readonly score: number }[],
  }));
  allocateQuotes(bidders);
  return bidders.map(({ shown }) => shown.map(({ finding }) => finding));
}

function judge(section: ReviewedSection, own: Findings, read: ReadQuestion): Judged {
  const findings = own.length;
  const sources = new Set(own.map(({ source }) => source)).size;
  const words = new Set(terms(`${section.title} ${read.keywords}`));
  const spoken = new Set(own.flatMap(({ claim }) => terms(claim)));
  const covered = words.size === 0 ? 1 : [...words].filter((word) => spoken.has(word)).length / words.size;
  const share =
    0.5 * Math.min(1, findings / enoughFindings) + 0.3 * Math.min(1, sources / enoughSources) + 0.2 * covered;
  const status =
    findings === 0 || section.status === 'failed'
      ? 'missing'
      : findings >= enoughFindings && sources >= enoughSources
        ? 'sufficient'
        : 'partial';
  return { findings, sources, share: findings === 0 ? 0 : share, status };
}

/** Words for the section that its own queries did not use. */
function otherQuery(section: ReviewedSection, read: ReadQuestion): string {
  const facet = facetOfSection({ title: section.title, description: section.description, queries: [] }, read);
  const subject = read.keywords || terms(section.title).slice(0, 4).join(' ');
  return `${subject} ${facet === undefined ? 'survey' : facets[facet].queries[2]}`;
}
