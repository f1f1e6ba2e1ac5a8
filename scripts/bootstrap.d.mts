/** `server`: the folder that holds out/server-main.js; `node`: the binary that runs it. */
export function installOldEditor(version: string): Promise<{ readonly server: string; readonly node: string }>;
