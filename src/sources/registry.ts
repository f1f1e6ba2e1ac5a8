import { arxiv } from './arxiv/arxivSource.ts';
import { blogs } from './blogs/blogsSource.ts';
import { github } from './github/githubSource.ts';
import { hackernews } from './hackernews/hackernewsSource.ts';
import { huggingface } from './huggingface/huggingfaceSource.ts';
import { scholarly } from './scholarly/scholarlySource.ts';
import type { SourceDefinition } from './source.ts';
import { web } from './web/webSource.ts';
import { workspace } from './workspace/workspaceSource.ts';

/** All sources of this version, in the order in which they are offered. */
export const sourceDefinitions: readonly SourceDefinition[] = [
  workspace,
  arxiv,
  scholarly,
  github,
  huggingface,
  hackernews,
  web,
  blogs,
];
