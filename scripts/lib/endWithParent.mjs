// Loaded into the editor's server: it ends when the command that started it is gone, even by SIGKILL, and leaves no
// open editor behind. The pipe that is the server's standard input closes with the parent.
if (String(process.ppid) === process.env.DEEP_RESEARCH_EDITOR_PARENT) {
  // Processes that the server starts inherit this import; they have another parent and are left alone.
  delete process.env.DEEP_RESEARCH_EDITOR_PARENT;
  process.stdin.resume();
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.on('error', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.unref?.();
}
