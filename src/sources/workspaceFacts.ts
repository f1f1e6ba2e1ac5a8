import type { WorkspaceFile, WorkspacePort } from '../research/ports.ts';
import type { Settings } from '../research/settings/config.ts';
import type { WorkspaceFacts } from '../research/tools.ts';
import { findArxivIds } from './arxiv/arxivId.ts';
import { findGithubRepos, githubPageHost, parseGithubRepo } from './github/githubRepo.ts';
import { github } from './github/githubSource.ts';
import { endpointOf } from './source.ts';
import { languagesOf } from './workspace/languages.ts';
import { isManifest, packagesOf, packageSystemOf } from './workspace/manifests.ts';
import { topicOf } from './workspace/topics.ts';

/** Facts are a help, not a condition: reading stops here and gives what it has. */
const maxMs = 3_000;
const maxTotal = 8_000_000;
const maxFile = 1_000_000;
const parallel = 16;
const maxPackages = 200;
const maxLinks = 500;
const maxTopics = 30;
const maxPapers = 5;

/**
 * What the workspace says about its subject: public repositories of its git remotes, languages, packages, and the papers and
 * repositories that its texts cite. Bounded in time and bytes; rejects only when aborted or when the folder can't be listed.
 */
export async function readWorkspaceFacts(
  workspace: WorkspacePort,
  settings: Settings,
  signal: AbortSignal,
): Promise<WorkspaceFacts> {
  const deadline = performance.now() + maxMs;
  const hosts = [...new Set(['github.com', githubPageHost(endpointOf(github, settings))])];
  const [files, remotes] = await Promise.all([workspace.files(signal), workspace.gitRemotes(signal)]);
  const byDepth = (a: WorkspaceFile, b: WorkspaceFile): number => a.path.split('/').length - b.path.split('/').length;
  const wanted = files.filter(({ size }) => size > 0 && size <= maxFile);
  const manifests = wanted.filter(({ path }) => isManifest(path)).sort(byDepth);
  const texts = wanted
    .filter(({ path }) => /(^|\/)readme$|\.(md|markdown|mdx|bib|txt|rst|adoc|org|tex|html?)$/i.test(path))
    .sort(byDepth);

  const packages = new Set<string>();
  const packageSystems = new Map<string, string>();
  const arxivIds = new Set<string>();
  const githubLinks = new Map<string, string>();
  /** Titles of documents with their length: who has much to say on a topic comes first. */
  const topics = new Map<string, number>();
  let total = 0;
  const queue = [...manifests, ...texts];
  for (let from = 0; from < queue.length && total < maxTotal && performance.now() < deadline; from += parallel) {
    signal.throwIfAborted();
    const batch = queue.slice(from, from + parallel);
    const contents = await Promise.all(batch.map((file) => readQuietly(workspace, file, signal)));
    for (const [index, text] of contents.entries()) {
      total += text.length;
      const { path } = batch[index]!;
      for (const name of packagesOf(path, text)) {
        packages.add(name);
        const system = packageSystemOf(path);
        if (system !== undefined) packageSystems.set(name, system);
      }
      const topic = topicOf(path, text);
      if (topic !== undefined) topics.set(topic, Math.max(topics.get(topic) ?? 0, text.length));
      for (const id of findArxivIds(text)) arxivIds.add(id);
      for (const repo of findGithubRepos(text))
        if (!githubLinks.has(repo.toLowerCase())) githubLinks.set(repo.toLowerCase(), repo);
    }
  }
  const longestFirst = [...topics].sort((a, b) => b[1] - a[1]);
  const titles = longestFirst.slice(0, maxTopics).map(([title]) => title);
  return {
    name: workspace.name,
    repos: [...new Set(remotes.map((remote) => parseGithubRepo(remote, hosts)).filter((repo) => repo !== undefined))],
    languages: languagesOf(files),
    packages: [...packages].slice(0, maxPackages),
    ...(packageSystems.size === 0 ? {} : { packageSystems: Object.fromEntries(packageSystems) }),
    arxivIds: [...arxivIds].slice(0, maxLinks),
    ...(arxivIds.size === 0 ? {} : { papers: [...arxivIds].slice(0, maxPapers).map((id) => `arXiv:${id}`) }),
    githubLinks: [...githubLinks.values()].slice(0, maxLinks),
    fileCount: files.length,
    ...(titles.length > 0 && { topics: titles }),
  };
}

const someFiles = 12;
const [leastProse, mostProse] = [400, 200_000];

/** The texts of some documents in prose, the uppermost first. Rejects only when aborted. */
export async function readSomeProse(workspace: WorkspacePort, signal: AbortSignal): Promise<readonly string[]> {
  const files = await workspace.files(signal).catch(() => (signal.throwIfAborted(), []));
  const prose = files.filter(
    ({ path, size }) =>
      size >= leastProse && size <= mostProse && /\.(?:md|markdown|mdx|txt|rst|adoc|org)$/i.test(path),
  );
  const uppermost = prose.sort((a, b) => a.path.split('/').length - b.path.split('/').length).slice(0, someFiles);
  return await Promise.all(uppermost.map((file) => readQuietly(workspace, file, signal)));
}

/** The text of a file; empty when it can't be read, for whatever reason. Rejects only when aborted. */
export async function readQuietly(workspace: WorkspacePort, file: WorkspaceFile, signal: AbortSignal): Promise<string> {
  return workspace.read(file.path, signal).catch(() => {
    signal.throwIfAborted();
    return '';
  });
}
