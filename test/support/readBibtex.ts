import assert from 'node:assert/strict';

/** A small reader of BibTeX, written from the format and not from our writer: fails at everything that is not well formed. */

export interface BibField {
  /** Between the outer braces, or a bare word. */
  readonly raw: string;
  /** As TeX would print it. */
  readonly text: string;
  /** `raw` split at its outer "and"s, as TeX would print them. */
  readonly names: readonly string[];
}
export interface BibEntry {
  readonly type: string;
  readonly key: string;
  readonly fields: Readonly<Record<string, BibField>>;
}

/** Taken as they stand (biblatex manual, 2.2.1). */
const verbatimFields = ['url', 'doi', 'eprint'];

export function readBibtex(text: string): BibEntry[] {
  let at = 0;
  const take = (pattern: RegExp, what: string): string => {
    const match = new RegExp(pattern, 'uy');
    match.lastIndex = at;
    const found = match.exec(text);
    assert.ok(found, `${what} at ${JSON.stringify(text.slice(at, at + 40))}`);
    at = match.lastIndex;
    return found[1] ?? found[0];
  };
  const group = (): string => {
    take(/\{/, 'a brace');
    const start = at;
    // Every brace counts, also behind a backslash.
    for (let depth = 1; depth > 0; at += 1) {
      assert.ok(at < text.length, 'braces are balanced');
      if (text[at] === '{') depth += 1;
      if (text[at] === '}') depth -= 1;
    }
    return text.slice(start, at - 1);
  };
  const entries: BibEntry[] = [];
  while (/\S/.test(text.slice(at))) {
    take(/\s*@/, 'an entry');
    const type = take(/[a-z]+/, 'a type');
    take(/\{/, 'a brace');
    const key = take(/[^\s,{}"#%~\\]+/, 'a key');
    const fields: Record<string, BibField> = {};
    while (text[at] === ',') {
      const name = take(/,\s*([a-z]+)\s*=\s*/, 'a field');
      assert.ok(!(name in fields), `${name} once`);
      const raw = text[at] === '{' ? group() : take(/[a-z]{3}(?=[,\n])|\d+/, 'a value');
      const print = verbatimFields.includes(name) ? (part: string) => part : printed;
      fields[name] = { raw, text: print(raw), names: outerParts(raw).map(print) };
    }
    take(/\s*\}\n?/, 'the end of the entry');
    entries.push({ type, key, fields });
  }
  return entries;
}

/** At the "and"s that stand between names; one inside of braces is a part of a name. */
function outerParts(raw: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const piece of raw.split(/(\{|\}| and )/)) {
    if (piece === '{') depth += 1;
    if (piece === '}') depth -= 1;
    if (piece === ' and ' && depth === 0) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

const symbols: Readonly<Record<string, string>> = {
  textbackslash: '\\',
  textbraceleft: '{',
  textbraceright: '}',
  textasciitilde: '~',
  textasciicircum: '^',
  textless: '<',
  textgreater: '>',
  textbar: '|',
};

function printed(raw: string): string {
  return raw.replace(
    /\\([a-z]+)(?:\{\}|\s+|(?![a-z]))|\\([#$%&_])|([{}])|([#$%&_~^\\])/g,
    (whole, command?: string, escaped?: string, brace?: string) => {
      if (command !== undefined) {
        assert.ok(command in symbols, `${whole} is a known command`);
        return symbols[command]!;
      }
      if (brace !== undefined) return '';
      assert.ok(escaped !== undefined, `${whole} is escaped`);
      return escaped;
    },
  );
}
