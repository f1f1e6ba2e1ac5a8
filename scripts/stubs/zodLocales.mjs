// 51 translations of zod's messages (258 kB), of which the one that zod sets by itself is used.
export { default as en } from 'zod/v4/locales/en.js';
