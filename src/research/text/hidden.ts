/** For the adapters, which see the ground floor through the engine alone. */
export { oneLine, stripHidden } from '../../markdown/hidden.ts';
