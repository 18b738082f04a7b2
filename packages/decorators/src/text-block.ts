/** The lines around a body. */
interface Around {
  readonly note?: string | undefined;
  readonly title?: string | undefined;
}

/** A last line that looks like a note of the server. */
const LIKE_A_NOTE = /(?:^|\n)\[[^\n]*\]\r?\n?$/;

/**
 * Joins a body with its title and its note. If the last line is in brackets, it is the server's: a note follows a body that ends with
 * such a line.
 */
export function textBlock(body: string, { note = noteOf(body), title = 'Text' }: Around): string {
  if (note === undefined) return isJson(body) ? `${title}:\n${body}` : body;
  const block = `${body}${body === '' || body.endsWith('\n') ? '' : '\n'}[${note}]`;
  return isJson(block) || isJson(body) ? `${title}:\n${block}` : block;
}

/** Returns whether a host could parse a text as JSON. */
function isJson(text: string): boolean {
  const trimmed = text.trim();
  if (!/^["{[\-\dtfn]/.test(trimmed)) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}

function noteOf(body: string): string | undefined {
  if (body === '') return 'The text is empty.';
  if (!LIKE_A_NOTE.test(body) || isJson(body)) return undefined;
  return body.endsWith('\n') ? 'The text ends here.' : 'The text ends here, without a line break.';
}
