import { createHash, timingSafeEqual } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';

import type { Log } from '../log.ts';
import type { Diagnosis } from '../server-object.ts';
import { UsageError } from '../usage-error.ts';
import { parseTokenLines, type FileToken } from './token-lines.ts';
import type { TokenSource } from './token-source.ts';

/** So soon a token that was taken out of the file is refused. */
const REREAD_MS = 1000;
/** Together with the interval above, a stream ends at most 1.25 seconds after its token was removed. */
const RECHECK_MS = 250;
/** Far more than the tokens that are allowed need. */
const MAX_BYTES = 1_048_576;
/** More of them say nothing new. */
const MAX_PROBLEMS = 10;

/** What was read of a file. */
interface Contents {
  readonly tokens: readonly FileToken[];
  /** Differs where the file was written or replaced. */
  readonly version: string;
  /** What others may do with the file that they should not. */
  readonly exposure: string | undefined;
}

/** Takes the tokens that a file lists; reads it again when it was changed, without a restart. */
export class TokenFile implements TokenSource {
  readonly issuer = undefined;
  readonly recheckMs: number = RECHECK_MS;
  readonly #path: string;
  readonly #log: Pick<Log, 'info' | 'warning'>;
  #contents: Contents;
  #looked: number = performance.now();
  #looking: Promise<void> | undefined;
  #problem: string | undefined;

  private constructor(path: string, contents: Contents, log: Pick<Log, 'info' | 'warning'>) {
    this.#path = path;
    this.#contents = contents;
    this.#log = log;
  }

  /** @throws UsageError if the file cannot be read, or says what it should not */
  static async open(path: string, log: Pick<Log, 'info' | 'warning'>): Promise<TokenFile> {
    const contents = await readTokens(path, log);
    if (contents.tokens.length === 0) throw new UsageError(`the token file ${path} contains no token`);
    return new TokenFile(path, contents, log);
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    await this.#look();
    const digest = createHash('sha256').update(token).digest();
    // All are compared, each in constant time: how long it takes says nothing of any of them.
    const [known] = this.#contents.tokens.filter((line) => timingSafeEqual(line.digest, digest));
    if (known === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, 'Token is not known');
    const { clientId, scopes, expiresAt } = known;
    return { token, clientId, scopes: [...scopes], expiresAt };
  }

  async readVersion(): Promise<string> {
    await this.#look();
    return this.#contents.version;
  }

  diagnose(): Promise<Diagnosis> {
    const { tokens, exposure } = this.#contents;
    const expired = tokens.filter(({ expiresAt }) => expiresAt < Date.now() / 1000).length;
    const counted = `tokens: ${tokens.length}${expired === 0 ? '' : `, expired: ${expired}`}`;
    const detail = exposure === undefined ? counted : `${counted}; ${exposure}`;
    return Promise.resolve({ subject: `token file ${this.#path}`, ok: true, detail });
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#looked >= REREAD_MS) {
      this.#looked = performance.now();
      this.#looking = this.#reread();
    }
    await this.#looking;
  }

  async #reread(): Promise<void> {
    try {
      if (versionOf(await statsOf(this.#path)) !== this.#contents.version) {
        this.#contents = await readTokens(this.#path, this.#log);
        const { length } = this.#contents.tokens;
        // Whoever removes the last token revokes this token, so that an empty file is not an error here.
        if (length === 0) this.#log.warning(`the token file ${this.#path} contains no token any more: all requests are refused`);
        else this.#log.info(`the token file ${this.#path} was read again, tokens: ${length}`);
      }
      this.#problem = undefined;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#problem) this.#log.warning(`the tokens stay as they were: ${problem}`);
      this.#problem = problem;
    }
  }
}

async function readTokens(path: string, log: Pick<Log, 'warning'>): Promise<Contents> {
  const stats = await statsOf(path);
  const text = await readFile(path, 'utf8').catch(unreadable(path));
  const { tokens, problems } = parseTokenLines(text);
  if (problems.length > 0)
    throw new UsageError(
      problems
        .slice(0, MAX_PROBLEMS)
        .map((problem) => `the token file ${path} ${problem}`)
        .join('\n'),
    );
  const exposure = exposureOf(
    stats,
    tokens.some(({ plain }) => plain),
  );
  if (exposure !== undefined) log.warning(`the token file ${path} ${exposure}`);
  return { tokens, version: versionOf(stats), exposure };
}

async function statsOf(path: string): Promise<BigIntStats> {
  const stats = await stat(path, { bigint: true }).catch(unreadable(path));
  // A pipe would be waited for, and could not be read again.
  if (!stats.isFile()) throw new UsageError(`the token file ${path} is not a regular file`);
  if (stats.size > MAX_BYTES) throw new UsageError(`the token file ${path} is larger than ${MAX_BYTES} bytes`);
  return stats;
}

function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    throw new UsageError(`the token file ${path} cannot be read: ${String(error)}`, { cause: error });
  };
}

/** Anything that is done to the file changes its `ctime`, a file in its place has another inode. */
function versionOf({ dev, ino, ctimeNs, mtimeNs, size }: BigIntStats): string {
  return [dev, ino, ctimeNs, mtimeNs, size].join(' ');
}

/** Hashes may be read by others, tokens may not; nobody else may put in any. */
function exposureOf({ mode }: BigIntStats, plain: boolean): string | undefined {
  const excess = process.platform === 'win32' ? 0n : mode & (plain ? 0o077n : 0o022n);
  if (excess === 0n) return undefined;
  return `can be ${(excess & 0o022n) === 0n ? 'read' : 'written'} by other users than its owner: chmod 600`;
}
