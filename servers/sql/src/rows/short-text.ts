const MAX_SHOWN = 200;

/** Truncates a text to 200 characters and appends its full length. */
export function shortText(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… [${text.length} characters]` : text;
}
