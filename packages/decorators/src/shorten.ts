const SHOWN = 200;

/** A text of the client's as messages repeat it: no more than its beginning. */
export function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
