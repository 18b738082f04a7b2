import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { AuthInfo } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { FollowedTokens } from '../../src/auth/followed-tokens.ts';
import { TokenFile } from '../../src/auth/token-file.ts';
import type { TokenSource } from '../../src/auth/token-source.ts';
import { recordedLog } from './recorder.ts';

const SCOPES = ['read', 'write'];
const NOW = Math.floor(Date.now() / 1000);
const ADA: AuthInfo = { token: 'a', clientId: 'ada', scopes: ['read'], expiresAt: NOW + 3600 };

const UNCHECKED: TokenSource = {
  issuer: undefined,
  verifyAccessToken: () => Promise.reject(new Error('not verified again')),
  diagnose: () => Promise.resolve({ subject: 'tokens', ok: true, detail: '' }),
};

describe('a token that expired after its verification', () => {
  it('ends every follower immediately', () => {
    const followed = new FollowedTokens(UNCHECKED);
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const unfollow = followed.follow({ ...ADA, expiresAt: NOW - 1 }, first);
    followed.follow({ ...ADA, expiresAt: NOW - 1 }, second);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
    unfollow();
    expect(first).toHaveBeenCalledOnce();
  });
});

describe('a followed token of a file', () => {
  const LINE = 'ada aVeryLongSecretOfAda read\n';

  it('is verified again only after the file has changed', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = path.join(directory, 'tokens');
    await writeFile(file, LINE, { mode: 0o600 });
    const source = new CountedFile(await TokenFile.open(file, { log: recordedLog().log, knownScopes: SCOPES }));
    const followed = new FollowedTokens(source);
    const auth = await source.verifyAccessToken('aVeryLongSecretOfAda');
    const ends = Array.from({ length: 20 }, () => new Promise<void>((resolve) => followed.follow(auth, resolve)));
    for (let second = 0; second < 5; second += 1) await source.nextCheck();
    expect(source.verifications).toBe(2);
    await writeFile(file, LINE.replace('read', 'read write'));
    await source.nextCheck();
    await Promise.all(ends);
    expect(source.verifications).toBe(3);
  });
});

/** A token file that counts how often a token is verified. */
class CountedFile implements TokenSource {
  readonly issuer = undefined;
  readonly recheckMs = 1000;
  verifications = 0;
  readonly #file: TokenFile;
  #checked: () => void = () => undefined;

  constructor(file: TokenFile) {
    this.#file = file;
  }

  /** Advances the fake clock by one second. Resolves when the followed tokens have been checked. */
  async nextCheck(): Promise<void> {
    const checked = new Promise<void>((resolve) => {
      this.#checked = resolve;
    });
    vi.advanceTimersByTime(this.recheckMs);
    await checked;
    await new Promise(setImmediate);
  }

  async readVersion(): Promise<string> {
    const version = await this.#file.readVersion();
    this.#checked();
    return version;
  }

  verifyAccessToken(token: string): Promise<AuthInfo> {
    this.verifications += 1;
    return this.#file.verifyAccessToken(token);
  }

  diagnose(): ReturnType<TokenSource['diagnose']> {
    return this.#file.diagnose();
  }
}
