/** One character of a segment, or a star. */
type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean; readonly literal?: string };

/** One part between slashes; `**` stands for any number of them. */
type Segment = 'globstar' | ((part: string) => boolean);

/** Whether a glob matches a relative path. Who knows the last name in it may pass it, too, and is answered sooner. */
export type GlobMatcher = (relative: string, name?: string) => boolean;

/** Replaces the literal characters of a glob, and the members of its classes. It does not add or remove special characters. */
export type Fold = (literal: string) => string;

/** More alternatives in braces than this are a bomb, not a pattern. */
const MAX_ALTERNATIVES = 64;
/** Maximum number of opening braces. Expanding them takes a stack frame for each. */
const MAX_BRACES = 256;
export const UNFOLDED: Fold = (literal) => literal;
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
export function compileGlob(pattern: string): GlobMatcher {
  return compileFoldedGlob(pattern, UNFOLDED);
}

/**
 * Like {@link compileGlob}, for paths that are folded, too.
 *
 * @throws GlobError
 */
export function compileFoldedGlob(pattern: string, fold: Fold): GlobMatcher {
  const compile = (segment: string): Segment => compileSegment(segment, fold);
  const alternatives = alternativesOf(pattern).map((alternative) => matcherOf(alternative.split('/').map(compile)));
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) return only;
  return (relative, name) => alternatives.some((matches) => matches(relative, name));
}

/**
 * Compiles globs without a slash into a matcher of names. Most globs are words and extensions, which are looked up in sets, so that
 * hundreds of globs take no longer than a few.
 *
 * @throws GlobError
 */
export function compileNames(patterns: readonly string[], fold: Fold = UNFOLDED): (name: string) => boolean {
  const table: NameTable = { words: new Set(), extensions: new Set(), byFirst: new Map() };
  for (const tokens of patterns.flatMap(alternativesOf).map((text) => parseTokens(text, fold))) addTo(table, tokens);
  const { words, extensions, byFirst } = table;
  const isOther = (name: string, key: string): boolean => byFirst.get(key)?.some((matches) => matches(name)) === true;
  return (name) => words.has(name) || extensions.has(extensionOf(name)) || isOther(name, '') || isOther(name, name.slice(0, 1));
}

interface NameTable {
  readonly words: Set<string>;
  /** Extensions of globs such as `*.pem`. */
  readonly extensions: Set<string>;
  /** Other globs by their first character, or by an empty string if that is not literal. */
  readonly byFirst: Map<string, ((name: string) => boolean)[]>;
}

function addTo({ words, extensions, byFirst }: NameTable, tokens: readonly Token[]): void {
  const pieces = literalPieces(tokens) ?? ['', '', ''];
  const [first = '', last = ''] = pieces;
  if (pieces.length === 1) words.add(first);
  else if (pieces.length === 2 && first === '' && last.lastIndexOf('.') === 0) extensions.add(last);
  else byFirst.set(first.slice(0, 1), [...(byFirst.get(first.slice(0, 1)) ?? []), segmentMatcher(tokens)]);
}

/** Returns the extension with its dot. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}

function matcherOf(segments: readonly Segment[]): GlobMatcher {
  const last = segments.at(-1);
  const matchesAll = (relative: string): boolean => matchSequence(segments, relative.split('/'), isGlobstar, matchSegment);
  if (last === undefined || last === 'globstar') return matchesAll;
  // Most paths are told apart by their names.
  const matchesName: GlobMatcher = (relative, name = relative.slice(relative.lastIndexOf('/') + 1)) => last(name);
  if (segments.length === 2 && segments[0] === 'globstar') return matchesName;
  return (relative, name) => matchesName(relative, name) && matchesAll(relative);
}

function isGlobstar(segment: Segment): boolean {
  return segment === 'globstar';
}

function matchSegment(segment: Segment, part: string): boolean {
  return segment !== 'globstar' && segment(part);
}

function compileSegment(text: string, fold: Fold): Segment {
  return text === '**' ? 'globstar' : segmentMatcher(parseTokens(text, fold));
}

function segmentMatcher(tokens: readonly Token[]): (part: string) => boolean {
  const pieces = literalPieces(tokens);
  if (pieces !== undefined) return (part) => matchPieces(pieces, part);
  return (part) => matchSequence(tokens, Array.from(part), isStar, matchCharacter);
}

/** The texts between the stars, of a segment that has nothing else. */
function literalPieces(tokens: readonly Token[]): readonly string[] | undefined {
  const pieces = [''];
  for (const token of tokens) {
    if (token.kind === 'star') pieces.push('');
    else if (token.literal === undefined) return undefined;
    else pieces[pieces.length - 1] += token.literal;
  }
  return pieces;
}

function matchPieces(pieces: readonly string[], part: string): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) return part === first;
  if (part.length < first.length + last.length || !part.startsWith(first) || !part.endsWith(last)) return false;
  let from = first.length;
  for (let index = 1; index < pieces.length - 1; index += 1) {
    const piece = pieces[index] ?? '';
    const at = part.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return from <= part.length - last.length;
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

/** @throws GlobError */
function alternativesOf(pattern: string): readonly string[] {
  if (pattern.split('{').length > MAX_BRACES + 1) throw new GlobError(`it has more than ${MAX_BRACES} opening braces`);
  return expandBraces(pattern);
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

function parseTokens(text: string, fold: Fold): readonly Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(text);
  const lastClosing = characters.lastIndexOf(']');
  for (let position = 0; position < characters.length; position += 1) {
    const character = characters[position] ?? '';
    // Searching the rest for each opening bracket would take quadratic time without a closing bracket.
    const end = character === '[' && position < lastClosing ? characters.indexOf(']', position + 2) : -1;
    if (character === '*') tokens.push(STAR);
    else if (character === '?') tokens.push({ kind: 'one', accepts: () => true });
    else if (end !== -1) {
      tokens.push({ kind: 'one', accepts: characterClass(characters.slice(position + 1, end), fold) });
      position = end;
    } else {
      tokens.push(literalToken(character === '\\' ? (characters[(position += 1)] ?? '\\') : character));
    }
  }
  return foldLiterals(tokens, fold);
}

function literalToken(literal: string): Token {
  return { kind: 'one', accepts: (candidate) => candidate === literal, literal };
}

/** Adjacent characters are folded together, because a letter and a combining mark may become one character. */
function foldLiterals(tokens: readonly Token[], fold: Fold): readonly Token[] {
  const folded: Token[] = [];
  let run = '';
  const endRun = (): void => {
    folded.push(...Array.from(fold(run), literalToken));
    run = '';
  };
  for (const token of tokens) {
    if (token.kind === 'one' && token.literal !== undefined) run += token.literal;
    else {
      endRun();
      folded.push(token);
    }
  }
  endRun();
  return folded;
}

function characterClass(characters: readonly string[], fold: Fold): (character: string) => boolean {
  const negated = characters[0] === '!' || characters[0] === '^';
  const members = negated ? characters.slice(1) : characters;
  const ranges: (readonly [string, string])[] = [];
  for (let position = 0; position < members.length; position += 1) {
    const from = members[position] ?? '';
    const isRange = members[position + 1] === '-' && members[position + 2] !== undefined;
    ranges.push([fold(from), fold(isRange ? (members[position + 2] ?? from) : from)]);
    if (isRange) position += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated;
}
