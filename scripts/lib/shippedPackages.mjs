// What of other people's work is in the .vsix, from esbuild's own record of the build:
//
//   dist/sbom.cdx.json             CycloneDX 1.5
//   dist/THIRD_PARTY_NOTICES.txt   name, version and licence text of each package
//
// `npm sbom` would list what is installed, of which a bundle holds a part.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../bootstrap.mjs';

const shippedBuilds = ['extension', 'engine', 'panel', 'reader'];

/** Call it after a production build. */
export function writeShippedPackages() {
  const packages = shippedPackages();
  const product = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  write('sbom.cdx.json', `${JSON.stringify(sbom(product, packages), undefined, 2)}\n`);
  write('THIRD_PARTY_NOTICES.txt', notices(product, packages));
}

function write(name, text) {
  fs.writeFileSync(path.join(root, 'dist', name), text);
}

/** Their words are in src/sources/words/. */
const dictionaries =
  'en_us software-terms data-science filetypes npm python docker fullstack golang k8s node rust typescript'
    .split(' ')
    .map((name) => `node_modules/@cspell/dict-${name}`);

/** Packages of which code is in the bundles, by folder; the icon font and the words of dictionaries are copied. */
function shippedPackages() {
  const folders = new Set(['node_modules/@vscode/codicons', ...dictionaries]);
  for (const build of shippedBuilds) {
    const { outputs } = JSON.parse(fs.readFileSync(path.join(root, 'out', 'meta', `${build}.json`), 'utf8'));
    for (const input of Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))) {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  }
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const words = path.join(root, 'src', 'sources', 'words', 'licences.json');
  const shipped = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    return { name, version, license, integrity: lock[folder]?.integrity, text: licenceText(folder) };
  });
  return [...shipped, ...JSON.parse(fs.readFileSync(words, 'utf8'))];
}

function licenceText(folder) {
  const files = fs
    .readdirSync(path.join(root, folder))
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .sort();
  return files.map((file) => fs.readFileSync(path.join(root, folder, file), 'utf8').trim()).join('\n\n');
}

function notices({ displayName, name: own }, packages) {
  const blocks = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text || `Licence: ${license}.`}`,
  );
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `${displayName?.startsWith('%') ? own : (displayName ?? own)} contains the following packages.${rule}${blocks.join(rule)}\n`;
}

function sbom({ name, version, license }, packages) {
  const purl = (of) => of.purl ?? `pkg:npm/${of.name.replace('@', '%40')}@${of.version}`;
  const component = {
    type: 'application',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    ...(license && { licenses: [{ license: { id: license } }] }),
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component },
    components: packages.map((one) => ({
      type: 'library',
      'bom-ref': purl(one),
      name: one.name,
      version: one.version,
      purl: purl(one),
      licenses: [/ (?:OR|AND) /.test(one.license) ? { expression: one.license } : { license: { id: one.license } }],
      ...(one.integrity && { hashes: [hashOf(one.integrity)] }),
    })),
    dependencies: [{ ref: component['bom-ref'], dependsOn: packages.map(purl) }],
  };
}

/** npm's `sha512-BASE64` as CycloneDX writes it. */
function hashOf(integrity) {
  const [, algorithm, digest] = /^sha(\d+)-(.+)$/.exec(integrity);
  return { alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') };
}
