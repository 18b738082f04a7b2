/** What comes in place of a match; `undefined` if that is longer than it may be. */
export type Expand = (match: RegExpExecArray, maxCharacters: number) => string | undefined;

/** Matches `$$`, `$&`, `$1` to `$99` and the start of `$<name>`. Any other text is literal. */
const REFERENCE = /\$(?:([$&])|(\d\d?)|<)/g;

/**
 * Reads a replacement as `String.prototype.replace` does: `$1` and `$<name>` stand for groups, `$&` for the match, `$$` for `$`; a group
 * that there is not stands for itself, one that took no part for nothing.
 */
export function replacementOf(replacement: string, isExpression: boolean): Expand {
  if (!isExpression) return (_, maxCharacters) => (replacement.length > maxCharacters ? undefined : replacement);
  const parts = partsOf(replacement);
  return (match, maxCharacters) => {
    const pieces: string[] = [];
    let length = 0;
    for (const part of parts) {
      const piece = typeof part === 'string' ? part : part(match);
      length += piece.length;
      if (length > maxCharacters) return undefined;
      pieces.push(piece);
    }
    return pieces.join('');
  };
}

type Part = string | ((match: RegExpExecArray) => string);

function partsOf(replacement: string): readonly Part[] {
  const parts: Part[] = [];
  const lastClosing = replacement.lastIndexOf('>');
  let position = 0;
  for (const { 0: opening, 1: sign, 2: digits, index } of replacement.matchAll(REFERENCE)) {
    const isNamed = sign === undefined && digits === undefined;
    // References inside a name, and a `$<` without a closing `>`, are literal text.
    if (index < position || (isNamed && index > lastClosing)) continue;
    const end = isNamed ? replacement.indexOf('>', index) + 1 : index + opening.length;
    const whole = replacement.slice(index, end);
    parts.push(replacement.slice(position, index), referenceOf({ whole, sign, digits, name: whole.slice(2, -1) }));
    position = end;
  }
  return [...parts, replacement.slice(position)];
}

interface Reference {
  readonly whole: string;
  readonly sign: string | undefined;
  readonly digits: string | undefined;
  readonly name: string;
}

function referenceOf({ whole, sign, digits, name }: Reference): Part {
  if (sign !== undefined) return sign === '$' ? '$' : (match) => match[0];
  if (digits !== undefined) return (match) => numbered(match, digits);
  return ({ groups }) => (groups === undefined ? whole : (groups[name] ?? ''));
}

/** Of two digits the second one counts only where there are so many groups. */
function numbered(match: RegExpExecArray, digits: string): string {
  for (const length of [2, 1]) {
    const number = Number(digits.slice(0, length));
    if (digits.length >= length && number > 0 && number < match.length) return (match[number] ?? '') + digits.slice(length);
  }
  return `$${digits}`;
}
