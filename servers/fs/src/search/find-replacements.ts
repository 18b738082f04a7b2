import type { JobControl } from '../walk/job-control.ts';
import { compileMatcher, type PatternQuery } from './pattern.ts';

export interface ReplacementQuery {
  readonly wanted: Omit<PatternQuery, 'multiline'>;
  /** Literal text; if `wanted` is a regular expression, references such as `$1` insert groups of the match. */
  readonly replacement: string;
  /** Texts with `\n` line endings. */
  readonly texts: readonly string[];
  /** Maximum number of matches in all texts. */
  readonly maxMatches: number;
  /** Maximum number of inserted characters in all texts. */
  readonly maxCharacters: number;
}

/** A match and its new text. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The replacements in one text. */
export interface TextReplacements {
  /** Index of the text in the query. */
  readonly text: number;
  readonly replacements: readonly Replacement[];
}

export interface ReplacementSummary {
  /** `limit`: too many matches; `size`: too many inserted characters. */
  readonly end: 'complete' | 'limit' | 'size' | 'time';
}

/** Reports the replacements in each text. Stops at the first text whose replacements exceed a limit or the time. */
export function findReplacements(query: ReplacementQuery, control: JobControl<TextReplacements>): ReplacementSummary {
  const finder = new Finder(query, control);
  for (const [index, text] of query.texts.entries()) {
    const { replacements, end } = finder.find(text);
    if (end !== 'complete') return { end };
    control.found({ text: index, replacements });
  }
  return { end: 'complete' };
}

class Finder {
  readonly #control: JobControl<TextReplacements>;
  readonly #matches: ReturnType<typeof compileMatcher>;
  readonly #expand: ReturnType<typeof compileReplacement>;
  #left: number;
  #room: number;

  constructor({ wanted, replacement, maxMatches, maxCharacters }: ReplacementQuery, control: JobControl<TextReplacements>) {
    this.#control = control;
    this.#matches = compileMatcher(wanted);
    this.#expand = compileReplacement(replacement, wanted.regex);
    this.#left = maxMatches;
    this.#room = maxCharacters;
  }

  find(text: string): ReplacementSummary & { readonly replacements: readonly Replacement[] } {
    const replacements: Replacement[] = [];
    for (const match of this.#matches(text)) {
      if (this.#control.isOver) return { replacements, end: 'time' };
      if (this.#left === 0) return { replacements, end: 'limit' };
      const newText = this.#expand(match, this.#room);
      if (newText === undefined) return { replacements, end: 'size' };
      this.#room -= newText.length;
      this.#left -= 1;
      replacements.push({ start: match.index, end: match.index + match[0].length, newText });
    }
    return { replacements, end: this.#control.checkNow() ? 'time' : 'complete' };
  }
}

/** Returns the new text of a match, or `undefined` if the new text has more than `maxCharacters` characters. */
type Expand = (match: RegExpExecArray, maxCharacters: number) => string | undefined;

/** Matches `$$`, `$&`, `$1` to `$99` and the start of `$<name>`. Any other text is literal. */
const REFERENCE = /\$(?:([$&])|(\d\d?)|<)/g;

/**
 * Compiles a replacement. For a literal text, the replacement is literal as well. For a regular expression, the rules of
 * `String.prototype.replace` apply: `$1` and `$<name>` insert groups, `$&` the match, `$$` a `$`. A reference to a missing
 * number is literal, and so is `$<name>` if the expression has no named group. Any other missing name, and a group without a
 * match, insert nothing.
 */
function compileReplacement(replacement: string, isExpression: boolean): Expand {
  if (!isExpression) return (_, maxCharacters) => (replacement.length > maxCharacters ? undefined : replacement);
  const parts = parseParts(replacement);
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

function parseParts(replacement: string): readonly Part[] {
  const parts: Part[] = [];
  const lastClosing = replacement.lastIndexOf('>');
  let position = 0;
  for (const { 0: opening, 1: sign, 2: digits, index } of replacement.matchAll(REFERENCE)) {
    const isNamed = sign === undefined && digits === undefined;
    // References inside a name, and a `$<` without a closing `>`, are literal text.
    if (index < position || (isNamed && index > lastClosing)) continue;
    const end = isNamed ? replacement.indexOf('>', index) + 1 : index + opening.length;
    const whole = replacement.slice(index, end);
    parts.push(replacement.slice(position, index), createReference({ whole, sign, digits, name: whole.slice(2, -1) }));
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

function createReference({ whole, sign, digits, name }: Reference): Part {
  if (sign !== undefined) return sign === '$' ? '$' : (match) => match[0];
  if (digits !== undefined) return (match) => insertGroup(match, digits);
  return ({ groups }) => (groups === undefined ? whole : (groups[name] ?? ''));
}

/** Returns the text for a numbered reference. A second digit is part of the reference only if a group with this number exists. */
function insertGroup(match: RegExpExecArray, digits: string): string {
  for (const length of [2, 1]) {
    const number = Number(digits.slice(0, length));
    if (digits.length >= length && number > 0 && number < match.length) return (match[number] ?? '') + digits.slice(length);
  }
  return `$${digits}`;
}
