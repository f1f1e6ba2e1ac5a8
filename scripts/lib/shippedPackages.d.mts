/** See shippedPackages.mjs. */
export function writeShippedPackages(): void;
