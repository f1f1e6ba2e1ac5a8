import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeVersion, ownSections, quotedStatement, withoutSection } from '../../../src/files/composeVersion.ts';
import { changedSections, itemsOf, mergeReports } from '../../../src/files/mergeReports.ts';
import { type Evidence } from '../../../src/files/evidence.ts';
import { presentIn } from '../../../src/files/findStatements.ts';
import { markersOf, referencesOf } from '../../../src/files/references.ts';
import { keyOf } from '../../../src/files/statementKey.ts';

const tails = ['Changed', 'Conclusion'];
const cite = (number: number) => `[[${number}]](#ref-${number})`;
const item = (number: number, id: string) =>
  `- <a id="ref-${number}"></a>[${number}] Title of ${id}. Retrieved 2026-01-01`;

/** A report as ours is written, from its sections; a citation is the id of a source in braces. */
function reportOf(sections: readonly (readonly [heading: string, body: string])[], front = '') {
  const order: string[] = [];
  const numbered = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, id: string) => {
      if (!order.includes(id)) order.push(id);
      return cite(order.indexOf(id) + 1);
    });
  const bodies = sections.map(([heading, body]) => `## ${heading}\n\n${numbered(body)}`);
  const references = order.map((id, index) => item(index + 1, id)).join('\n');
  const around = ['# Title\n\nSummary.', ...bodies, '## Conclusion\n\nDone.'];
  const markdown = `${front}${[...around, `## References\n\n${references}`, '## How this report was made\n\n- Searched.'].join('\n\n')}\n`;
  return { markdown, order, sections: bodies };
}

const first = reportOf([
  ['Alpha', 'One {a}.\n\nTwo {b}.'],
  ['Beta', 'Three {c}. Four {a}.'],
]);
const whole = { type: 'whole', title: '"Title"', parts: [], without: [] } as const;
const known = new Map(first.order.map((id, index) => [index + 1, id]));

describe('the merge of a changed report with edits of the user', () => {
  const changed = first.markdown.replace('Three', 'Five');

  it('takes a change, and leaves what was edited by hand in other sections', () => {
    const edited = first.markdown.replace('One', 'One, as I say');
    const { text, conflicts } = mergeReports(first.markdown, edited, changed);
    assert.deepEqual(conflicts, []);
    assert.equal(text, edited.replace('Three', 'Five'));
  });

  it('takes both where other lines of one section were edited', () => {
    const base = first.markdown.replace('Two', 'Between.\n\nTwo');
    const { text, conflicts } = mergeReports(base, base.replace('One', 'Mine'), base.replace('Two', 'Theirs'));
    assert.deepEqual(conflicts, []);
    assert.match(text, /Mine .*\n\nBetween\.\n\nTheirs /);
  });

  it('names a section that was written anew in thousands of lines on both sides', () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join('\n');
    const base = first.markdown.replace('One', lines('One'));
    const { conflicts } = mergeReports(base, base.replace('Two', 'Mine'), base.replace(lines('One'), lines('Other')));
    assert.deepEqual(conflicts, ['Alpha']);
  });

  it('names a section in which the same words were edited, and leaves it as the user has it', () => {
    const edited = first.markdown.replace('Three', 'My own');
    const { text, conflicts } = mergeReports(first.markdown, edited, changed);
    assert.deepEqual(conflicts, ['Beta']);
    assert.equal(text, edited);
    assert.match(mergeReports(first.markdown, edited, changed, { replaces: (one) => one === 'Beta' }).text, /Five/);
  });

  it('takes the sections that are chosen alone', () => {
    const both = changed.replace('One', 'Six');
    assert.deepEqual(changedSections(first.markdown, both), ['Alpha', 'Beta']);
    const { text } = mergeReports(first.markdown, first.markdown, both, { takes: (one) => one === 'Alpha' });
    assert.match(text, /Six[\s\S]*Three/);
  });

  describe('that was written in another language', () => {
    const german = first.markdown
      .replace('## Alpha\n\nOne', '## Erstens\n\nEins')
      .replace('## Beta\n\nThree', '## Zweitens\n\nDrei');
    const renamed = [
      ['Erstens', 'Alpha'],
      ['Zweitens', 'Beta'],
    ] as const;
    const edited = first.markdown.replace('Three', 'Mine');

    it('names its sections as they were, and leaves an edited one in its place', () => {
      assert.deepEqual(changedSections(first.markdown, german, renamed), ['Alpha', 'Beta']);
      const { text, conflicts } = mergeReports(first.markdown, edited, german, { renamed });
      assert.deepEqual(conflicts, ['Beta']);
      assert.equal(text, german.replace('## Zweitens\n\nDrei', '## Beta\n\nMine'));
    });

    it('takes the one that is chosen in the place of the other', () => {
      const takes = (one: string) => one === 'Beta';
      const { text } = mergeReports(first.markdown, first.markdown, german, { renamed, takes });
      assert.equal(text, first.markdown.replace('## Beta\n\nThree', '## Zweitens\n\nDrei'));
    });

    it('keeps a section that the user has added under a heading of before', () => {
      const own = german.replace('## Erstens', '## Alpha\n\nMy own.\n\n## Erstens');
      const { text } = mergeReports(german, own, german.replace('Drei', 'Vier'), { renamed });
      assert.match(text, /My own\.[\s\S]*Eins[\s\S]*Vier/);
    });

    it('and back is not there twice', () => {
      const back = [...renamed, ['Beta', 'Zweitens'], ['Alpha', 'Erstens']] as const;
      const { text, conflicts } = mergeReports(german, german.replace('Drei', 'Meins'), first.markdown, {
        renamed: back,
      });
      assert.deepEqual(conflicts, ['Zweitens']);
      assert.equal(text, first.markdown.replace('## Beta\n\nThree', '## Zweitens\n\nMeins'));
    });
  });

  it('leaves a section that the user has removed, and one that the user has added, as they are', () => {
    const removed = withoutSection(first.markdown, 'Alpha').text.replace('## Beta', '## Own\n\nMine.\n\n## Beta');
    const { text, conflicts } = mergeReports(first.markdown, removed, changed);
    assert.deepEqual(conflicts, []);
    assert.doesNotMatch(text, /## Alpha/);
    assert.match(text, /## Own\n\nMine\.\n\n## Beta\n\nFive/);
  });

  it('gives a report with line ends of Windows back with them', () => {
    const { text } = mergeReports(first.markdown, first.markdown.replaceAll('\n', '\r\n'), changed);
    assert.equal(text, changed.replaceAll('\n', '\r\n'));
  });

  describe('in the account of how it was made', () => {
    const entry = (title: string, body = '- Searched.') => `### 2026-01-02: ${title}\n\n${body}`;
    const accountOf = (text: string) => text.split('\n## How this report was made\n')[1]?.trim();
    const withEntries = (base: string, ...entries: string[]) => `${[base.trim(), ...entries].join('\n\n')}\n`;
    const theirs = withEntries(changed, entry('Theirs'));

    for (const [how, mine, wanted] of [
      ['an entry of each', withEntries(first.markdown, entry('Mine')), ['- Searched.', entry('Mine'), entry('Theirs')]],
      [
        'both entries of one name',
        withEntries(first.markdown, entry('Theirs', '- Read.')),
        ['- Searched.', entry('Theirs', '- Read.'), entry('Theirs')],
      ],
      [
        'an entry below words that were edited by hand',
        first.markdown.replace('- Searched.', '- Looked.'),
        ['- Looked.', entry('Theirs')],
      ],
    ] as const)
      it(`has ${how}`, () => {
        const { text, conflicts } = mergeReports(first.markdown, mine, theirs);
        assert.deepEqual(conflicts, []);
        assert.equal(accountOf(text), wanted.join('\n\n'));
        assert.match(text, /Five/);
      });

    it('has an entry that was edited by hand beside what became of it', () => {
      const base = withEntries(first.markdown, entry('X'));
      const [mine, their] = ['- Looked.', '- Read.'].map((body) => withEntries(first.markdown, entry('X', body)));
      const { text } = mergeReports(base, mine!, their!);
      assert.equal(accountOf(text), ['- Searched.', entry('X', '- Looked.'), entry('X', '- Read.')].join('\n\n'));
    });

    it('has an entry below its heading where the account was removed by hand', () => {
      const removed = first.markdown.replace(/\n## How this report was made[\s\S]*/, '');
      assert.equal(accountOf(mergeReports(first.markdown, removed, theirs).text), entry('Theirs'));
      assert.equal(mergeReports(first.markdown, removed, changed).text, removed.replace('Three', 'Five'));
    });

    it('has the entry of the first follow-up that found something', () => {
      const empty = reportOf([['Alpha', 'Nothing was found.']]).markdown.replace(/## References\n\n\n\n/, '');
      const fragment = reportOf([['Beta', 'New {a}.']]);
      const change = { type: 'section', heading: '', tails } as const;
      const { text } = composeVersion(empty, fragment, change, new Map(), 'X');
      assert.deepEqual(changedSections(empty, text), ['Beta']);
      const merged = mergeReports(empty, empty.replace('- Searched.', '- Looked.'), text, { takes: () => true });
      assert.equal(accountOf(merged.text), '- Looked.\n\n### X\n\n- Searched.');
      assert.match(merged.text, /## References\n\n.*Title of a\..*\n\n## How this report was made/);
    });
  });

  it('takes what became of a reference that was edited by hand, and names the references where it is the same words', () => {
    const theirs = changed.replace(
      'Title of a. Retrieved 2026-01-01',
      'Title of a. Retrieved 2026-02-02 ✗ gone (2026-02-02)',
    );
    const { text, conflicts } = mergeReports(
      first.markdown,
      first.markdown.replace('Title of a', 'My title of a'),
      theirs,
    );
    assert.deepEqual(conflicts, []);
    assert.match(text, /My title of a\. Retrieved 2026-02-02 ✗ gone/);
    const mine = first.markdown.replace('Title of a. Retrieved 2026-01-01', 'Title of a. Retrieved in May');
    const other = mergeReports(first.markdown, mine, theirs);
    assert.deepEqual(other.conflicts, ['References']);
    assert.match(other.text, /Title of a\. Retrieved in May\n/);
    const replaced = mergeReports(first.markdown, mine, theirs, { replaces: (one) => one === 'References' });
    assert.deepEqual(replaced.conflicts, []);
    assert.match(replaced.text, /Title of a\. Retrieved 2026-02-02 ✗ gone/);
  });

  it('leaves what was written by hand beside the references', () => {
    const items = first.markdown.slice(first.markdown.indexOf('- <a'), first.markdown.indexOf('\n\n## How'));
    const edited = first.markdown.replace(items, `As of May:\n\n${items}\n\nSee the library, too.`);
    const { text, conflicts } = mergeReports(first.markdown, edited, changed);
    assert.deepEqual(conflicts, []);
    assert.equal(text, edited.replace('Three', 'Five'));
  });

  it('gives a reference that was added by hand another number where a new source has its own', () => {
    const fragment = reportOf([['Gamma', 'New {d}.']]);
    const change = { type: 'section', heading: '', tails } as const;
    const theirs = composeVersion(first.markdown, fragment, change, known, 'X').text;
    const mine = (number: number) =>
      first.markdown
        .replace('One', `My book says so [${number}], x[4] = 1 ${cite(number)}. One`)
        .replace(item(3, 'c'), `${item(3, 'c')}\n- [${number}] My book.`);
    const { text, conflicts } = mergeReports(first.markdown, mine(4), theirs);
    assert.deepEqual(conflicts, []);
    assert.match(text, /My book says so \[5\], x\[4\] = 1 \[\[5\]\]\(#ref-5\)\. One/);
    assert.match(text, /New \[\[4\]\]\(#ref-4\)/);
    assert.equal(itemsOf(text).get(4), item(4, 'd'));
    assert.equal(itemsOf(text).get(5), '- [5] My book.');
    assert.equal(mergeReports(first.markdown, mine(5), theirs).text, text, 'one with a number of its own has that');
  });

  it('leaves sections with equal headings, also where one is numbered by hand', () => {
    const three = reportOf([
      ['Costs', 'One {a}.'],
      ['Costs (2)', 'Two {b}.'],
      ['Costs', 'Three {c}.'],
    ]).markdown;
    assert.equal(mergeReports(three, three, three.replace('One', 'Five')).text, three.replace('One', 'Five'));
  });

  it('takes no heading in a block of code for a section', () => {
    const code = first.markdown.replace('One', '```\n## Beta\n```\n\nOne');
    assert.deepEqual(changedSections(first.markdown, code), ['Alpha']);
  });
});

describe('a statement of a report', () => {
  const reranking = 'Reranking moves the best passages to the top';
  const dense = 'Dense retrieval needs training on pairs of questions and passages';
  const { markdown } = reportOf([
    ['Alpha', `${reranking} {a}. It is slow {b}.`],
    ['Beta', `${dense} {c}. Nothing is said of it.`],
  ]);

  for (const [how, words, wanted] of [
    ['is quoted whole, with its citation', `“${reranking} [1].”`, reranking],
    ['is quoted whole, however short', 'It is slow.', 'It is slow'],
    ['is quoted with words around it', `“${reranking}”, I don't buy that`, reranking],
    ['is quoted in part', 'needs training on pairs', dense],
    ['is the longest of those that are quoted', `${reranking}. It is slow. ${dense}?`, dense],
    ['is not quoted by some of its words', 'Is it slow?', undefined],
    ['is not quoted by a title of the references', 'Title of a', undefined],
    ['is not quoted by other words', 'Does retrieval need any training at all?', undefined],
    ['is not quoted by nothing', '…', undefined],
  ] as const)
    it(how, () => assert.equal(quotedStatement(markdown, words), wanted));

  it('is not quoted by a part that two have', () => {
    const both = markdown.replace('It is slow', `${reranking} and more`);
    assert.equal(quotedStatement(both, 'moves the best passages'), undefined);
  });
});

describe('a report with what a follow-up has written', () => {
  it('has its section in the place of the old one, with the numbers that its sources have', () => {
    const fragment = reportOf([['Beta', 'New {d}. Old {b}.']]);
    const { text, gone } = composeVersion(
      first.markdown,
      fragment,
      { type: 'section', heading: 'Beta', tails },
      known,
      'X',
    );
    assert.match(text, /## Beta\n\nNew \[\[4\]\]\(#ref-4\)\. Old \[\[2\]\]\(#ref-2\)\./);
    assert.deepEqual([...itemsOf(text).keys()], [1, 2, 4]);
    assert.deepEqual(gone, ['Title of c. Retrieved 2026-01-01']);
    assert.match(text, /## How this report was made\n\n- Searched\.\n\n### X\n\n- Searched\.\n$/);
  });

  it('has a new section before the conclusion', () => {
    const fragment = reportOf([['Gamma', 'New {a}.']]);
    const { text } = composeVersion(first.markdown, fragment, { type: 'section', heading: '', tails }, known, 'X');
    assert.match(text, /## Beta[\s\S]*## Gamma\n\nNew \[\[1\]\]\(#ref-1\)\.\n\n## Conclusion/);
  });

  it('has the signs of a refresh behind citations and in its references, below a list, in place of those of before', () => {
    const refreshed = (list: string, number: number, base: string) =>
      composeVersion(
        base,
        { ...reportOf([['Beta', 'Five {b}.']]), sections: [] },
        {
          ...{ type: 'refresh', tails, list: `## Changed\n\n- ${list} [[${number}]](#ref-${number})` },
          notes: new Map([[number, '✗ Gone (2026-02-02)']]),
          signs: [{ number, sign: '✗' }],
        },
        known,
        'X',
      ).text;
    const once = refreshed('Gone:', 2, first.markdown);
    assert.match(once, /Summary\.\n\n## Changed\n\n- Gone: \[\[2\]\]\(#ref-2\)\n\n## Alpha/);
    assert.match(once, /\[\[2\]\]\(#ref-2\) ✗/);
    assert.equal(itemsOf(once).get(2), `${item(2, 'b')} ✗ Gone (2026-02-02)`);
    const twice = refreshed('Other:', 1, once);
    assert.equal(twice.match(/^## Changed/gm)?.length, 1);
    assert.doesNotMatch(twice, /\(#ref-2\) ✗/);
    assert.equal(itemsOf(twice).get(2), item(2, 'b'));
    assert.deepEqual(
      ownSections(twice, tails).map(({ key }) => key),
      ['Alpha', 'Beta'],
    );
  });

  it('is written again as a whole under its own front matter, and says which citations went', () => {
    const base = `---\nrun: "r"\n---\n\n${first.markdown}`;
    const fragment = reportOf([['Short', 'All {c}{a}.']]);
    const { text, gone } = composeVersion(base, fragment, whole, known, 'X');
    assert.match(text, /^---\nrun: "r"\n---\n\n# Title[\s\S]*## Short\n\nAll \[\[3\]\]\(#ref-3\)\[\[1\]\]\(#ref-1\)\./);
    assert.deepEqual(gone, ['Title of b. Retrieved 2026-01-01']);
  });

  it('has the title of its front matter from its heading, the one of before where that stays', () => {
    const base = `---\ntitle: "Title"\nrun: "r"\n---\n\n${first.markdown}`;
    const fragment = reportOf([['Alpha', 'Kurz {a}.']]);
    const german = { ...fragment, markdown: fragment.markdown.replace('# Title', () => '# Gezeiten & $&') };
    const title = '"Gezeiten & $&"';
    const { text } = composeVersion(base, german, { ...whole, title }, known, 'X');
    assert.match(text, /^---\ntitle: "Gezeiten & \$&"\nrun: "r"\n---\n\n# Gezeiten & \$&\n/);
    const parts = [{ was: '', is: '', isWritten: false }];
    const { text: stays } = composeVersion(base, german, { ...whole, title, parts }, known, 'X');
    assert.match(stays, /^---\ntitle: "Title"\nrun: "r"\n---\n\n# Title\n/);
  });

  describe('and nothing for some parts', () => {
    const base = first.markdown
      .replace('Summary.', `Summary ${cite(3)}.`)
      .replace('## References', `## Not answered\n\n- When (Alpha)\n\n## References`);
    const fragment = reportOf([
      ['Alpha', 'Short {d}.'],
      ['Beta', 'As it was found {a}.'],
    ]);
    const part = (was: string, isWritten: boolean, is = was) => ({ was, is, isWritten });
    const parts = [
      ...[part('', false), part('Alpha', true), part('Beta', false)],
      ...[part('Conclusion', true), part('Not answered', false)],
    ];
    const rewritten = (without: number[], of = parts, by = fragment.markdown) =>
      composeVersion(base, { ...fragment, markdown: by }, { ...whole, parts: of, without }, known, 'X').text;

    it('has their old text, each in its place', () => {
      const was = base.replace(/One.*\n\nTwo.*/, `Short ${cite(4)}.`);
      const now = rewritten([]);
      assert.deepEqual(changedSections(base, now), ['Alpha']);
      assert.equal(now.split('## References')[0], was.split('## References')[0]);
      assert.deepEqual([...itemsOf(now).keys()], [1, 3, 4]);
    });

    it('has what was found of them where their old text cites what is left out', () => {
      const now = rewritten([3]);
      assert.match(now, /# Title\n\nSummary\.\n/);
      assert.match(now, /## Beta\n\nAs it was found \[\[1\]\]/);
      assert.match(now, /## Not answered\n\n- When/);
      assert.ok(!itemsOf(now).has(3));
    });

    it('has them behind what is written in another language, below headings in it', () => {
      const names: Record<string, string> = { Conclusion: 'Fazit', Beta: 'Zweitens', 'Not answered': 'Offen' };
      const german = parts.map((one) => ({ ...one, is: names[one.was] ?? one.was }));
      const written = fragment.markdown
        .replace('## Conclusion', '## Fazit')
        .replace('## Beta', '## Zweitens')
        .replace('## References', '## Quellen')
        .replaceAll('Retrieved', 'Abgerufen')
        .replace('## How this report was made', '## Wie dieser Bericht entstand');
      const now = rewritten([], german, written);
      assert.match(now, /## Zweitens\n\nThree.*\n\n## Fazit\n\nDone\.\n\n## Offen\n\n- When/);
      assert.match(now, /\n## Quellen\n\n- <a[\s\S]*\n\n## Wie dieser Bericht entstand\n\n- Searched\.\n/);
      assert.match(itemsOf(now).get(1)!, /Title of a\. Abgerufen 2026-01-01$/);
    });
  });

  it('has a section that is added beside one of its name', () => {
    const fragment = reportOf([['Beta', 'New {d}.']]);
    const { text } = composeVersion(first.markdown, fragment, { type: 'section', heading: '', tails }, known, 'X');
    assert.match(text, /## Beta\n\nThree[\s\S]*## Beta \(2\)\n\nNew \[\[4\]\]\(#ref-4\)\.\n\n## Conclusion/);
  });

  it('has the sections behind one that is named as its conclusion is', () => {
    const { markdown } = reportOf([
      ['Conclusion', 'One {a}.'],
      ['Beta', 'Two {b}.'],
    ]);
    assert.deepEqual(
      ownSections(markdown, tails).map(({ text }) => text.split('\n')[0]),
      ['## Conclusion', '## Beta'],
    );
  });

  it('has the signs of a refresh behind the same sources', () => {
    const signed = first.markdown.replaceAll(`${cite(1)}.`, `${cite(1)} ✗.`);
    const section = reportOf([['Beta', 'New {d}. Old {a}.']]);
    const redone = composeVersion(signed, section, { type: 'section', heading: 'Beta', tails }, known, 'X').text;
    assert.match(redone, /## Beta\n\nNew \[\[4\]\]\(#ref-4\)\. Old \[\[1\]\]\(#ref-1\) ✗\./);
    const how = { type: 'sentence', sentence: 'One', corrected: `Two ${cite(2)}.`, reason: '' } as const;
    const corrected = composeVersion(signed, section, how, known, 'X').text;
    assert.match(corrected, /## Alpha\n\nTwo \[\[1\]\]\(#ref-1\) ✗\.\n\nTwo/);
  });

  it('has the signs of a refresh in what it has written again as well', () => {
    const fragment = reportOf([['Beta', 'New {c}.']]);
    const signs = [{ number: 3, sign: '✗' }];
    const refresh = { type: 'refresh', tails, list: '## Changed\n\n- Gone', notes: new Map<number, string>() } as const;
    const { text } = composeVersion(first.markdown, fragment, { ...refresh, signs }, known, 'X');
    assert.match(text, /## Beta\n\nNew \[\[3\]\]\(#ref-3\) ✗\./);
  });

  it('has a corrected cell in its table', () => {
    const table = '| Tool | Cost |\n| --- | --- |\n| Small | Costs ten dollars {a} |\n| Large | Costs twenty {b} |';
    const { markdown } = reportOf([['Alpha', table]]);
    const corrected = `Costs 12 | 15 dollars\n\na month ${cite(1)}`;
    const how = { type: 'sentence', sentence: 'Costs ten dollars', corrected, reason: '' } as const;
    const { text } = composeVersion(
      markdown,
      reportOf([['X', 'Y {a}']]),
      how,
      new Map([
        [1, 'a'],
        [2, 'b'],
      ]),
      'X',
    );
    const row = `| Small | Costs 12 \\| 15 dollars a month ${cite(1)} |\n| Large |`;
    assert.ok(text.includes(row), text);
  });

  it('has a corrected sentence in the place of the one that was challenged', () => {
    const fragment = reportOf([
      ['Is wrong: Three', 'Four says so {e}.\n\n### Corrected\n\nThree, but only sometimes {d}.'],
    ]);
    const corrected = `Three, but only sometimes ${cite(2)}.`;
    const how = { type: 'sentence', sentence: 'Three', corrected, reason: `Four says so ${cite(1)}.` } as const;
    const { text } = composeVersion(first.markdown, fragment, how, known, 'Is wrong: “Three”');
    assert.match(text, /## Beta\n\nThree, but only sometimes \[\[5\]\]\(#ref-5\)\. Four \[\[1\]\]\(#ref-1\)\./);
    assert.match(text, /\n### Is wrong: “Three”\n\nFour says so \[\[4\]\]\(#ref-4\)\.\n\n- Searched\.\n$/);
    assert.deepEqual([...itemsOf(text).keys()], [1, 2, 4, 5], 'what the reason cites stays');
  });

  it('stays as it is without a corrected sentence, whatever headings the fragment has', () => {
    const fragment = reportOf([['Other', 'Five {d}.\n\n### Below\n\nNot a correction {d}.']]);
    const how = { type: 'sentence', sentence: 'Three', corrected: '', reason: '' } as const;
    const { text } = composeVersion(first.markdown, fragment, how, known, 'X');
    assert.deepEqual(changedSections(first.markdown, text), []);
    assert.doesNotMatch(text, /Not a correction/);
  });
});

/** mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('the citations of a report', () => {
  for (let seed = 1; seed <= 40; seed += 1)
    it(`are those of their sources, each once among the references, after 20 random changes (${seed})`, () => {
      const random = randomOf(seed);
      const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
      const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
      const evidence: Evidence[] = [];
      let statements = 0;
      const sentence = () => {
        const id = pick(ids);
        statements += 1;
        return { id, text: `Statement number ${statements} about ${id} {${id}}.` };
      };
      const section = (heading: string) =>
        [heading, Array.from({ length: 1 + Math.floor(random() * 3) }, () => sentence().text).join('\n\n')] as const;
      const numbers = new Map<number, string>();
      /** What a run says of its statements, in the numbers of the report. */
      const judge = ({ markdown, order }: ReturnType<typeof reportOf>, numberOf: (own: number) => number) => {
        for (const [, words, own] of markdown.matchAll(/(Statement number \d+ about \w+) \[\[(\d+)\]\]/g)) {
          const number = numberOf(Number(own));
          const passage = { number, source: order[Number(own) - 1]!, text: words!, isMarkdown: false };
          evidence.push({
            sentence: words!,
            key: keyOf(words!),
            citations: [number],
            verdict: 'supported',
            passages: [passage],
          });
        }
        for (const [index, id] of order.entries()) numbers.set(numberOf(index + 1), id);
      };
      const cited = (report: string) =>
        [...report.split('\n## References')[0]!.matchAll(/Statement number \d+ about \w+(?= \[)/g)].map(
          ([words]) => words,
        );
      const begun = reportOf(['A', 'B', 'C'].map(section));
      judge(begun, (own) => own);
      let head = begun.markdown;
      let file = head;
      for (let change = 0; change < 20; change += 1) {
        const headings = [...head.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!).filter((name) => name.length <= 3);
        if (random() < 0.3)
          file = file.replace(/Statement number (\d+) about/, 'Statement number $1, as I see it, about');
        let theirs: string;
        if (random() < 0.25 && headings.length > 1) theirs = withoutSection(head, pick(headings)).text;
        else if (random() < 0.2 && itemsOf(head).size > 0) {
          const number = pick([...itemsOf(head).keys()]);
          const fragment = reportOf([section(pick(headings) ?? 'N')]);
          const list = `## Changed\n\n- Gone [[${number}]](#ref-${number})`;
          const refresh = { notes: new Map([[number, '✗ Gone (2026-02-02)']]), signs: [{ number, sign: '✗' }] };
          const how = { type: 'refresh', tails, list, ...refresh } as const;
          const composed = composeVersion(head, fragment, how, numbers, `${change}`);
          judge(fragment, (own) => composed.numbers.get(own)!);
          theirs = composed.text;
        } else if (random() < 0.2 && cited(head).length > 0) {
          const challenged = pick(cited(head));
          const heading = `Is wrong ${change}`;
          const fragment = reportOf([[heading, `${sentence().text}\n\n### Corrected\n\n${sentence().text}`]]);
          const [reason, corrected] = fragment.sections[0]!.split('\n\n').filter((text) => !text.startsWith('#'));
          const how = { type: 'sentence', sentence: challenged, reason: reason!, corrected: corrected! } as const;
          const composed = composeVersion(head, fragment, how, numbers, `${change}`);
          judge(fragment, (own) => composed.numbers.get(own)!);
          theirs = composed.text;
          assert.deepEqual(changedSections(head, theirs).length, 1, 'the sentence is another one');
        } else {
          const isWhole = random() < 0.25;
          const target = random() < 0.5 && headings.length > 0 ? pick(headings) : '';
          const fragment = reportOf(
            isWhole ? ['X', 'Y'].map((one) => section(one + change)) : [section(target || `N${change}`)],
          );
          const how = isWhole ? whole : ({ type: 'section', heading: target, tails } as const);
          const composed = composeVersion(head, fragment, how, numbers, `${change}`);
          judge(fragment, (own) => composed.numbers.get(own)!);
          theirs = composed.text;
        }
        const rejects = random() < 0.15;
        const takes = random() < 0.3 ? (name: string) => name.length % 2 === 0 : () => true;
        if (rejects) continue;
        const merged = mergeReports(head, file, theirs, { takes });
        file = merged.text;
        head = mergeReports(head, head, theirs, { takes: (one) => takes(one) && !merged.conflicts.includes(one) }).text;
        for (const text of [head, file]) {
          const items = itemsOf(text);
          const cited = new Set([...text.matchAll(/\[\[(\d+)\]\]\(#ref-\1\)/g)].map(([, number]) => Number(number)));
          assert.deepEqual(
            [...items.keys()].sort((a, b) => a - b),
            [...cited].sort((a, b) => a - b),
          );
          assert.equal(text.match(/<a id="ref-/g)?.length ?? 0, items.size, 'each reference is there once');
          for (const [number, line] of items)
            assert.equal(line.replace(' ✗ Gone (2026-02-02)', ''), item(number, numbers.get(number)!));
          for (const [, id, number] of text.matchAll(/about (\w+) \[\[(\d+)\]\]/g))
            assert.equal(numbers.get(Number(number)), id);
          const unedited = [...text.matchAll(/Statement number \d+ about \w+/g)].length;
          assert.equal(
            presentIn(text, [...evidence]).filter(({ verdict }) => verdict === 'supported').length,
            unedited,
          );
          assert.equal(markersOf(text, referencesOf(text)).length, [...text.matchAll(/\(#ref-/g)].length);
        }
      }
    });
});
