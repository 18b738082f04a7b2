/** One character of a segment, or a star. */
type Token = { readonly kind: 'star' } | { readonly kind: 'one'; readonly accepts: (character: string) => boolean };

/** One part between slashes; `**` stands for any number of them. */
type Segment = 'globstar' | readonly Token[];

/** More alternatives in braces than this are a bomb, not a pattern. */
const MAX_ALTERNATIVES = 64;
const STAR: Token = { kind: 'star' };

/** A glob that cannot be used, with the reason. */
export class GlobError extends Error {
  override readonly name: string = 'GlobError';
}

/**
 * A matcher of relative paths, with `/` between their parts: `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, `**` and `\` before a character
 * that is meant literally. Names that begin with a dot are like others.
 *
 * Its time is at most the product of both lengths: the libraries for globs translate to regular expressions, and there a
 * pattern of six characters holds the process for good.
 *
 * @throws GlobError
 */
export function compileGlob(pattern: string): (relative: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => alternative.split('/').map(parseSegment));
  return (relative) => {
    const parts = relative.split('/').map((part) => Array.from(part));
    return alternatives.some((segments) => matchSequence(segments, parts, isGlobstar, matchSegment));
  };
}

function isGlobstar(segment: Segment): boolean {
  return segment === 'globstar';
}

function matchSegment(segment: Segment, characters: readonly string[]): boolean {
  return segment !== 'globstar' && matchSequence(segment, characters, isStar, matchCharacter);
}

function isStar(token: Token): boolean {
  return token.kind === 'star';
}

function matchCharacter(token: Token, character: string): boolean {
  return token.kind === 'one' && token.accepts(character);
}

/**
 * Whether items match a pattern in which some elements stand for any number of items. After a mismatch only the last such
 * element has to take one item more: what an earlier one could take, it can.
 */
function matchSequence<Element, Item>(
  pattern: readonly Element[],
  items: readonly Item[],
  isAny: (element: Element) => boolean,
  matches: (element: Element, item: Item) => boolean,
): boolean {
  let at = 0;
  let any = -1;
  let resume = 0;
  for (let position = 0; position < items.length;) {
    const element = pattern[at];
    const item = items[position];
    if (element !== undefined && isAny(element)) {
      any = at;
      resume = position;
      at += 1;
    } else if (element !== undefined && item !== undefined && matches(element, item)) {
      at += 1;
      position += 1;
    } else if (any === -1) return false;
    else {
      resume += 1;
      position = resume;
      at = any + 1;
    }
  }
  return pattern.slice(at).every(isAny);
}

function expandBraces(pattern: string): readonly string[] {
  const open = unescaped(pattern, '{');
  const close = open === -1 ? -1 : closingBrace(pattern, open);
  if (close === -1) return [pattern];
  const options = splitOptions(pattern.slice(open + 1, close));
  if (options.length < 2)
    return expandRest(pattern.slice(0, close + 1).replaceAll(/[{}]/g, String.raw`\$&`), pattern.slice(close + 1));
  const heads = options.flatMap((option) => expandBraces(pattern.slice(0, open) + option));
  return bounded(heads.flatMap((head) => expandRest(head, pattern.slice(close + 1))));
}

function expandRest(head: string, rest: string): readonly string[] {
  return expandBraces(rest).map((tail) => head + tail);
}

function bounded(alternatives: readonly string[]): readonly string[] {
  if (alternatives.length > MAX_ALTERNATIVES) throw new GlobError(`it stands for more than ${MAX_ALTERNATIVES} patterns`);
  return alternatives;
}

function closingBrace(pattern: string, open: number): number {
  let depth = 0;
  for (let position = open; position < pattern.length; position += 1) {
    const character = pattern[position];
    if (character === '\\') position += 1;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return position;
  }
  return -1;
}

function splitOptions(inner: string): readonly string[] {
  const options = [''];
  let depth = 0;
  for (let position = 0; position < inner.length; position += 1) {
    const character = inner[position] ?? '';
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth === 0) options.push('');
    else options[options.length - 1] += character === '\\' ? character + (inner[++position] ?? '') : character;
  }
  return options;
}

function unescaped(pattern: string, wanted: string): number {
  for (let position = 0; position < pattern.length; position += 1) {
    if (pattern[position] === '\\') position += 1;
    else if (pattern[position] === wanted) return position;
  }
  return -1;
}

function parseSegment(text: string): Segment {
  if (text === '**') return 'globstar';
  const tokens: Token[] = [];
  const characters = Array.from(text);
  for (let position = 0; position < characters.length; position += 1) {
    const character = characters[position] ?? '';
    const end = character === '[' ? characters.indexOf(']', position + 2) : -1;
    if (character === '*') tokens.push(STAR);
    else if (character === '?') tokens.push({ kind: 'one', accepts: () => true });
    else if (end !== -1) {
      tokens.push({ kind: 'one', accepts: characterClass(characters.slice(position + 1, end)) });
      position = end;
    } else {
      const literal = character === '\\' ? (characters[(position += 1)] ?? '\\') : character;
      tokens.push({ kind: 'one', accepts: (candidate) => candidate === literal });
    }
  }
  return tokens;
}

function characterClass(characters: readonly string[]): (character: string) => boolean {
  const negated = characters[0] === '!' || characters[0] === '^';
  const members = negated ? characters.slice(1) : characters;
  const ranges: (readonly [string, string])[] = [];
  for (let position = 0; position < members.length; position += 1) {
    const from = members[position] ?? '';
    const isRange = members[position + 1] === '-' && members[position + 2] !== undefined;
    ranges.push([from, isRange ? (members[position + 2] ?? from) : from]);
    if (isRange) position += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated;
}
