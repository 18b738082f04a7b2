const MAX_LENGTH = 200;

/** Cuts a client's text for use in a message, by default after 200 characters. */
export function shorten(text: string, maxLength: number = MAX_LENGTH): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
