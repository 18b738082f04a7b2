import { expandAlternatives } from './glob-braces.ts';

/** A star, or a matcher of one character. */
type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean; readonly literal?: string };

/** One part between slashes; `**` matches any number of parts. */
type Segment = 'globstar' | ((part: string) => boolean);

/**
 * Returns whether a glob matches a relative path. A caller that knows the last name of the path can pass it to make the check
 * faster.
 */
export type GlobMatcher = (relative: string, name?: string) => boolean;

/** Replaces the literal characters of a glob, and the members of its classes. It does not add or remove special characters. */
export type Fold = (literal: string) => string;

export const UNFOLDED: Fold = (literal) => literal;
const STAR: Token = { kind: 'star' };

/**
 * Compiles a glob into a matcher of relative paths with `/` as separator. Supports `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, `**`,
 * and `\` before a literal character. Names that begin with a dot are matched like others.
 *
 * Matching takes time proportional to at most the product of both lengths. Libraries that translate globs to regular expressions
 * can block the process forever on a pattern of six characters.
 *
 * @throws GlobError
 */
export function compileGlob(pattern: string): GlobMatcher {
  return compileFoldedGlob(pattern, UNFOLDED);
}

/**
 * Compiles a glob like {@link compileGlob}, but into a matcher of folded paths.
 *
 * @throws GlobError
 */
export function compileFoldedGlob(pattern: string, fold: Fold): GlobMatcher {
  const compile = (segment: string): Segment => compileSegment(segment, fold);
  const alternatives = expandAlternatives(pattern).map((alternative) => createMatcher(alternative.split('/').map(compile)));
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) return only;
  return (relative, name) => alternatives.some((matches) => matches(relative, name));
}

/** Globs without a slash. */
export interface NameGlobs {
  readonly patterns: readonly string[];
  /** Default: the literal characters stay unchanged. */
  readonly fold?: Fold;
}

/**
 * Compiles globs into a matcher of names. Most globs are words and extensions, which are looked up in sets. So
 * hundreds of globs take no longer than a few.
 *
 * @throws GlobError
 */
export function compileNames(...globs: readonly NameGlobs[]): (name: string) => boolean {
  const table: NameTable = { extensions: new Set(), ends: new Set(), byFirst: new Map() };
  for (const { patterns, fold = UNFOLDED } of globs)
    for (const pattern of patterns.flatMap(expandAlternatives)) addToTable(table, pattern, fold);
  const { extensions, ends, byFirst } = table;
  const unknownFirst = getGroup(byFirst, '');
  return (name) => {
    if (ends.has(getEnd(name)) && extensions.has(getExtension(name))) return true;
    const group = byFirst.get(name.slice(0, 1));
    return isInGroup(unknownFirst, name) || (group !== undefined && isInGroup(group, name));
  };
}

interface NameTable {
  /** Extensions of globs such as `*.pem`. */
  readonly extensions: Set<string>;
  /** The last two characters of each extension. */
  readonly ends: Set<number>;
  /** All other globs, by the literal character with which the glob begins. The key is empty if no such character is known. */
  readonly byFirst: Map<string, NameGroup>;
}

interface NameGroup {
  /** Globs without special characters. */
  readonly words: Set<string>;
  readonly matchers: ((name: string) => boolean)[];
}

function addToTable({ extensions, ends, byFirst }: NameTable, pattern: string, fold: Fold): void {
  const pieces = literalPieces(pattern, fold) ?? ['', '', ''];
  const [first = '', last = ''] = pieces;
  const group = getGroup(byFirst, first.slice(0, 1));
  if (pieces.length === 1) group.words.add(first);
  else if (pieces.length === 2 && first === '' && last.length > 1 && last.lastIndexOf('.') === 0) {
    extensions.add(last);
    ends.add(getEnd(last));
  } else group.matchers.push(segmentMatcher(pattern, fold));
}

function getGroup(groups: Map<string, NameGroup>, first: string): NameGroup {
  const group = groups.get(first) ?? { words: new Set(), matchers: [] };
  groups.set(first, group);
  return group;
}

function isInGroup({ words, matchers }: NameGroup, name: string): boolean {
  // The size is checked first, because looking up a name computes its hash, and a loop needs no function call. So most names of a
  // walk need neither.
  if (words.size > 0 && words.has(name)) return true;
  for (const matches of matchers) if (matches(name)) return true;
  return false;
}

/** Returns a number for the last two characters of a name. Most names of a walk are excluded by it, without a new string. */
export function getEnd(name: string): number {
  return name.charCodeAt(name.length - 2) * 0x1_0000 + name.charCodeAt(name.length - 1);
}

/** Returns the end of a name from its last dot; empty for a name without a dot. */
export function getExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}

function createMatcher(segments: readonly Segment[]): GlobMatcher {
  const last = segments.at(-1);
  const matchesAll = (relative: string): boolean => matchSequence(segments, relative.split('/'), isGlobstar, matchSegment);
  if (last === undefined || last === 'globstar') return matchesAll;
  // The last name is compared first, because it excludes most paths.
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
  return text === '**' ? 'globstar' : segmentMatcher(text, fold);
}

function segmentMatcher(text: string, fold: Fold): (part: string) => boolean {
  const pieces = literalPieces(text, fold);
  if (pieces !== undefined) return (part) => matchPieces(pieces, part);
  const tokens = parseTokens(text, fold);
  return (part) => matchSequence(tokens, Array.from(part), isStar, matchCharacter);
}

/** Returns the texts between the stars of a segment; `undefined` if the segment contains other special characters. */
function literalPieces(text: string, fold: Fold): readonly string[] | undefined {
  // Nearly all segments are split here; parsing takes several times as long.
  if (!/[?[\\]/.test(text)) return text.split('*').map(fold);
  const pieces = [''];
  for (const token of parseTokens(text, fold)) {
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
 * Returns whether items match a pattern in which some elements match any number of items. After a mismatch, only the last such
 * element has to take one more item, because it can take whatever an earlier one could.
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

/** Folds adjacent characters together, because a letter and a combining mark may become one character. */
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
