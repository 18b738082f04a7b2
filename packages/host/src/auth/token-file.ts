import { createHash, timingSafeEqual } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';

import type { Log } from '../process/log.ts';
import type { Diagnosis } from '../process/server-object.ts';
import { describeError } from '../process/error-code.ts';
import { UsageError } from '../process/usage-error.ts';
import { parseTokenLines, type FileToken } from './token-lines.ts';
import type { TokenSource } from './token-source.ts';

/**
 * Interval in milliseconds between two checks of the file for changes; if the changed file can be used, a removed token is
 * rejected after at most this time.
 */
const REREAD_MS = 1000;
/**
 * Interval in milliseconds between two checks of a followed token. Together with {@link REREAD_MS}, a stream ends at most 1.25
 * seconds after its token was removed from the file, if the file can be used.
 */
const RECHECK_MS = 250;
/** Maximum size of the file in bytes, far more than the maximum number of tokens needs. */
const MAX_BYTES = 1_048_576;
/** Maximum number of mistakes in an error message. */
const MAX_PROBLEMS = 10;

/** Input of the warnings about a token file. */
export interface TokenFileContext {
  readonly log: Pick<Log, 'info' | 'warning'>;
  /** Scopes that some request needs. */
  readonly knownScopes: readonly string[];
}

/** Parsed contents of a token file. */
interface Contents {
  readonly tokens: readonly FileToken[];
  /** Changes when the file is written or replaced. */
  readonly version: string;
  /** Warning that other users can write the file, or read tokens that are not hashed; `undefined` if they cannot. */
  readonly exposure: string | undefined;
  /** Warning that some scopes have no effect; `undefined` if every scope has one. */
  readonly unknownScopes: string | undefined;
}

/** Accepts the tokens in a file, and reads the file again when it changes. */
export class TokenFile implements TokenSource {
  readonly issuer = undefined;
  readonly recheckMs: number = RECHECK_MS;
  readonly #path: string;
  readonly #context: TokenFileContext;
  #contents: Contents;
  #checkedAt: number = performance.now();
  #checking: Promise<void> | undefined;
  #problem: string | undefined;

  private constructor(path: string, contents: Contents, context: TokenFileContext) {
    this.#path = path;
    this.#contents = contents;
    this.#context = context;
  }

  /** @throws UsageError if the file cannot be read, contains a mistake or contains no token */
  static async open(path: string, context: TokenFileContext): Promise<TokenFile> {
    const contents = await readTokens(path, context);
    if (contents.tokens.length === 0) throw new UsageError(`the token file ${path} contains no token`);
    return new TokenFile(path, contents, context);
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    await this.#checkFile();
    const digest = createHash('sha256').update(token).digest();
    // Compares every token in constant time, so that the duration reveals nothing about the tokens.
    const [known] = this.#contents.tokens.filter((line) => timingSafeEqual(line.digest, digest));
    if (known === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, 'Token is not known');
    const { clientId, scopes, expiresAt } = known;
    return { token, clientId, scopes: [...scopes], expiresAt };
  }

  async readVersion(): Promise<string> {
    await this.#checkFile();
    return this.#contents.version;
  }

  diagnose(): Promise<Diagnosis> {
    const { tokens, exposure, unknownScopes } = this.#contents;
    const expired = tokens.filter(({ expiresAt }) => expiresAt < Date.now() / 1000).length;
    const counted = `tokens: ${tokens.length}${expired === 0 ? '' : `, expired: ${expired}`}`;
    const detail = [counted, exposure, unknownScopes].filter((part) => part !== undefined).join('; ');
    return Promise.resolve({ subject: `token file ${this.#path}`, ok: true, detail });
  }

  async #checkFile(): Promise<void> {
    if (performance.now() - this.#checkedAt >= REREAD_MS) {
      this.#checkedAt = performance.now();
      this.#checking = this.#reread();
    }
    await this.#checking;
  }

  async #reread(): Promise<void> {
    const { log } = this.#context;
    try {
      if (getVersion(await readStats(this.#path)) !== this.#contents.version) {
        this.#contents = await readTokens(this.#path, this.#context);
        const { length } = this.#contents.tokens;
        // After the start, an empty file is not an error: the operator may have revoked the last token.
        if (length === 0)
          log.warning(`the token file ${this.#path} no longer contains any tokens, so that all requests are rejected`);
        else log.info(`reloaded the token file ${this.#path} (tokens: ${length})`);
      }
      this.#problem = undefined;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#problem)
        log.warning(`the token file was not reloaded, so the previous tokens remain valid: ${problem}`);
      this.#problem = problem;
    }
  }
}

async function readTokens(path: string, { log, knownScopes }: TokenFileContext): Promise<Contents> {
  const stats = await readStats(path);
  const text = await readFile(path, 'utf8').catch(throwUnreadable(path));
  const { tokens, problems } = parseTokenLines(text);
  if (problems.length > 0)
    throw new UsageError(
      problems
        .slice(0, MAX_PROBLEMS)
        .map((problem) => `the token file ${path} ${problem}`)
        .join('\n'),
    );
  const exposure = describeExposure(
    stats,
    tokens.some(({ plain }) => plain),
  );
  const unknownScopes = describeUnknownScopes(tokens, knownScopes);
  for (const warning of [exposure, unknownScopes]) if (warning !== undefined) log.warning(`the token file ${path} ${warning}`);
  return { tokens, version: getVersion(stats), exposure, unknownScopes };
}

async function readStats(path: string): Promise<BigIntStats> {
  const stats = await stat(path, { bigint: true }).catch(throwUnreadable(path));
  // Reading a pipe could block, and works only once.
  if (!stats.isFile()) throw new UsageError(`the token file ${path} is not a regular file`);
  if (stats.size > MAX_BYTES) throw new UsageError(`the token file ${path} is larger than ${MAX_BYTES} bytes`);
  return stats;
}

function throwUnreadable(path: string): (error: unknown) => never {
  return (error) => {
    throw new UsageError(`the token file ${path} cannot be read: ${describeError(error)}`, { cause: error });
  };
}

/**
 * Returns a text that changes with the file: every change to the file changes its `ctime`, and a file that replaces it
 * has another inode.
 */
function getVersion({ dev, ino, ctimeNs, mtimeNs, size }: BigIntStats): string {
  return [dev, ino, ctimeNs, mtimeNs, size].join(' ');
}

/** Returns a warning if other users can write the file, or can read tokens that are not hashed; otherwise `undefined`. */
function describeExposure({ mode }: BigIntStats, plain: boolean): string | undefined {
  const excess = process.platform === 'win32' ? 0n : mode & (plain ? 0o077n : 0o022n);
  if (excess === 0n) return undefined;
  return `can be ${(excess & 0o022n) === 0n ? 'read' : 'written'} by other users; run chmod 600 on it`;
}

/**
 * Returns a warning that names the lines with scopes that no request needs, or `undefined`. Quotes no scope, because a misplaced
 * token looks like a scope.
 */
function describeUnknownScopes(tokens: readonly FileToken[], known: readonly string[]): string | undefined {
  const wrong = tokens.filter(({ scopes }) => scopes.some((scope) => !known.includes(scope)));
  if (wrong.length === 0) return undefined;
  const lines = wrong.slice(0, MAX_PROBLEMS).map(({ line }) => String(line));
  const more = wrong.length - lines.length;
  const places = `${lines.length + more === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
  return `has a scope in ${places} that no request needs; the known scopes are ${known.join(', ')}`;
}
