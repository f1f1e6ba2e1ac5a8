import { trimEnd } from '../../research/text/trimEnd.ts';

/** An endpoint's base and the documented path: a prefix in the base (`https://host/api/v3`) stays. */
export function endpointUrl(base: string, path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `${trimEnd(base, '/')}${path}${query === '' ? '' : `?${query}`}`;
}
