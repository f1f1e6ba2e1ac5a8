import * as z from 'zod';
import type { ResearchTool } from '../../research/tools.ts';
import type { SourceContext } from '../source.ts';
import { defineTool } from '../toolArguments.ts';
import { HuggingfaceHub } from './huggingfaceHub.ts';

const papersArguments = z.object({
  query: z.string().optional().describe('English keywords, at least three letters. Absent: the papers of the day.'),
  date: z.iso.date().optional().describe('Without a query: the papers of this day, YYYY-MM-DD. Default the latest.'),
  week: z
    .string()
    .regex(/^\d{4}-W\d{2}$/)
    .optional()
    .describe('Without a query: of this week, YYYY-Www.'),
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .optional()
    .describe('Without a query: of this month, YYYY-MM.'),
  sort: z.enum(['trending', 'newest']).optional().describe('Without a query. Default trending.'),
  page: z.number().optional().describe('Default 1.'),
  max_results: z.number().optional().describe('1 to 50, default 15.'),
});
const blogArguments = z.object({
  query: z.string().optional().describe('English keywords of the title. Absent: the newest articles.'),
  since: z.iso.date().optional().describe('Only articles of this date or later, YYYY-MM-DD.'),
  max_results: z.number().optional().describe('1 to 30, default 10.'),
});
const modelsArguments = z.object({
  query: z.string().trim().min(1).describe('Words of the name, such as "qwen 7b instruct"; owner/name works too.'),
  task: z.string().optional().describe('Such as text-generation, text-to-image, sentence-similarity.'),
  sort: z.enum(['downloads', 'likes', 'trending', 'newest']).optional().describe('Default downloads.'),
  max_results: z.number().optional().describe('1 to 30, default 10.'),
});
const postArguments = z.object({
  url: z.string().trim().min(1).describe('URL of the article, or what follows /blog/.'),
});
const modelArguments = z.object({ id: z.string().trim().min(1).describe('owner/name, or the URL of its page.') });

/** The tools of the hub: papers, articles of its blog, models. A paper is the same source as its record on arXiv. */
export function createHuggingfaceTools(context: SourceContext): readonly ResearchTool[] {
  const hub = new HuggingfaceHub(context);
  const source = 'huggingface';
  return [
    defineTool({
      name: 'get_huggingface_papers',
      description:
        'Papers on machine learning that the community of Hugging Face noticed: found by keywords, or those of a day, week or ' +
        'month, with whole abstracts, upvotes and code repositories. For what is new and what is used.',
      parameters: papersArguments,
      source,
      kind: 'search',
      run: (args, _called, signal) => hub.papers(args, signal),
    }),
    defineTool({
      name: 'get_huggingface_blog_posts',
      description:
        'Articles of the Hugging Face blog by title, newest first: releases of models and libraries, tutorials, benchmarks. ' +
        'Gives titles and dates; read_huggingface_blog_post opens one.',
      parameters: blogArguments,
      source,
      kind: 'search',
      run: (args, _called, signal) => hub.posts(args, signal),
    }),
    defineTool({
      name: 'search_huggingface_models',
      description:
        'Searches models on Hugging Face by name: owner, task, downloads, likes, licence, base model. get_huggingface_model gives ' +
        'the model card.',
      parameters: modelsArguments,
      source,
      kind: 'search',
      run: (args, _called, signal) => hub.models(args, signal),
    }),
    defineTool({
      name: 'read_huggingface_blog_post',
      description: 'Reads an article of the Hugging Face blog in full.',
      parameters: postArguments,
      source,
      kind: 'read',
      run: (args, _called, signal) => hub.post(args.url, signal),
    }),
    defineTool({
      name: 'get_huggingface_model',
      description: 'Gets the model card of a model on Hugging Face: what it is, how it was trained, how well it does.',
      parameters: modelArguments,
      source,
      kind: 'read',
      run: (args, _called, signal) => hub.model(args.id, signal),
    }),
  ];
}
