/** Forms in which models name sentences and call tools. Each half was written before the reader; only the first was looked at. */

export type Half = 'first' | 'second';

/** A quote, and the numbers of the sentences that it means, run by run: `[[12, 13], [40]]` are two quotes. */
export const numberForms: readonly (readonly [Half, string, readonly (readonly number[])[]])[] = [
  ['first', '12', [[12]]],
  ['first', '{12}', [[12]]],
  ['first', '[12]', [[12]]],
  ['first', '(12)', [[12]]],
  ['first', '12.', [[12]]],
  ['first', '"12"', [[12]]],
  ['first', '#12', [[12]]],
  ['first', '{12}–{13}', [[12, 13]]],
  ['first', '12 — 13', [[12, 13]]],
  ['first', '12-13', [[12, 13]]],
  ['first', '12 and 13', [[12, 13]]],
  ['first', '12, 13', [[12, 13]]],
  ['first', 'S1:12', [[12]]],
  ['first', 'sentence 12', [[12]]],
  ['first', 'Sa1b2c:12', [[12]]],
  ['first', '12 to 13', [[12, 13]]],
  ['first', '１２', [[12]]],
  ['first', '12\n13', [[12, 13]]],
  ['first', '{12}, {40}', [[12], [40]]],
  ['first', '999', []],
  ['second', '12~13', [[12, 13]]],
  ['second', '12…13', [[12, 13]]],
  ['second', '12..13', [[12, 13]]],
  ['second', '12/13', [[12, 13]]],
  ['second', '12:13', [[12, 13]]],
  ['second', 'lines 12–13', [[12, 13]]],
  ['second', 'sentences {12} through {13}', [[12, 13]]],
  ['second', '第12句', [[12]]],
  ['second', '第12至13句', [[12, 13]]],
  ['second', 'No. 12', [[12]]],
  ['second', '№12', [[12]]],
  ['second', '<12>', [[12]]],
  ['second', '【12】', [[12]]],
  ['second', '{12,13}', [[12, 13]]],
  ['second', '[12] [13]', [[12, 13]]],
  ['second', '12 & 13', [[12, 13]]],
  ['second', '`12`', [[12]]],
  ['second', '**12**', [[12]]],
  ['second', "['12', '13']", [[12, 13]]],
  ['second', 'Sa1b2c{12}', [[12]]],
  ['second', '[Sa1b2c] 12', [[12]]],
  ['second', 'Sa1b2c#12-13', [[12, 13]]],
  ['second', '12 (Sa1b2c)', [[12]]],
  ['second', '{12', [[12]]],
  ['second', '0012', [[12]]],
  ['second', 'quote: 12', [[12]]],
  ['second', 'id=12', [[12]]],
  ['second', '12th sentence', [[12]]],
  ['second', 'Satz 12', [[12]]],
  ['second', '12−13', [[12, 13]]],
  ['second', '12‑13', [[12, 13]]],
  ['second', '¹²', [[12]]],
  ['second', '13-12', [[12, 13]]],
  ['second', '12, 13, 40', [[12, 13], [40]]],
  ['second', '{12}{13}{14}', [[12, 13, 14]]],
  ['second', 'Sentence number 12 of the source', [[12]]],
];

interface Called {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const search = (query: string): Called => ({ name: 'search_papers', args: { query } });

/** A text, and the calls of `search_papers(query, limit)` and `research_complete()` in it. */
export const callForms: readonly (readonly [Half, string, readonly Called[]])[] = [
  ['first', 'Action: search_papers\nAction Input: {"query": "dense"}', [search('dense')]],
  [
    'first',
    'Thought: two.\nAction: search_papers\nAction Input: {"query": "a"}\nAction: search_papers\nAction Input: {"query": "b"}',
    [search('a'), search('b')],
  ],
  ['first', '<tool_call>\n{"name": "search_papers", "arguments": {"query": "dense"}}\n</tool_call>', [search('dense')]],
  ['first', '```json\n{"name": "search_papers", "parameters": {"query": "dense"}}\n```', [search('dense')]],
  ['first', '<|python_tag|>{"name": "search_papers", "parameters": {"query": "dense"}}<|eom_id|>', [search('dense')]],
  ['first', '<function=search_papers>{"query": "dense"}</function>', [search('dense')]],
  ['first', '[TOOL_CALLS] [{"name": "search_papers", "arguments": {"query": "dense"}}]', [search('dense')]],
  ['first', 'I could call search_papers to find papers about dense retrieval.', []],
  ['first', '{"search_papers": {"query": "dense"}}', [search('dense')]],
  ['first', 'I have called search_papers (twice) and know enough {really}.', []],
  [
    'second',
    '<tool_call>\n<function=search_papers>\n<parameter=query>\ndense retrieval\n</parameter>\n</function>\n</tool_call>',
    [search('dense retrieval')],
  ],
  [
    'second',
    "[search_papers(query='dense', limit=5)]",
    [{ name: 'search_papers', args: { query: 'dense', limit: 5 } }],
  ],
  ['second', '<|python_tag|>search_papers.call(query="dense")', [search('dense')]],
  [
    'second',
    '<|channel|>commentary to=functions.search_papers <|constrain|>json<|message|>{"query": "dense"}<|call|>',
    [search('dense')],
  ],
  [
    'second',
    '<function_calls><invoke name="search_papers"><parameter name="query">dense &amp; sparse</parameter></invoke></function_calls>',
    [search('dense & sparse')],
  ],
  [
    'second',
    '<tool_call>search_papers\n<arg_key>query</arg_key>\n<arg_value>dense</arg_value>\n</tool_call>',
    [search('dense')],
  ],
  [
    'second',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search_papers\n```json\n{"query":"dense"}\n```<｜tool▁call▁end｜>',
    [search('dense')],
  ],
  [
    'second',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.search_papers:0<|tool_call_argument_begin|>{"query": "dense"}<|tool_call_end|>',
    [search('dense')],
  ],
  [
    'second',
    '<functioncall> {"name": "search_papers", "arguments": \'{"query": "dense"}\'} </functioncall>',
    [search('dense')],
  ],
  ['second', '```tool_code\nprint(search_papers(query="dense (2024)"))\n```', [search('dense (2024)')]],
  ['second', 'Action: search_papers("dense")', [search('dense')]],
  ['second', 'search_papers\n{"query": "dense"}', [search('dense')]],
  ['second', 'Tool: search_papers\nInput: dense retrieval', [search('dense retrieval')]],
  ['second', '{"action": "search_papers", "action_input": {"query": "dense"}}', [search('dense')]],
  [
    'second',
    '{"function_call": {"name": "search_papers", "arguments": "{\\"query\\": \\"dense\\"}"}}',
    [search('dense')],
  ],
  ['second', 'The function search_papers(query) takes a query; I am done.', []],
  ['second', 'search_papers found three sources: {a, b, c}.', []],
];
