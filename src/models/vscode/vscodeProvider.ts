import { ResearchError } from '../../research/errors.ts';
import type { EditorModel } from '../../research/ports.ts';
import { editorHost, type ProviderContext, type ProviderDefinition } from '../provider.ts';

/** Models that VS Code offers to extensions, such as those of Copilot. They need no key of ours. */
export const editorModels: ProviderDefinition = {
  name: 'vscode',
  inEditor: true,
  label: 'VS Code',
  description: 'The language models of VS Code, such as those of Copilot. No key is needed.',
  whyConfigured: async (context) => ((await modelsOf(context)).length > 0 ? 'editor' : undefined),
  async create(context) {
    const models = await modelsOf(context);
    const [first] = models;
    if (context.editor === undefined || first === undefined) {
      throw new ResearchError('config', 'VS Code offers no language model here.', {
        next: 'Sign in to Copilot or install another provider of models, or choose another provider (deepResearch.model.provider).',
      });
    }
    const wanted = context.settings['model.name'];
    const main = wanted === '' ? first : find(models, wanted);
    const { EditorChat } = await import('./editorChat.ts');
    const { editor, log } = context;
    return {
      model: main.id,
      host: editorHost,
      chat: (name) => new EditorChat({ editor, model: find(models, name), log }),
    };
  },
  list: async (context) =>
    (await modelsOf(context)).map(({ id, label, vendor, contextTokens }) => ({
      ...{ id, contextTokens, label: `${label} (${vendor})` },
    })),
};

/** Models that Copilot's plans include without counting requests: a run makes dozens. */
const uncounted = /(?:^|\/)(?:gpt-5-mini|gpt-4\.1|gpt-4o)$/;

/** The best default first: it calls tools, costs no extra requests, and has the larger window. */
async function modelsOf({ editor }: ProviderContext): Promise<readonly EditorModel[]> {
  const models = (await editor?.list()) ?? [];
  const rank = ({ id, callsTools }: EditorModel) => (callsTools === false ? 2 : uncounted.test(id) ? 0 : 1);
  return [...models].sort((one, other) => rank(one) - rank(other) || other.contextTokens - one.contextTokens);
}

function find(models: readonly EditorModel[], name: string): EditorModel {
  const found = models.find(({ id }) => id === name) ?? models.find(({ id }) => id.split('/').includes(name));
  if (found) return found;
  throw new ResearchError('notFound', `VS Code offers no model "${name}".`, {
    next: `Run "Deep Research: Select Model", or set deepResearch.model.name to one of ${models.map(({ id }) => id).join(', ')}.`,
  });
}
