import type { Plugin } from 'esbuild';

export const stubPlugin: Plugin;
