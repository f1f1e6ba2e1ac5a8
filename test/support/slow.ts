/** Options of a test that takes longer than a second: `npm run check` leaves it out, `npm test` runs it. */
export const slow = { skip: process.env['DEEP_RESEARCH_CHECK'] ? 'takes longer than a second' : false };
