const id = '20260101-000000-abcdef';

/**
 * Calls of the server's tools that no honest client makes: huge, deep, of wrong types, with paths outside of the folder, with what a tool
 * doesn't take. All of them are refused but for searches of odd words, which find nothing.
 *
 * @param outside Absolute path of a file that is not in the folder.
 */
export function hostileCalls(question: string, outside: string): readonly (readonly [string, unknown])[] {
  let deep: object = {};
  for (let level = 0; level < 1_000; level += 1) deep = { a: deep };
  return [
    ...['../../etc/passwd', '', id, 'x'.repeat(100_000), '..', '20260101-000000-abcdef/../x', 7, null, [], {}].map(
      (wrong) => ['get_research', { id: wrong }] as const,
    ),
    ['get_research', { id, waitSeconds: 1e9 }],
    ['get_research', {}],
    ['read_report', { id: '../runs' }],
    ['read_evidence', { id, citation: -1 }],
    ['read_evidence', { id, citation: 1e99 }],
    ['start_research', {}],
    ['start_research', { question: '' }],
    ['start_research', { question: 'x'.repeat(30_000) }],
    ['start_research', { question: 7 }],
    ['start_research', { question, resume: id }],
    ['start_research', { question, planApproval: 'never' }],
    ['start_research', { question, depth: 'bottomless' }],
    ['start_research', { question, attachments: ['/etc/passwd'] }],
    ['start_research', { question, attachments: ['../plain.json'] }],
    ['start_research', { question, attachments: [outside] }],
    ['start_research', { question, attachments: ['.env'] }],
    ['start_research', { question, attachments: Array.from({ length: 100 }, () => 'batteries.md') }],
    ['start_research', { resume: '../../x' }],
    ['search_workspace', { query: '\u0000' }],
    ['search_workspace', { query: 'x', path: '/etc' }],
    ['search_reports', { query: 'x', limit: 1e6 }],
    ['follow_up', { id, question }],
    ['steer_research', { id, section: {}, remark: [] }],
    ['answer_research', { id, answer: 'yes' }],
    ['search_workspace', deep],
    ['search_workspace', { query: deep }],
  ];
}
