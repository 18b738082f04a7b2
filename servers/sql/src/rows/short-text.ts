const MAX_SHOWN = 200;

/** A text cut to 200 characters, which says so. */
export function shortText(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… [${text.length} characters]` : text;
}
