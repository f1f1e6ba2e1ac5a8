/** What a warning says: in the user's language where its English is translated, else in that of the report. */
export function shownWarning(
  { message, english = message }: { readonly message: string; readonly english?: string | undefined },
  localize: (text: string) => string,
): string {
  const shown = localize(english);
  return shown === english ? message : shown;
}
