// What the engine says of errors and of the health of its sources, as translators see it: a template with places, `{0} timed out{1}.`
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Whose errors a person reads. What a single source answers to a wrong call is worded for the model that made it. */
const places = [
  ...['engine.ts', 'engine', 'models', 'node', 'research', 'runs'],
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
  ].map((name) => `sources/${name}`),
];
/** Properties, variables and functions whose text is a message, what to do, or a part of one of them. */
const named =
  /^(?:message|next|why|what|how|when|until|said|later|offer|answered|reasons|setKeyHint|(?:trial|quota|wait|label)Text)$/;
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
  return [...new Set(files.flatMap((file) => textsIn(fs.readFileSync(file, 'utf8'))))].sort();
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
    else if (ts.isArrayLiteralExpression(node)) node.elements.forEach(take);
    else if (ts.isObjectLiteralExpression(node)) node.properties.forEach(take);
    else if (ts.isPropertyAssignment(node)) take(node.initializer);
  };
  const returned = (node: ts.Node): void => {
    if (ts.isReturnStatement(node)) take(node.expression);
    else ts.forEachChild(node, returned);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'ResearchError') take(node.arguments?.[1]);
    else if (ts.isCallExpression(node) && makers.test(nameOf(node.expression))) node.arguments.forEach(take);
    else if ((ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && named.test(node.name.getText()))
      take(node.initializer);
    else if (ts.isFunctionDeclaration(node) && named.test(node.name?.text ?? '')) returned(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  const punctuated = /^\{0\}(?:: \{1\})?\.$/;
  const worded = (text: string): boolean => / /.test(text) && /\p{L}{2}/u.test(text.replaceAll(/\{\d\}/g, ''));
  // A name, or places alone, is no text.
  return found.map((text) => text.trim()).filter((text) => punctuated.test(text) || worded(text));
}

function nameOf(called: ts.Expression): string {
  return ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
}
