import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { shellWord } from '../../../src/files/shellWord.ts';
import { readArguments, usage } from '../../../src/node/cliArguments.ts';
import { ResearchError } from '../../../src/research/errors.ts';

describe('budgets on the command line', () => {
  it('say how to write a value that begins with a dash, in one line', () => {
    assert.throws(
      () => readArguments(['q', '--max-tokens', '-5'], {}),
      (error) =>
        ResearchError.is(error, 'badRequest') &&
        error.message === "Option '--max-tokens' argument is ambiguous." &&
        error.next === 'Write a value that begins with a dash as --option=-VALUE. See deep-research --help.',
    );
    assert.throws(() => readArguments(['q', '--foo'], {}), {
      message: "Unknown option '--foo'.",
      next: 'See deep-research --help.',
    });
  });

  it('are the settings of the same name', () => {
    const { settings } = readArguments(['q', '--max-tokens', '50000', '--max-minutes', '2.5', '--max-cost', '0.2'], {});
    assert.deepEqual(settings, { 'budget.maxTokens': 50_000, 'budget.maxMinutes': 2.5, 'budget.maxCost': 0.2 });
    for (const flag of ['--max-tokens', '--max-minutes', '--max-cost']) assert.ok(usage([], []).includes(flag));
  });

  it('refuse what is no number greater than 0, and say what is allowed', () => {
    for (const value of ['0', '0.0', '-0', '-1', 'NaN', 'Infinity', 'lots', '1e3', '', ' ', '1,000'])
      assert.throws(
        () => readArguments(['q', `--max-tokens=${value}`], {}),
        (error) => ResearchError.is(error, 'badRequest') && /a number greater than 0/.test(error.message),
        value,
      );
  });
});

it('the depth of a run is the setting of the same name, and the help has its values', () => {
  assert.deepEqual(readArguments(['q', '--depth', 'deep'], {}).settings, { depth: 'deep' });
  assert.match(usage([], []), /--depth NAME {2,}quick, standard, or deep/);
});

describe('a value in a command to copy', () => {
  const values = ['/tmp/plain', 'two words', "it's", '$(touch pwned) `id` $HOME', 'a"b\\c', '-x\ny', ''];
  it('reaches a POSIX shell as it is', { skip: process.platform === 'win32' }, () => {
    for (const value of values) {
      const read = execFileSync('sh', ['-c', `printf %s. ${shellWord(value, 'linux')}`], { encoding: 'utf8' });
      assert.equal(read, `${value}.`);
    }
  });

  it('is quoted on Windows where it has to be', () => {
    assert.equal(shellWord(String.raw`C:\runs`, 'win32'), String.raw`C:\runs`);
    assert.equal(shellWord('C:/my runs', 'win32'), '"C:/my runs"');
  });
});
