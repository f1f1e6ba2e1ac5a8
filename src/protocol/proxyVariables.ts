/** Whether the environment names a proxy for pages. */
export function hasProxyVariable(environment: Readonly<Record<string, string | undefined>>): boolean {
  return ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].some((name) => (environment[name] ?? '') !== '');
}
