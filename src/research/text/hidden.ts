/** Re-exported, because adapters import nothing from `src/markdown`. */
export { oneLine, stripHidden } from '../../markdown/hidden.ts';
