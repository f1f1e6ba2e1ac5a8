// What the engine says of errors, of the health of its sources, and of a run, as translators see it: a template with
// places, `{0} timed out{1}.`
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type english from '../../src/research/languages/texts/en.json';

/** Whose errors a person reads. What a single source answers to a wrong call is worded for the model that made it. */
const places = [
  ...['batch', 'engine.ts', 'engine', 'models', 'node', 'research', 'runs'],
  ...[
    'blogs/blogsSource.ts',
    'blogs/zyte.ts',
    'createTools.ts',
    'github/githubClient.ts',
    'health.ts',
    'http',
    'mcp',
    'pages',
    'readers',
    'web',
    'workspace/workspaceSource.ts',
    'workspace/workspaceTools.ts',
    'blogs/blogsTools.ts',
  ].map((name) => `sources/${name}`),
];
/** Properties, variables and functions whose text is a message, what to do, or a part of one of them. */
const named =
  /^(?:message|next|why|what|how|when|until|said|later|offer|answered|reasons|warnings?|setKeyHint|(?:trial|quota|wait|label)Text)$/;
/** They make an error of their arguments. */
const makers =
  /^#?(?:unreachable|broken|badAnswer|failure|pageError|refused|unusable|unreadable|late|wrong|what|needsAnswer|storageError)$/;

export function errorTexts(root: string): string[] {
  const files = places.flatMap((place) => {
    const at = path.join(root, 'src', place);
    if (at.endsWith('.ts')) return [at];
    const names = fs.readdirSync(at, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.ts')).map((name) => path.join(at, name));
  });
  const found = files.flatMap((file) => textsIn(fs.readFileSync(file, 'utf8')));
  return [...new Set([...found, ...runTexts(root)].map((text) => text.trim()).filter(isText))].sort();
}

/** What a run says of itself, beside the account in its report: in the report's language, of which this is the English. Its places have names. */
function runTexts(root: string): string[] {
  const json = fs.readFileSync(path.join(root, 'src/research/languages/texts/en.json'), 'utf8');
  const { account: _, assumptions: __, ...said } = (JSON.parse(json) as typeof english).run;
  const texts = Object.values(said).flatMap((part) => (typeof part === 'string' ? part : Object.values(part)));
  return texts.map((text) => {
    let places = 0;
    return text.replaceAll(/\{\w+\}/g, () => `{${places++}}`);
  });
}

/** A name, or places alone, is no text. */
function isText(text: string): boolean {
  const words = text.replaceAll(/\{\d\}/g, '');
  return /^\{0\}(?:: \{1\})?\.$/.test(text) || (/ /.test(text) && /\p{L}{2}/u.test(words));
}

function textsIn(source: string): string[] {
  const found: string[] = [];
  /** The texts that an expression may be. */
  const take = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      const rest = node.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`);
      found.push(node.head.text + rest.join(''));
      for (const { expression } of node.templateSpans) take(expression);
    } else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(take);
    else if (ts.isBinaryExpression(node)) [node.left, node.right].forEach(take);
    else if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) take(node.expression);
    else if (ts.isArrowFunction(node)) take(node.body);
    else if (ts.isCallExpression(node) && nameOf(node.expression) === 'map') node.arguments.forEach(take);
    else if (ts.isArrayLiteralExpression(node)) node.elements.forEach(take);
    else if (ts.isObjectLiteralExpression(node)) node.properties.forEach(take);
    else if (ts.isPropertyAssignment(node)) take(node.initializer);
  };
  const returned = (node: ts.Node): void => {
    if (ts.isReturnStatement(node)) take(node.expression);
    else ts.forEachChild(node, returned);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^warnings\.push$/.test(node.expression.getText())) node.arguments.forEach(take);
    if (ts.isNewExpression(node) && node.expression.getText() === 'ResearchError') take(node.arguments?.[1]);
    else if (ts.isCallExpression(node) && makers.test(nameOf(node.expression))) node.arguments.forEach(take);
    else if ((ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && named.test(node.name.getText()))
      take(node.initializer);
    else if ((ts.isFunctionDeclaration(node) || ts.isGetAccessor(node)) && named.test(node.name?.getText() ?? ''))
      returned(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return found;
}

function nameOf(called: ts.Expression): string {
  return ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
}
