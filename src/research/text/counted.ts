/** `1 source`, `1,200 sources`: a number of things, in English. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}
