import type { Log, Secrets } from '../research/ports.ts';
import type { Settings } from '../research/config.ts';
import type { WorkspaceFacts } from '../research/tools.ts';
import type { HttpSession } from './http/politeClient.ts';

/** What the tools of a remote source are made from, once a run. */
export interface SourceContext {
  readonly settings: Settings;
  readonly session: HttpSession;
  readonly secrets: Secrets;
  /** Undefined without a workspace, and when a model may see nothing of it. */
  readonly facts: WorkspaceFacts | undefined;
  readonly log: Log;
}

/** An endpoint's base and the documented path: a prefix in the base (`https://host/api/v3`) is kept. */
export function endpointUrl(base: string, path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `${base.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`;
}
