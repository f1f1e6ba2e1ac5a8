import { secrecyOf } from './secretFiles.ts';

/** Which names in a workspace are never read, whatever .gitignore says. */

/** Dependencies, build products and caches. Names that begin with a dot are left out anyway, but for `.github`. */
const skippedFolders = new Set(
  `node_modules bower_components jspm_packages vendor site-packages venv virtualenv __pycache__ __pypackages__ dist build out target obj coverage htmlcov
  pods deriveddata carthage cmakefiles bazel-bin bazel-out elm-stuff`.split(/\s+/),
);

/** Text that was made by a program and answers no question. */
const generatedNames =
  /^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|(yarn|cargo|poetry|pdm|uv|pipfile|composer|gemfile|flake)\.lock|go\.sum)$|\.(min\.(js|css)|map|tsbuildinfo|snap)$/;

const binaryExtensions = new Set(
  `png jpg jpeg gif bmp ico icns webp avif tif tiff heic psd ai eps raw mp3 wav flac ogg m4a aac mp4 mov avi mkv webm wmv zip gz tgz bz2 xz zst 7z rar tar jar war
  whl egg nupkg vsix deb rpm dmg iso img msi apk exe dll so dylib a o lib obj class pyc pyo pyd wasm node bin dat db sqlite sqlite3 mdb parquet arrow feather h5
  hdf5 npy npz pkl pickle pt pth onnx safetensors gguf ckpt tflite pb ttf otf woff woff2 eot pdf doc docx xls xlsx ppt pptx odt ods odp pages numbers key epub mobi
  blend fbx glb stl swf sketch fig xcf drawio`.split(/\s+/),
);

const codeExtensions = new Set(
  `js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi rb php java kt kts scala groovy cs fs vb go rs swift c h cc cpp cxx hpp hh m mm d zig nim dart
  lua pl pm r jl hs ml mli ex exs erl hrl clj cljs lisp el scm f90 pas sol sql graphql proto thrift`.split(/\s+/),
);

/** Whether an unquoted value in a file of this name is an expression: source code, not configuration or prose. */
export function isCode(path: string): boolean {
  return codeExtensions.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** Whether a folder of this name is entered. */
export function entersFolder(name: string): boolean {
  if (name.startsWith('.')) return name === '.github';
  return !skippedFolders.has(name.toLowerCase()) && !/\.(egg-info|xcodeproj|xcworkspace|app|framework)$/i.test(name);
}

/** Whether a file of this name is one of secrets, and is not read. A name that begins with a dot is no document in any case. */
export function isWithheld(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).startsWith('.') && secrecyOf(path, isCode(path)) === 'withheld';
}

/** Whether a file may be shown at all, by its path relative to the workspace. @param readsPdf PDFs can be read. */
export function showsFile(path: string, readsPdf = false): boolean {
  const lower = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (lower.startsWith('.') || lower.endsWith('~')) return false;
  if (generatedNames.test(lower) || secrecyOf(path, isCode(path)) === 'withheld') return false;
  const extension = lower.slice(lower.lastIndexOf('.') + 1);
  return !binaryExtensions.has(extension) || !lower.includes('.') || (readsPdf && extension === 'pdf');
}

/** Our own reports and what is saved beside them, by their front matter: a report must never become the source of the next one. */
export function isOwnReport(head: string): boolean {
  const text = head.replace(/^\uFEFF/, '');
  if (!/^---\r?\n/.test(text)) return false;
  const end = text.search(/\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/);
  const matter = end === -1 ? text : text.slice(0, end);
  return ['question', 'strategy', '(?:run|evidenceOf)'].every((key) => new RegExp(`^${key}[ \\t]*:`, 'm').test(matter));
}

/** How reports are named: `YYYY-MM-DD-slug.md`. */
export function hasReportName(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}-.+\.md$/i.test(name);
}
