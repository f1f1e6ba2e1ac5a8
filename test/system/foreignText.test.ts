import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foreignReaders } from '../support/foreignReaders.ts';
import { fillers, hostileText } from '../support/growth.ts';
import { sampled } from '../support/sampled.ts';
import { ResearchError } from '../../src/research/errors.ts';

/** One mark 131,072 characters long, to everything that reads text of others; what it costs is measured by `npm run bench -- linearTime`. */
describe('text of others that is one mark without end', () => {
  for (const [name, read] of Object.entries(foreignReaders))
    it(`ends in a result: ${name}`, async () => {
      for (const filler of sampled(fillers, (one) => [one.length > 1 ? 'words' : 'signs'])) {
        try {
          await read(hostileText(filler));
        } catch (error) {
          assert.ok(error instanceof ResearchError, `${JSON.stringify(filler)}: ${String(error)}`);
        }
      }
    });
});
