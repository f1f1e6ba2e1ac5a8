import type { Named } from '../../research/evidence/namedIn.ts';
import type { ChosenCall, NamedCall } from '../../research/tools.ts';
import type { Source } from '../../research/evidence/source.ts';
import type { SourceDefinition } from '../source.ts';
import { createGithubTools } from './githubTools.ts';

/** A repository of which only the description is known has less text than this. In UTF-16 units. */
const descriptionLength = 1_500;
/** GitHub wants every word of a query to occur. */
const maxWords = 5;

export const github: SourceDefinition = {
  name: 'github',
  label: 'GitHub',
  icon: 'github',
  description: 'Repositories, issues, discussions, code and releases on GitHub.',
  endpoint: {
    default: 'https://api.github.com',
    description: 'The address of the GitHub API; for GitHub Enterprise `https://HOST/api/v3`.',
  },
  pageHosts: ['github.com'],
  // One request after the other (REST best practices); the quota is read from the answers.
  pacing: { concurrency: 1, intervalMs: 0, backoffMs: 2_000 },
  secret: {
    hint: 'Raises GitHub’s limits, and opens the search of code and discussions; a token without any permission is enough.',
    environment: ['GITHUB_TOKEN'],
    // Public data needs no more than the least scope that a session can ask for.
    signIn: { provider: 'github', scopes: ['user:email'] },
  },
  goodFor: ['software'],
  lookUpOrder: 4,
  fitQuery: ({ text, subject, englishSubject }) =>
    (englishSubject || subject || text).split(' ').slice(0, maxWords).join(' '),
  open: openReadmes,
  openNamed,
  createTools: async (context) => createGithubTools(context, ((await context.key()) ?? '') !== ''),
};

function openReadmes(found: readonly Source[]): readonly ChosenCall[] {
  return found
    .filter(({ text }) => text.length < descriptionLength)
    .flatMap(({ identity }) => {
      const repo = /^github:([^/#@]+\/[^/#@]+)$/.exec(identity)?.[1];
      return repo === undefined ? [] : [{ name: 'get_github_readme', args: { repo } }];
    });
}

/** The issue, the releases or the file that an address leads to, else the README. */
function openNamed({ identity }: Named): readonly NamedCall[] {
  const [, repo, sign, part = ''] = /^github:([^/#@!]+\/[^/#@!]+)(?:([#@!])(.+))?$/.exec(identity) ?? [];
  if (repo === undefined) return [];
  const readme = { name: 'get_github_readme', args: { repo } };
  if (sign === '#') return [{ name: 'get_github_issue', args: { repo, number: Number(part) } }];
  if (sign === '!' && part.startsWith('releases')) return [{ name: 'get_github_releases', args: { repo } }];
  const [, ref, path] = (sign === '@' && /^([^/]+)\/(.+)$/.exec(part)) || [];
  return path === undefined ? [readme] : [{ name: 'get_github_file', args: { repo, path, ref } }, readme];
}
