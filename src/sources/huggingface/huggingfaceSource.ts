import type { Source } from '../../research/evidence/source.ts';
import type { ChosenCall } from '../../research/tools.ts';
import { englishQuery } from '../searchWords.ts';
import type { SourceDefinition } from '../source.ts';
import { createHuggingfaceTools } from './huggingfaceTools.ts';

/** A model or an article of which only the listing is known has less text than this. In UTF-16 units. */
const listingLength = 400;
const maxWords = 6;

export const huggingface: SourceDefinition = {
  name: 'huggingface',
  label: 'Hugging Face',
  icon: 'hubot',
  description: 'Papers of the day, articles and models on Hugging Face.',
  endpoint: {
    default: 'https://huggingface.co',
    description: 'The address of the Hugging Face hub; `/api` and `/blog` follow it.',
  },
  pageHosts: ['huggingface.co'],
  // 500 requests in 5 minutes and address (the RateLimit-Policy header of its answers): two at a time never get there.
  pacing: { concurrency: 2, intervalMs: 0, backoffMs: 2_000 },
  publicHosts: ['hf.co'],
  secret: {
    hint: 'Raises the limits of Hugging Face; a token that may only read is enough.',
    environment: ['HF_TOKEN'],
  },
  goodFor: ['models', 'science'],
  lookUpOrder: 7,
  fitQuery: (wanted) => englishQuery(wanted, maxWords),
  open: openListed,
  openNamed: ({ identity, url }) => {
    const model = /^hf:([^/#@]+\/[^/#@]+)$/.exec(identity)?.[1];
    if (model !== undefined) return [{ name: 'get_huggingface_model', args: { id: model } }];
    return /^url:https:\/\/(?:huggingface\.co|hf\.co)\/blog\/[^/]/.test(identity)
      ? [{ name: 'read_huggingface_blog_post', args: { url } }]
      : [];
  },
  createTools: createHuggingfaceTools,
};

/** Articles and model cards of which only the title is known. */
function openListed(found: readonly Source[]): readonly ChosenCall[] {
  return found
    .filter(({ kind, text }) => kind === 'huggingface' && text.length < listingLength)
    .flatMap(({ url }): ChosenCall[] => {
      const path = url === undefined ? '' : new URL(url).pathname;
      if (/^\/blog\/[^/]/.test(path)) return [{ name: 'read_huggingface_blog_post', args: { url } }];
      const model = /^\/((?!blog\/|papers\/)[^/]+\/[^/]+)$/.exec(path)?.[1];
      return model === undefined ? [] : [{ name: 'get_huggingface_model', args: { id: model } }];
    });
}
