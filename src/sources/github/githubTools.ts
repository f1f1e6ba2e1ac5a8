import * as z from 'zod';
import type { ResearchTool } from '../../research/tools.ts';
import { GithubClient } from './githubClient.ts';
import type { Repository } from './githubDocuments.ts';
import { GithubReader } from './githubReading.ts';
import { githubPageHost } from './githubRepo.ts';
import { GithubSearch, kinds, searchArguments } from './githubSearch.ts';
import type { SourceContext } from '../source.ts';
import { defineTool } from '../toolArguments.ts';

const repo = z.string().trim().min(1).describe('owner/name, or the URL of the repository.');
const readmeArguments = z.object({ repo });
const fileArguments = z.object({
  repo,
  path: z
    .string()
    .trim()
    .min(1)
    .describe('From the root of the repository. A folder gives its names; "." is the root.'),
  ref: z.string().optional().describe('Branch, tag or commit. Default: the default branch.'),
});
const releasesArguments = z.object({
  repo,
  max_results: z.number().optional().describe('1 to 30, default 5.'),
});
const issueArguments = z.object({
  repo,
  number: z.number().describe('Number of the issue or pull request.'),
});

/**
 * `github_search` and what opens its results. A repository's text is its description, then its README once that was read.
 * @param hasKey Code and discussions, which GitHub shows to accounts only, can be searched.
 */
export function createGithubTools(context: SourceContext, hasKey = false): readonly ResearchTool[] {
  const pageHost = githubPageHost(context.endpoint);
  const known = new Map<string, Repository>();
  const parts = {
    context,
    client: new GithubClient(context),
    place: { pageHost, hosts: [...new Set([pageHost, 'github.com'])], facts: context.facts },
    known,
  };
  const searches = new GithubSearch(parts);
  const reader = new GithubReader(parts);
  return [
    defineTool('github', 'search', {
      name: 'github_search',
      description: hasKey
        ? 'Searches GitHub: repositories (name, description, stars, language, licence), issues, discussions or code.'
        : 'Searches GitHub: repositories (name, description, stars, language, licence) or issues with their text.',
      parameters: hasKey ? searchArguments : searchArguments.extend({ kind: kinds.open }),
      run: (args, called, signal) => searches.search(args, called, signal),
    }),
    defineTool('github', 'read', {
      name: 'get_github_readme',
      description: 'Gets the README of a GitHub repository.',
      parameters: readmeArguments,
      run: (args, _called, signal) => reader.readme(args.repo, signal),
    }),
    defineTool('github', 'read', {
      name: 'get_github_file',
      description: 'Gets a file of a GitHub repository, as it is now or was at a tag or commit; of a folder its names.',
      parameters: fileArguments,
      run: (args, _called, signal) => reader.file(args, signal),
    }),
    defineTool('github', 'read', {
      name: 'get_github_issue',
      description: 'Gets an issue or pull request of a GitHub repository with its comments.',
      parameters: issueArguments,
      run: (args, _called, signal) => reader.issue(args, signal),
    }),
    defineTool('github', 'read', {
      name: 'get_github_releases',
      description: 'Gets the last releases of a GitHub repository: versions, dates, what changed.',
      parameters: releasesArguments,
      run: (args, _called, signal) => reader.releases(args, signal),
    }),
  ];
}
