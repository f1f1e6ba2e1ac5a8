import fs from 'node:fs';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { BootstrapError } from '../bootstrap.mjs';
import { fingerprint, pack } from './build.mjs';

/**
 * Installs the extension into a folder of installed extensions as its package has it, when it is not there as it was last
 * built. Other extensions of the folder stay.
 */
export async function installPackage(extensions) {
  fs.mkdirSync(extensions, { recursive: true });
  const stamp = path.join(extensions, '.deep-research.sha256');
  const current = fingerprint(['README.md', 'CHANGELOG.md', 'media', 'package.nls.json', '.vscodeignore']);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === current) return;
  process.stderr.write('Installing the extension…\n');
  const files = await packagedFiles(path.join(extensions, '.package.vsix'));
  const { publisher, name, version } = JSON.parse(strFromU8(files['extension/package.json']));
  const folder = `${publisher}.${name}-${version}`;
  for (const entry of fs.readdirSync(extensions))
    if (entry.startsWith(`${publisher}.${name}-`)) fs.rmSync(path.join(extensions, entry), { recursive: true });
  for (const [file, bytes] of Object.entries(files)) {
    if (!file.startsWith('extension/') || file.endsWith('/')) continue;
    const target = path.join(extensions, folder, file.slice('extension/'.length));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, bytes);
  }
  register(extensions, `${publisher}.${name}`, version, folder);
  fs.writeFileSync(stamp, current);
}

async function packagedFiles(vsix) {
  if ((await pack(process.execPath, vsix, ['ignore', 'ignore', 2])) !== 0)
    throw new BootstrapError('Packaging failed.');
  const files = unzipSync(fs.readFileSync(vsix));
  fs.rmSync(vsix);
  return files;
}

/** The editor's own list of what is installed; a folder that is not in it is passed over. */
function register(extensions, id, version, folder) {
  const file = path.join(extensions, 'extensions.json');
  const listed = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : [];
  const entry = {
    identifier: { id },
    version,
    location: { $mid: 1, path: path.join(extensions, folder), scheme: 'file' },
    relativeLocation: folder,
    metadata: { installedTimestamp: Date.now(), source: 'vsix', isApplicationScoped: false },
  };
  const others = listed.filter(({ identifier }) => identifier.id.toLowerCase() !== id.toLowerCase());
  fs.writeFileSync(file, JSON.stringify([...others, entry], null, 2));
}
