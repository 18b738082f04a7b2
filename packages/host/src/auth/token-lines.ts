import { createHash } from 'node:crypto';

import { isScope } from '@org/mcp-decorators';

/**
 * Maximum number of tokens, because each request is compared with every token. For more clients, use an authorization
 * server.
 */
const MAX_TOKENS = 1000;
/** Minimum length of a token in characters; a shorter token can be guessed. */
const MIN_LENGTH = 16;
/**
 * Expiry of a token without `expires`: the end of the year 9999, because the SDK does not accept a token without an
 * expiry.
 */
const NEVER = 253_402_300_799;

const HASH = /^sha256:([\da-f]{64})$/i;
/** Form of a token in an Authorization header: token68 (RFC 9110 §11.2). */
const TOKEN = /^[\w.~+/-]+=*$/;
const EXPIRY = /^expires=((\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\dZ)?)$/;

/** A token in the file. */
export interface FileToken {
  /** Line number, from 1. */
  readonly line: number;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  /** Whether the file contains the token itself instead of its hash. */
  readonly plain: boolean;
  /** Expiry in seconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** The tokens of a file, and its mistakes. Each mistake completes a sentence that begins with the file name, and quotes nothing from the file. */
export interface TokenLines {
  readonly tokens: readonly FileToken[];
  readonly problems: readonly string[];
}

/**
 * Parses lines of the form `CLIENT TOKEN SCOPE…`. `TOKEN` is the token, or `sha256:` and its hash in hexadecimal digits. The scopes may be
 * followed by `expires=2027-01-31` or `expires=2027-01-31T12:00:00Z`. A word that begins with `#` starts a comment.
 */
export function parseTokenLines(text: string): TokenLines {
  const tokens: FileToken[] = [];
  const problems: string[] = [];
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const words = splitWords(content);
    const token = words.length === 0 ? undefined : parseWords(words, index + 1);
    if (typeof token === 'string') problems.push(`in line ${index + 1}: ${token}`);
    else if (token !== undefined) tokens.push(token);
  }
  if (tokens.length > MAX_TOKENS) problems.push(`contains ${tokens.length} tokens; the maximum is ${MAX_TOKENS}`);
  return { tokens, problems: [...problems, ...findRepetitions(tokens)] };
}

function splitWords(line: string): readonly string[] {
  const words = line.split(/\s+/).filter((word) => word !== '');
  const comment = words.findIndex((word) => word.startsWith('#'));
  return comment === -1 ? words : words.slice(0, comment);
}

/** Parses the words of a line, or returns the mistake. The mistake quotes no word: if words are swapped, any of them may be the token. */
function parseWords([clientId = '', token = '', ...rest]: readonly string[], line: number): FileToken | string {
  const settings = rest.filter((word) => word.includes('='));
  const scopes = rest.filter((word) => !word.includes('='));
  const expiresAt = parseExpiry(settings);
  const problem = findClientProblem(clientId) ?? findTokenProblem(token) ?? findScopesProblem(scopes);
  if (problem !== undefined) return problem;
  if (expiresAt === undefined) return 'the only setting is expires=2027-01-31 or expires=2027-01-31T12:00:00Z, at most once';
  const hash = HASH.exec(token)?.[1];
  const digest = hash === undefined ? createHash('sha256').update(token).digest() : Buffer.from(hash, 'hex');
  return { line, clientId, scopes, digest, plain: hash === undefined, expiresAt };
}

function findClientProblem(clientId: string): string | undefined {
  return /^[!-~]+$/.test(clientId) ? undefined : 'the client must be printable ASCII';
}

function findTokenProblem(token: string): string | undefined {
  if (token === '') return 'the token is missing; the form of a line is CLIENT TOKEN SCOPE…';
  if (/^sha256:/i.test(token)) return HASH.test(token) ? undefined : 'sha256: must be followed by 64 hexadecimal digits';
  if (!TOKEN.test(token)) return 'the token may contain only letters, digits and - . _ ~ + /, and = at the end';
  return token.length < MIN_LENGTH ? `the token is shorter than ${MIN_LENGTH} characters` : undefined;
}

function findScopesProblem(scopes: readonly string[]): string | undefined {
  if (scopes.length === 0) return 'the scope is missing; tools without scopes of their own need read or write';
  return scopes.every(isScope) ? undefined : 'a scope must be printable ASCII without double quotes and backslashes';
}

function parseExpiry(settings: readonly string[]): number | undefined {
  if (settings.length === 0) return NEVER;
  const [, moment, day] = EXPIRY.exec(settings.join(' ')) ?? [];
  if (moment === undefined || day === undefined || Number.isNaN(Date.parse(moment))) return undefined;
  const date = new Date(moment);
  // `Date.parse` converts February 30 to March 2, so the day is compared.
  return date.toISOString().startsWith(day) ? date.getTime() / 1000 : undefined;
}

function findRepetitions(tokens: readonly FileToken[]): readonly string[] {
  const lines = new Map<string, number>();
  return tokens.flatMap(({ digest, line }) => {
    const key = digest.toString('hex');
    const first = lines.get(key);
    if (first === undefined) lines.set(key, line);
    return first === undefined ? [] : [`in line ${line}: the token is the same as in line ${first}`];
  });
}
