/** A value as one word of the platform's shell, to be copied: nothing in it is expanded or run by a POSIX shell. */
export function shellWord(value: string, platform: NodeJS.Platform): string {
  const plain = platform === 'win32' ? /^[\w./:\\-]+$/ : /^[\w./:-]+$/;
  if (plain.test(value)) return value;
  return platform === 'win32' ? `"${value}"` : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
