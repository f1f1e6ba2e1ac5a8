import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateTokens } from '../../../../src/research/text/estimateTokens.ts';

/** Our own sentences, with their counts by o200k_base, and what the estimate may be of these: too few overflow a window, too many waste it. */
const counted: readonly (readonly [text: string, tokens: number, most: number])[] = [
  [
    'The researcher opens a source with a reading tool when its excerpt promises more than it shows, and says in one sentence what is still missing.',
    28,
    1.25,
  ],
  [
    'Die Forscherin öffnet eine Quelle, wenn ihr Auszug mehr verspricht, als er zeigt, und sagt in einem Satz, was noch fehlt.',
    31,
    1.25,
  ],
  [
    'Исследователь открывает источник, если его отрывок обещает больше, чем показывает, и одним предложением говорит, чего ещё не хватает.',
    30,
    1.25,
  ],
  ['如果摘录的内容不够，研究者就打开原文，并用一句话说明还缺少什么资料。', 25, 1.25],
  ['抜粋だけでは足りないときは、研究者が原文を開き、まだ足りないものを一文で述べます。', 34, 1.25],
  ['발췌문이 충분하지 않으면 연구자는 원문을 열고 아직 부족한 것을 한 문장으로 말합니다.', 28, 1.25],
  ['export function estimateTokens(text: string): number {\n  return Math.ceil(text.length / 4);\n}\n', 21, 1.25],
  // Scripts whose tokenisers differ most are estimated by the less thrifty ones.
  ['يفتح الباحث المصدر عندما يعد مقتطفه بأكثر مما يظهر، ويقول في جملة واحدة ما الذي ما زال ناقصًا.', 29, 1.8],
  ['जब अंश पर्याप्त नहीं होता, तो शोधकर्ता मूल स्रोत खोलता है और एक वाक्य में बताता है कि अभी क्या कमी है।', 30, 1.8],
];

describe('the estimate of tokens', () => {
  for (const [text, tokens, most] of counted)
    it(`is near the count: ${text.slice(0, 20)}…`, () => {
      const share = estimateTokens(text) / tokens;
      assert.ok(share >= 0.85 && share <= most, `${share.toFixed(2)} of the count`);
    });
});
