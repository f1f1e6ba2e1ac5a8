import * as z from 'zod';
import type { ResearchTool } from '../../research/tools.ts';
import type { SourceContext } from '../source.ts';
import { defineTool } from '../toolArguments.ts';
import { papersArguments, ScholarlyPapers } from './scholarlyPapers.ts';
import { Wikipedia } from './wikipedia.ts';

const paperArguments = z.object({
  id: z
    .string()
    .optional()
    .describe('DOI, arXiv id, PMID:…, PMC…, or the URL of the paper at its publisher or a database.'),
  ids: z.array(z.string()).optional().describe('Several of them, at most 10.'),
});
const articlesArguments = z.object({
  query: z.string().trim().min(1).describe('The name of the subject, in the language of the edition.'),
  language: z.string().optional().describe('Edition, such as en, zh, de. Default: the language of the question.'),
  max_results: z.number().optional().describe('1 to 20, default 5.'),
});
const articleArguments = z.object({
  title: z.string().trim().min(1).describe('Title or URL of the article.'),
  language: z.string().optional().describe('Edition, such as en, zh, de. Default: the language of the question.'),
});

/** Papers by the three services that know them, and articles of the encyclopedia. */
export function createScholarlyTools(context: SourceContext): readonly ResearchTool[] {
  const wikipedia = new Wikipedia(context);
  const papers = new ScholarlyPapers(context, wikipedia);
  return [
    defineTool('scholarly', 'search', {
      name: 'search_papers',
      description:
        'Searches published papers of all fields (medicine, economics, engineering, …), not only preprints: abstracts, citation ' +
        'counts, DOIs, and whether a paper was retracted. Sort by citations for the standard works of a subject.',
      parameters: papersArguments,
      run: (args, called, signal) => papers.search(args, called, signal),
    }),
    defineTool('scholarly', 'search', {
      name: 'search_wikipedia',
      description:
        'Searches Wikipedia: introductions of articles, for definitions, background and what a subject is called in English. ' +
        'Cite the primary source where there is one.',
      parameters: articlesArguments,
      run: (args, called, signal) => wikipedia.search(args, called, signal),
    }),
    defineTool('scholarly', 'read', {
      name: 'get_paper',
      description:
        'Resolves DOIs, arXiv ids, PMIDs and URLs of papers: title, authors, journal, date, abstract, citations, and retractions. ' +
        'Check a paper with it before relying on it.',
      parameters: paperArguments,
      run: ({ id = '', ids = [] }, _called, signal) => {
        return papers.get(
          [id, ...ids].map((text) => text.trim()).filter((text) => text !== ''),
          signal,
        );
      },
    }),
    defineTool('scholarly', 'read', {
      name: 'get_wikipedia_article',
      description: 'Gets a whole article of Wikipedia, with its sections.',
      parameters: articleArguments,
      run: (args, called, signal) => wikipedia.article(args, called, signal),
    }),
  ];
}
