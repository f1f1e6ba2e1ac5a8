import * as z from 'zod';
import type { ResearchTool } from '../../research/tools.ts';
import type { SourceContext } from '../source.ts';
import { defineTool } from '../toolArguments.ts';
import { blogArguments, HuggingfaceHub, modelsArguments, papersArguments } from './huggingfaceHub.ts';

const postArguments = z.object({
  url: z.string().trim().min(1).describe('URL of the article, or what follows /blog/.'),
});
const modelArguments = z.object({ id: z.string().trim().min(1).describe('owner/name, or the URL of its page.') });

/** The tools of the hub: papers, articles of its blog, models. A paper is the same source as its record on arXiv. */
export function createHuggingfaceTools(context: SourceContext): readonly ResearchTool[] {
  const hub = new HuggingfaceHub(context);
  return [
    defineTool('huggingface', 'search', {
      name: 'get_huggingface_papers',
      description:
        'Papers on machine learning that the community of Hugging Face noticed: found by keywords, or those of a day, week or ' +
        'month, with whole abstracts, upvotes and code repositories. For what is new and what is used.',
      parameters: papersArguments,
      run: (args, _called, signal) => hub.papers(args, signal),
    }),
    defineTool('huggingface', 'search', {
      name: 'get_huggingface_blog_posts',
      description:
        'Articles of the Hugging Face blog by title, newest first: releases of models and libraries, tutorials, benchmarks. ' +
        'Gives titles and dates; read_huggingface_blog_post opens one.',
      parameters: blogArguments,
      run: (args, _called, signal) => hub.posts(args, signal),
    }),
    defineTool('huggingface', 'search', {
      name: 'search_huggingface_models',
      description:
        'Searches models on Hugging Face by name: owner, task, downloads, likes, licence, base model. get_huggingface_model gives ' +
        'the model card.',
      parameters: modelsArguments,
      run: (args, _called, signal) => hub.models(args, signal),
    }),
    defineTool('huggingface', 'read', {
      name: 'read_huggingface_blog_post',
      description: 'Reads an article of the Hugging Face blog in full.',
      parameters: postArguments,
      run: (args, _called, signal) => hub.post(args.url, signal),
    }),
    defineTool('huggingface', 'read', {
      name: 'get_huggingface_model',
      description: 'Gets the model card of a model on Hugging Face: what it is, how it was trained, how well it does.',
      parameters: modelArguments,
      run: (args, _called, signal) => hub.model(args.id, signal),
    }),
  ];
}
