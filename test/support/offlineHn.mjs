// Preloaded into the real hn-mcp (node --import): its two hosts answer from here, and no other is asked.
const story = {
  objectID: '8863',
  title: 'My YC app: Dropbox',
  url: 'http://www.getdropbox.com/u/2/screencast.html',
  author: 'dhouston',
  points: 104,
  num_comments: 71,
  created_at: '2007-04-04T19:16:40Z',
  created_at_i: 1_175_714_200,
  story_text: null,
  _tags: ['story', 'author_dhouston', 'story_8863'],
};
const comment = {
  id: 8952,
  type: 'comment',
  author: 'brett',
  text: '<p>This is a <i>good</i> idea for syncing files.</p>',
  created_at: '2007-04-04T22:00:00Z',
  created_at_i: 1_175_724_000,
  parent_id: 8863,
  children: [],
};
const answers = [
  [
    /hn\.algolia\.com\/api\/v1\/search/,
    { hits: [story], nbHits: 1, page: 0, nbPages: 1, hitsPerPage: 20, query: 'dropbox' },
  ],
  [
    /hn\.algolia\.com\/api\/v1\/items\/8863/,
    {
      id: 8863,
      type: 'story',
      title: story.title,
      url: story.url,
      author: story.author,
      points: 104,
      created_at: story.created_at,
      created_at_i: story.created_at_i,
      children: [comment],
    },
  ],
  [
    /firebaseio\.com\/v0\/item\/8863/,
    {
      id: 8863,
      type: 'story',
      title: story.title,
      by: 'dhouston',
      time: 1_175_714_200,
      score: 104,
      url: story.url,
      kids: [8952],
      descendants: 1,
    },
  ],
  [
    /firebaseio\.com\/v0\/item\/8952/,
    { id: 8952, type: 'comment', by: 'brett', text: comment.text, time: 1_175_724_000, parent: 8863 },
  ],
];
globalThis.fetch = (input) => {
  const [, body] = answers.find(([address]) => address.test(String(input))) ?? [];
  if (body === undefined) return Promise.resolve(new Response('null', { status: 404 }));
  return Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }));
};
