// What the compiler does not see: regular expressions whose time explodes, second ways of saying the same. The rules that
// need types, and unused variables, are in .oxlintrc.json; layers are checked by `tsc -b` and test/unit/layers.test.ts.
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const oneWay = [
  {
    selector: ':matches(PropertyDefinition, MethodDefinition, TSParameterProperty)[accessibility][override!=true]',
    message: 'Use #name for what is private; everything else is public.',
  },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares it.' },
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'out/',
      'examples/',
      'test/fixtures/',
      'test/eval/*/{dev,heldOut}/',
      '.vscode-test/',
      '.editor/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
    extends: [tseslint.configs.recommended],
    plugins: { regexp },
    rules: {
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...oneWay],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': 'off',
      'regexp/no-empty-alternative': 'error',
      'regexp/no-empty-character-class': 'error',
      'regexp/no-invalid-regexp': 'error',
      'regexp/no-lazy-ends': 'error',
      'regexp/no-misleading-unicode-character': 'error',
    },
  },
  {
    files: ['src/**'],
    ignores: ['**/*.d.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...oneWay,
        { selector: 'ExportDefaultDeclaration', message: 'Name what is exported.' },
        {
          selector:
            'CallExpression[callee.property.name=/^(?:push|unshift|splice|concat|max|min|hypot|of|fromCharCode|fromCodePoint|apply)$/] > SpreadElement.arguments',
          message: 'Arguments are stacked: 120,000 of them overflow. Loop, or use largest and smallest.',
        },
      ],
      // No untrusted text costs more than linear time. Files that still break this are in eslint-suppressions.json.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    // A step reads on one screen. The passages of a text are cut in one pass over its blocks.
    files: ['src/research/**'],
    ignores: ['src/research/text/passages.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60 }] },
  },
);
