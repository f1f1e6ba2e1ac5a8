/** Re-exported, because adapters import nothing from `src/markdown`. */
export { lexBlocks } from '../../markdown/lexer.ts';
