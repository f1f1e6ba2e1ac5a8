import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { generated } from '../../scripts/generate.ts';
import { builtIn } from '../../src/catalogue.ts';
import { root } from '../support/paths.ts';

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
  };
}
interface Property {
  readonly default: unknown;
  readonly minimum?: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly scope: string;
}

describe('what is generated from the declarations', () => {
  for (const [file, text] of Object.entries(generated())) {
    it(`${file} is up to date`, () => {
      assert.equal(fs.readFileSync(path.join(root, file), 'utf8'), text, 'run "npm run generate"');
    });
  }

  it('has every setting, with its default, its range, and a text for each value', () => {
    const { contributes } = JSON.parse(generated()['package.json']!) as Manifest;
    const properties = Object.assign({}, ...contributes.configuration.map((group) => group.properties)) as Record<
      string,
      Property
    >;
    assert.deepEqual(
      Object.keys(properties).sort(),
      Object.keys(builtIn.settings)
        .map((key) => `deepResearch.${key}`)
        .sort(),
    );
    const tokens = properties['deepResearch.limits.maxContextTokens']!;
    assert.deepEqual([tokens.default, tokens.minimum, tokens.scope], [100_000, 2_000, 'window']);
    const strategy = properties['deepResearch.strategy']!;
    assert.deepEqual(strategy.enum, ['auto', 'sections', 'iterative', 'supervisor']);
    assert.equal(strategy.enumDescriptions?.length, 4);
  });
});
