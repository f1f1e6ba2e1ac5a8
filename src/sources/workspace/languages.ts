/** Programming languages by file extension, as GitHub names them in its `language:` qualifier. */
const extensions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    TypeScript: 'ts tsx mts cts',
    JavaScript: 'js jsx mjs cjs',
    Python: 'py pyi pyx',
    'Jupyter Notebook': 'ipynb',
    Java: 'java',
    Kotlin: 'kt kts',
    Scala: 'scala sc',
    Go: 'go',
    Rust: 'rs',
    C: 'c h',
    'C++': 'cpp cc cxx hpp hh hxx',
    'C#': 'cs',
    'F#': 'fs fsx',
    Swift: 'swift',
    'Objective-C': 'm mm',
    Ruby: 'rb',
    PHP: 'php',
    Perl: 'pl pm',
    R: 'r',
    Julia: 'jl',
    Haskell: 'hs',
    OCaml: 'ml mli',
    Elixir: 'ex exs',
    Erlang: 'erl hrl',
    Clojure: 'clj cljs cljc',
    Dart: 'dart',
    Lua: 'lua',
    Zig: 'zig',
    Cuda: 'cu cuh',
    Fortran: 'f90 f95 f03 f',
    Shell: 'sh bash zsh',
    PowerShell: 'ps1',
    Vue: 'vue',
    Svelte: 'svelte',
    Solidity: 'sol',
    Lean: 'lean',
    Nix: 'nix',
    Terraform: 'tf',
  }).flatMap(([language, list]) => list.split(' ').map((extension) => [extension, language])),
);

/** Less than this share of the code is a helper script, not a language of the project. */
const leastShare = 0.05;
const most = 6;

/** Languages of at least 5 % of the code by size, most used first. */
export function languagesOf(files: readonly { readonly path: string; readonly size: number }[]): string[] {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const { path, size } of files) {
    const language = extensions[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
    if (language === undefined) continue;
    total += size;
    sizes.set(language, (sizes.get(language) ?? 0) + size);
  }
  return [...sizes.entries()]
    .filter(([, size]) => size >= total * leastShare)
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([language]) => language);
}
