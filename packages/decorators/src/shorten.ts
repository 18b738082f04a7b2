const SHOWN = 200;

/** A text of the client's as messages repeat it: no more than its beginning. */
export function shorten(text: string, most: number = SHOWN): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
