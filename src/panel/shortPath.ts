/** A path below one of the folders, from there; of any other the file's name. */
export function shortPath(path: string, folders: readonly string[]): string {
  const slashes = path.replaceAll('\\', '/');
  const folder = folders
    .map((one) => one.replaceAll('\\', '/').replace(/\/?$/, '/'))
    .find((one) => slashes.startsWith(one));
  if (folder !== undefined) return slashes.slice(folder.length);
  return /^(?:\/|[a-z]:)/i.test(slashes) ? slashes.slice(slashes.lastIndexOf('/') + 1) : slashes;
}
