export interface PanelResources {
  /** The webview's own origin for `style-src` and `font-src`. */
  readonly cspSource: string;
  readonly script: string;
  /** Style sheets in order. */
  readonly styles: readonly string[];
  /** Fresh for every page: 128 random bits or more. */
  readonly nonce: string;
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
}

/**
 * The page that the panel's app starts in. Nothing loads but our own script and styles: no inline code, no image, no
 * frame, no connection. Report text and page titles are untrusted.
 */
export function panelHtml({ cspSource, script, styles, nonce, language, title }: PanelResources): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ];
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.map(attribute).join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${styles.map((href) => `<link rel="stylesheet" href="${attribute(href)}">`).join('\n')}
<title>${attribute(title)}</title>
</head>
<body>
<div id="app"></div>
<script type="module" nonce="${nonce}" src="${attribute(script)}"></script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
