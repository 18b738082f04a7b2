/** Escapes that mean a line break, too, and what means the same without it. */
const OUTSIDE: Readonly<Record<string, string>> = {
  s: String.raw`[^\S\r\n]`,
  D: String.raw`[^\d\r\n]`,
  W: String.raw`[^\w\r\n]`,
};

/** Of all else that may mean a line break it is not known how to say the same without. */
const UNKNOWN_OUTSIDE = /[Pnrxucv0]/;
const UNKNOWN_INSIDE = /[sDWSPnrxucv0]/;

/**
 * A regular expression that finds in a whole text what another one finds in each of its lines: it matches no line break. So a file is
 * searched by one call instead of one for each line, and what is repeated never runs on to the end of the file.
 *
 * @param source as it stands between slashes; valid
 * @returns `undefined` where that is not known how to say; each line has then to be looked at by itself
 */
export function confineToLine(source: string): string | undefined {
  // They look at what is around a match, and around a line there is nothing.
  if (/\(\?<?[=!]/.test(source)) return undefined;
  let confined = '';
  for (let position = 0; position < source.length;) {
    const part = source[position] === '[' ? classAt(source, position) : characterAt(source, position);
    if (part === undefined) return undefined;
    confined += part.text;
    position += part.length;
  }
  return confined;
}

interface Part {
  readonly text: string;
  /** Of what it stands for. */
  readonly length: number;
}

function characterAt(source: string, position: number): Part | undefined {
  const character = source[position] ?? '';
  if (character !== '\\') return character === '\n' || character === '\r' ? undefined : { text: character, length: 1 };
  const escaped = source[position + 1] ?? '';
  if (UNKNOWN_OUTSIDE.test(escaped)) return undefined;
  return { text: OUTSIDE[escaped] ?? character + escaped, length: 2 };
}

function classAt(source: string, position: number): Part | undefined {
  const isNegated = source[position + 1] === '^';
  const begin = position + (isNegated ? 2 : 1);
  const end = classEnd(source, begin);
  const members = source.slice(begin, end);
  if (isNegated) return { text: `[^${members}\\r\\n]`, length: end + 1 - position };
  const isKnown = [...members.matchAll(/\\(.)/gs)].every(([, escaped = '']) => !UNKNOWN_INSIDE.test(escaped));
  // A range may begin before a line break and end after it.
  const isVisible = Array.from(members).every((member) => member >= ' ');
  return isKnown && isVisible ? { text: `[${members}]`, length: end + 1 - position } : undefined;
}

function classEnd(source: string, begin: number): number {
  let end = begin;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end;
}
