/** See build.mjs. */
export function stagePackage(): string;
