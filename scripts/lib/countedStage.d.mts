/** See countedStage.mjs. */
export function countedStage(
  output: string,
  code: number | null,
): { readonly passed: number; readonly failed: number; readonly remarks: readonly string[] };
