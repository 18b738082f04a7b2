import { createHash } from 'node:crypto';

import { isScope } from '@org/mcp-decorators';

/** Each request is compared with all of them; who has more clients needs an authorization server. */
const MAX_TOKENS = 1000;
/** What is shorter can be guessed. */
const MIN_LENGTH = 16;
/** The end of the year 9999, because the SDK takes no token that never ends. */
const NEVER = 253_402_300_799;

const HASH = /^sha256:([\da-f]{64})$/i;
/** What an Authorization header can carry: token68 of RFC 9110 §11.2. */
const TOKEN = /^[\w.~+/-]+=*$/;
const EXPIRY = /^expires=((\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\dZ)?)$/;

/** A token of a file. */
export interface FileToken {
  /** Where it stands, from 1 on. */
  readonly line: number;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  /** Whether the file holds the token itself. */
  readonly plain: boolean;
  /** In seconds since the epoch. */
  readonly expiresAt: number;
}

/** The tokens of a file, and what is wrong with it, to be said after its name; without anything that stands in it. */
export interface TokenLines {
  readonly tokens: readonly FileToken[];
  readonly problems: readonly string[];
}

/**
 * Reads lines of `CLIENT TOKEN SCOPE…`: the token, or `sha256:` and the hexadecimal digits of its hash; among the scopes perhaps
 * `expires=2027-01-31` or `expires=2027-01-31T12:00:00Z`. A word that begins with `#` makes the rest of its line a comment.
 */
export function parseTokenLines(text: string): TokenLines {
  const tokens: FileToken[] = [];
  const problems: string[] = [];
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const words = wordsOf(content);
    const token = words.length === 0 ? undefined : parseWords(words, index + 1);
    if (typeof token === 'string') problems.push(`in line ${index + 1}: ${token}`);
    else if (token !== undefined) tokens.push(token);
  }
  if (tokens.length > MAX_TOKENS) problems.push(`holds ${tokens.length} tokens, and ${MAX_TOKENS} are allowed`);
  return { tokens, problems: [...problems, ...repetitions(tokens)] };
}

function wordsOf(line: string): readonly string[] {
  const words = line.split(/\s+/).filter((word) => word !== '');
  const comment = words.findIndex((word) => word.startsWith('#'));
  return comment === -1 ? words : words.slice(0, comment);
}

/** What the words of a line say, or what is wrong with them. Words may have changed places, so that any of them may be the token. */
function parseWords([clientId = '', token = '', ...rest]: readonly string[], line: number): FileToken | string {
  const settings = rest.filter((word) => word.includes('='));
  const scopes = rest.filter((word) => !word.includes('='));
  const expiresAt = expiryIn(settings);
  const problem = clientProblem(clientId) ?? tokenProblem(token) ?? scopesProblem(scopes);
  if (problem !== undefined) return problem;
  if (expiresAt === undefined) return 'what has "=" must be one expires=2027-01-31 or expires=2027-01-31T12:00:00Z';
  const hash = HASH.exec(token)?.[1];
  const digest = hash === undefined ? createHash('sha256').update(token).digest() : Buffer.from(hash, 'hex');
  return { line, clientId, scopes, digest, plain: hash === undefined, expiresAt };
}

function clientProblem(clientId: string): string | undefined {
  return /^[!-~]+$/.test(clientId) ? undefined : 'the client must be printable ASCII';
}

function tokenProblem(token: string): string | undefined {
  if (token === '') return 'it has no token; a line is CLIENT TOKEN SCOPE…';
  if (/^sha256:/i.test(token)) return HASH.test(token) ? undefined : 'after sha256: there must be 64 hexadecimal digits';
  if (!TOKEN.test(token)) return 'the token may have letters, digits and - . _ ~ + / alone, and = at its end';
  return token.length < MIN_LENGTH ? `the token is shorter than ${MIN_LENGTH} characters` : undefined;
}

function scopesProblem(scopes: readonly string[]): string | undefined {
  if (scopes.length === 0) return 'it has no scope; read and write are those of tools that name none';
  return scopes.every(isScope) ? undefined : 'a scope must be printable ASCII without double quotes and backslashes';
}

function expiryIn(settings: readonly string[]): number | undefined {
  if (settings.length === 0) return NEVER;
  const [, moment, day] = EXPIRY.exec(settings.join(' ')) ?? [];
  if (moment === undefined || day === undefined || Number.isNaN(Date.parse(moment))) return undefined;
  const date = new Date(moment);
  // A 30th of February is parsed as the 2nd of March.
  return date.toISOString().startsWith(day) ? date.getTime() / 1000 : undefined;
}

function repetitions(tokens: readonly FileToken[]): readonly string[] {
  const lines = new Map<string, number>();
  return tokens.flatMap(({ digest, line }) => {
    const key = digest.toString('hex');
    const first = lines.get(key);
    if (first === undefined) lines.set(key, line);
    return first === undefined ? [] : [`in line ${line}: it has the same token as line ${first}`];
  });
}
