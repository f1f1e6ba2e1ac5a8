/** For the adapters, which see the protocol through the engine alone. */
export { maskSecrets, redact } from '../../protocol/redact.ts';
