import { sha256 as hash } from '@langchain/core/utils/hash';

/** SHA-256 in hex, without Node's crypto: research/ runs anywhere. The library's own type says `any`. */
export const sha256 = hash as (text: string) => string;
