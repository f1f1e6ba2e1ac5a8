const symbols: Readonly<Record<string, string>> = {
  times: '×',
  approx: '≈',
  sim: '~',
  leq: '≤',
  le: '≤',
  geq: '≥',
  ge: '≥',
  neq: '≠',
  pm: '±',
  to: '→',
  rightarrow: '→',
  cdot: '·',
  ldots: '…',
  dots: '…',
  infty: '∞',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  epsilon: 'ε',
  varepsilon: 'ε',
  eta: 'η',
  theta: 'θ',
  kappa: 'κ',
  lambda: 'λ',
  mu: 'μ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  phi: 'φ',
  chi: 'χ',
  psi: 'ψ',
  omega: 'ω',
  Delta: 'Δ',
  Omega: 'Ω',
  Sigma: 'Σ',
  ell: 'ℓ',
  in: '∈',
  circ: '°',
};

/** Combining marks by the name of the accent. */
const accents: Readonly<Record<string, string>> = {
  ...{ "'": '\u0301', '`': '\u0300', '^': '\u0302', '"': '\u0308', '~': '\u0303', '=': '\u0304', '.': '\u0307' },
  ...{ c: '\u0327', v: '\u030c', u: '\u0306', H: '\u030b', k: '\u0328', r: '\u030a' },
};
const letters: Readonly<Record<string, string>> = {
  ss: 'ß',
  o: 'ø',
  O: 'Ø',
  l: 'ł',
  L: 'Ł',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  aa: 'å',
  AA: 'Å',
  i: 'ı',
};
const styled =
  /\\(?:text(?:bf|it|sf|tt|sc|rm|normal)?|emph|underline|mbox|url|mathrm|mathbf|mathit|mathcal|mathbb|textsuperscript|textsubscript)\s*\{([^{}]*)\}/g;

/**
 * Takes the LaTeX markup out of an abstract or a title, so that it reads as prose: styles, accents, escapes, quotes, and
 * formulas of a few known symbols. What it does not know stays as it is. White space is collapsed.
 */
export function latexText(source: string): string {
  if (!/[\\$~{`]|--|''/.test(source)) return collapse(source);
  let text = source
    .replace(/\\href\s*\{[^{}]*\}\s*\{([^{}]*)\}/g, '$1')
    .replace(
      /\\(['`^"~=.])\s*(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))/g,
      (_, mark: string, braced?: string, plain?: string) => (braced ?? plain ?? '') + accents[mark],
    )
    .replace(/\\([cvuHkr])\s*\{([A-Za-z])\}/g, (_, mark: string, letter: string) => letter + accents[mark])
    .replace(/\\(ss|ae|AE|oe|aa|AA|o|O|l|L|i)(?:\{\}|(?![A-Za-z])\s?)/g, (_, name: string) => letters[name] ?? '');
  // Innermost first; a few rounds are more than any abstract nests.
  for (let round = 0; round < 4; round += 1) text = text.replace(styled, '$1');
  return collapse(
    text
      .replace(
        /(?<!\\)\$(?=[^\s$])([^$]{1,60}?)(?<=[^\s\\])\$(?!\d)/g,
        (whole: string, formula: string) => plainFormula(formula) ?? whole,
      )
      .replace(/\\([%&_#{}])/g, '$1')
      .replace(/\\\$/g, '$')
      .replace(/``([^`']*)''/g, '“$1”')
      .replace(/\\\\(?=\s)/g, ' ')
      .replace(/(?<=\p{L})~(?=[\\\p{L}\p{N}[(])/gu, ' ')
      .replace(/(?<=\w)---(?=\w)/g, '—')
      .replace(/\{([A-Z][\w-]*)\}/g, '$1')
      .normalize('NFC'),
  );
}

/** A formula as plain text; undefined when it holds anything unknown. */
function plainFormula(formula: string): string | undefined {
  const text = formula
    .replace(styled, '$1')
    .replace(/\\([A-Za-z]+)/g, (whole: string, name: string) => symbols[name] ?? whole)
    .replace(/\\([%,&_#])/g, (_, sign: string) => (sign === ',' ? ' ' : sign))
    .replace(/\{([^{}]*)\}/g, '$1');
  return /[\\{}]/.test(text) ? undefined : text;
}

/** Without line breaks and repeated spaces. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
