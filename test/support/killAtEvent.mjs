// node --import …: `kill -9` of this process by itself, at the moment when it tells of an event of the type in the environment.
const { DEEP_RESEARCH_KILL_AT: type } = process.env;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => {
  const written = write(chunk, ...rest);
  if (type && String(chunk).startsWith(`{"type":"${type}"`)) process.kill(process.pid, 'SIGKILL');
  return written;
};
