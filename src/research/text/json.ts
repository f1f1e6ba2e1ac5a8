/** For the adapters, which see the protocol through the engine alone. */
export { isRecord, type Json, parseJson } from '../../protocol/json.ts';
