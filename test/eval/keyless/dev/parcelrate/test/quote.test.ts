describe('quote', () => {
  it('bills the dimensional weight of a pillow', () => {
    expect(dimensionalWeight({ length: 60, width: 40, height: 30, carrier: 'swiftlet' })).toBe(18);
  });
  it('leaves out a carrier that is late', async () => { /* fake timers */ });
  it('answers 503 when nobody is there', async () => {});
});
