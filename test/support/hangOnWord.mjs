// node --import …: a parser that never comes back, from the moment when the run has begun: whatever looks for a pattern in a text
// with the word of the environment.
const { DEEP_RESEARCH_HANG_ON: word } = process.env;
let begun = false;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => {
  begun ||= /^\{"type":"run\/(?:started|resumed)"/.test(String(chunk));
  return write(chunk, ...rest);
};
for (const name of ['split', 'replace', 'matchAll', 'match']) {
  const original = String.prototype[name];
  String.prototype[name] = function (...values) {
    if (begun && word && this.includes(word)) for (;;);
    return original.apply(this, values);
  };
}
