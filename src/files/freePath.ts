import path from 'node:path';

/** The path, else with the first number from 2 on with which nothing is there. */
export function freePath(wanted: string, isTaken: (file: string) => boolean): string {
  const { dir, name, ext } = path.parse(wanted);
  for (let number = 1; ; number++) {
    const file = number === 1 ? wanted : path.join(dir, `${name}-${number}${ext}`);
    if (!isTaken(file)) return file;
  }
}
