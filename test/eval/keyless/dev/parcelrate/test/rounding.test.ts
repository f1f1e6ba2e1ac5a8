it.each([
  [2.125, 2.1],
  [2.175, 2.2],
  [0.024, 0],
])('rounds %d to %d', (from, to) => expect(roundTo(from, { mode: 'half-even', step: 0.05 })).toBeCloseTo(to));
