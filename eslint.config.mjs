// What the compiler does not see: promises nobody waits for, missing cases of a switch, regular expressions whose time
// explodes. Typed rules need the program of tsconfig.lint.json; layers are checked by `tsc -b` and test/unit/layers.test.ts.
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
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { regexp },
    languageOptions: { parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...oneWay],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          // The runner awaits what these return.
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['describe', 'it', 'test', 'before', 'after', 'beforeEach'],
            },
          ],
        },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // An aborted signal's reason is what everything that it ends rejects with.
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      // Ports and contexts are objects of functions, made to be taken apart.
      '@typescript-eslint/unbound-method': 'off',
      // It reports every String(value) of an unknown value.
      '@typescript-eslint/no-base-to-string': 'off',
      // A port's method is async even where one of its implementations has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
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
  {
    // Plain JavaScript that runs before anything is installed: the typed rules see only `any` there.
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
  },
);
