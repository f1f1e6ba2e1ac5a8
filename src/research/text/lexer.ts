/** For the adapters, which see the ground floor through the engine alone. */
export { lexBlocks } from '../../markdown/lexer.ts';
