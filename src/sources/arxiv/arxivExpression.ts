import { isStopword } from '../../research/text/stopwords.ts';

/** A search in arXiv's own syntax, as a tree. */
export type ArxivExpression =
  | ({ readonly kind: 'term' } & ArxivTerm)
  | { readonly kind: 'and' | 'or' | 'andnot'; readonly left: ArxivExpression; readonly right: ArxivExpression };

export interface ArxivTerm {
  /** `all`, `ti`, `au`, `abs`, `co`, `jr`, `cat`, `rn`, `id`, `submittedDate` or `lastUpdatedDate`. */
  readonly field: string;
  /** Words without quotes; a range `YYYYMMDDHHMM TO YYYYMMDDHHMM` for the dates. */
  readonly value: string;
}

const fields = 'ti|au|abs|co|jr|cat|rn|id|all';
const dateField = 'submittedDate|lastUpdatedDate';
const tokenPattern = new RegExp(
  [
    `(?<date>(?:${dateField}):\\[\\d{8,14}\\s+TO\\s+\\d{8,14}\\])`,
    `(?<field>${fields}):(?:"(?<phrase>[^"]*)"|(?<word>[^\\s()"]+))`,
    '"(?<bare>[^"]*)"',
    '(?<paren>[()])',
    '(?<operator>(?:ANDNOT|AND\\s+NOT|AND|NOT|OR)(?=[\\s("]|$))',
    '(?<plain>[^\\s()"]+)',
    '(?<bad>")',
  ].join('|'),
  'giu',
);
const maxTokens = 60;

type Token = '(' | ')' | 'and' | 'or' | 'andnot' | ArxivTerm;

/**
 * Reads a query that uses arXiv's syntax: field prefixes, or AND / OR / ANDNOT in capitals. Terms side by side mean AND here,
 * since OR (what the service makes of them) is never meant. Undefined for plain words and for anything not well formed.
 */
export function parseArxivExpression(text: string): ArxivExpression | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  let at = 0;

  const anyOf = (): ArxivExpression | undefined => {
    let left = allOf();
    while (left !== undefined && tokens[at] === 'or') {
      at += 1;
      left = join('or', left, allOf());
    }
    return left;
  };
  const allOf = (): ArxivExpression | undefined => {
    let left = one();
    while (left !== undefined && at < tokens.length && tokens[at] !== ')' && tokens[at] !== 'or') {
      const operator = tokens[at];
      if (operator === 'and' || operator === 'andnot') at += 1;
      left = join(operator === 'andnot' ? 'andnot' : 'and', left, one());
    }
    return left;
  };
  const one = (): ArxivExpression | undefined => {
    const token = tokens[at];
    at += 1;
    if (typeof token === 'object') return { kind: 'term', ...token };
    if (token !== '(') return undefined;
    const inner = anyOf();
    if (tokens[at] !== ')') return undefined;
    at += 1;
    return inner;
  };

  const expression = anyOf();
  return at === tokens.length ? expression : undefined;
}

/** Writes an expression so that every two terms have an operator between them. */
export function printArxivExpression(expression: ArxivExpression): string {
  if (expression.kind === 'term') {
    const { field, value } = expression;
    if (/Date$/.test(field)) return `${field}:[${value}]`;
    const bare =
      field === 'cat' ||
      field === 'id' ||
      (/^[\p{L}\p{N}.*_]+$/u.test(value) && !/^(and|or|not|andnot|to)$/i.test(value));
    return `${field}:${bare ? value : `"${value}"`}`;
  }
  const { kind, left, right } = expression;
  const wrap = (side: ArxivExpression, isRight: boolean): string => {
    const text = printArxivExpression(side);
    const bare =
      side.kind === 'term' ||
      (side.kind === kind && !isRight) ||
      (kind === 'andnot' && side.kind === 'and' && !isRight);
    return bare ? text : `(${text})`;
  };
  return `${wrap(left, false)} ${kind.toUpperCase()} ${wrap(right, true)}`;
}

/** Terms of an expression that asks for all of them; empty when it has an OR or excludes something. */
export function termsOfExpression(expression: ArxivExpression): readonly ArxivTerm[] {
  if (expression.kind === 'term') return [expression];
  if (expression.kind !== 'and') return [];
  const [left, right] = [termsOfExpression(expression.left), termsOfExpression(expression.right)];
  return left.length === 0 || right.length === 0 ? [] : [...left, ...right];
}

function join(
  kind: 'and' | 'or' | 'andnot',
  left: ArxivExpression,
  right: ArxivExpression | undefined,
): ArxivExpression | undefined {
  return right === undefined ? undefined : { kind, left, right };
}

/** Undefined when no syntax is used, or when a piece can't be part of it. */
function tokenize(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const prefixed = new RegExp(`(?:^|[\\s(])(?:${fields}|${dateField}):`, 'i').test(text);
  let syntax = false;
  let field = 'all';
  for (const match of text.matchAll(tokenPattern)) {
    const groups = match.groups ?? {};
    if (groups['bad'] !== undefined || tokens.length >= maxTokens) return undefined;
    if (groups['paren'] !== undefined) {
      tokens.push(groups['paren'] as '(' | ')');
      field = 'all';
    } else if (
      groups['operator'] !== undefined &&
      (prefixed || groups['operator'] === groups['operator'].toUpperCase())
    ) {
      const name = groups['operator'].replace(/\s+/g, '').toLowerCase();
      tokens.push(name.endsWith('not') ? 'andnot' : (name as 'and' | 'or'));
      syntax = true;
      field = 'all';
    } else if (groups['date'] !== undefined) {
      const [, name, range] = /^(\w+):\[(.*)\]$/s.exec(groups['date']) ?? [];
      tokens.push({
        field: name!.toLowerCase().startsWith('s') ? 'submittedDate' : 'lastUpdatedDate',
        value: range!.replace(/\s+/g, ' ').toUpperCase(),
      });
      syntax = true;
    } else {
      if (groups['field'] !== undefined) {
        field = groups['field'].toLowerCase();
        syntax = true;
      }
      // Words that follow "ti:attention" without quotes belong to the title as well.
      const quoted = groups['phrase'] ?? groups['bare'];
      if (groups['plain'] !== undefined && isStopword(groups['plain'].toLowerCase(), 'en')) continue;
      if (groups['bare'] !== undefined) field = 'all';
      const value = cleanValue(quoted ?? groups['word'] ?? groups['plain'] ?? groups['operator'] ?? '', field);
      if (value === undefined) return undefined;
      tokens.push({ field, value });
      if (quoted !== undefined) field = 'all';
    }
  }
  return syntax ? tokens : undefined;
}

/** Undefined for a value that the service would not understand. */
function cleanValue(value: string, field: string): string | undefined {
  const text = value.trim();
  if (field === 'cat') return /^[a-z-]+(?:\.[A-Za-z*-]+)?\*?$/.test(text) ? text : undefined;
  if (field === 'id') return /^[\w.\/-]+$/.test(text) ? text : undefined;
  const words = text.match(/[\p{Script=Latin}\p{N}_][\p{Script=Latin}\p{N}\p{Mn}.+#'_*-]*/gu) ?? [];
  if (/(?!\p{Script=Latin})\p{L}/u.test(text) || words.length === 0) return undefined;
  return words.slice(0, 12).join(' ').slice(0, 200).trim();
}
