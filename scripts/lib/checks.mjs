// What is checked without running the product: name -> arguments of Node. `npm run check` adds the caches.
export const checks = {
  // From nothing: the compiler's memory of an earlier check misses a change of a tsconfig.
  // By one checker: several take a third less time and half as much again of the processor's.
  types: ['node_modules/typescript-native/bin/tsc', '-b', '--force', '--checkers', '1'],
  // A regular expression that was mended leaves its entry in eslint-suppressions.json until `eslint --prune-suppressions`.
  lint: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', '--pass-on-unpruned-suppressions', '.'],
  // The rules that need types: the compiler in Go takes a quarter of the time of typescript-eslint.
  'typed lint': ['node_modules/oxlint/bin/oxlint', '.'],
  'dead exports': ['node_modules/knip/bin/knip.js'],
};
