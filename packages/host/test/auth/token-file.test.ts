import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { getPrincipal } from '@org/mcp-decorators';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Authenticator } from '../../src/auth/authenticator.ts';
import { TokenFile } from '../../src/auth/token-file.ts';
import { UsageError } from '../../src/process/usage-error.ts';
import { ProtectedServer } from './protected-server.ts';
import { recordedLog } from './recorder.ts';

const SCOPES = ['read', 'write'];
const TOKEN = 'aVeryLongSecretOfAda';
const OTHER = 'anotherSecretOfGrace';
const LINES = `ada ${TOKEN} read\ngrace sha256:${createHash('sha256').update(OTHER).digest('hex')} read write\n`;

let directory: string;
let file: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
  file = path.join(directory, 'tokens');
  await write(LINES);
});

afterEach(async () => {
  vi.useRealTimers();
  await rm(directory, { recursive: true });
});

describe('a token in a token file', () => {
  it('is accepted if the file contains the token or its hash', async () => {
    await using server = await protectedByFile();
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 200, body: '{"clientId":"ada","scopes":["read"]}' });
    expect(await server.withToken(OTHER)).toMatchObject({ status: 200, body: '{"clientId":"grace","scopes":["read","write"]}' });
    expect(server.lines).toEqual([]);
  });

  it('makes its client the principal', async () => {
    const authenticator = new Authenticator(await TokenFile.open(file, { log: recordedLog().log, knownScopes: SCOPES }), []);
    expect(getPrincipal(await authenticator.authenticate(`Bearer ${TOKEN}`))).toEqual(['ada']);
  });
});

describe('an authenticator with a token file', () => {
  it('publishes no metadata and challenges with scopes only', async () => {
    const authenticator = new Authenticator(await TokenFile.open(file, { log: recordedLog().log, knownScopes: SCOPES }), ['mcp']);
    const resource = new URL('https://mcp.example.org/mcp');
    expect(authenticator.metadata(resource, ['read'])).toBeUndefined();
    expect(authenticator.insufficientScope(['read'], resource).headers).toEqual({
      'WWW-Authenticate':
        'Bearer error="insufficient_scope", error_description="Insufficient scope; the request needs mcp read", scope="mcp read"',
    });
  });
});

describe('a token that the file does not accept', () => {
  it.each<[attack: string, token: string]>([
    ['prefix of a static token', TOKEN.slice(0, -1)],
    ['static token with a suffix', `${TOKEN}a`],
    ['static token with different case', TOKEN.toLowerCase()],
    ['hash in place of its token', createHash('sha256').update(OTHER).digest('hex')],
    ['client in place of its token', 'ada'],
    ['unknown token', 'aTokenThatNobodyHas1'],
  ])('%s', async (_, token) => {
    await using server = await protectedByFile();
    expect(await server.withToken(token)).toEqual({
      status: 401,
      challenge: 'Bearer error="invalid_token", error_description="Token is not known"',
      retryAfter: undefined,
      body: 'Token is not known',
    });
  });

  it('expired static token', async () => {
    await write(`ada ${TOKEN} read expires=2020-01-01`);
    await using server = await protectedByFile();
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 401, body: 'Token has expired' });
  });

  it('revoked static token after reread', async () => {
    await using server = await protectedByFile();
    await write(LINES.replace(/^ada.*\n/, ''));
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 200 });
    vi.advanceTimersByTime(1000);
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 401 });
    expect(await server.withToken(OTHER)).toMatchObject({ status: 200 });
    expect(server.lines).toEqual([`info reloaded the token file ${file} (tokens: 1)`]);
  });
});

describe('a token file that changes', () => {
  it('can add tokens and remove scopes', async () => {
    await using server = await protectedByFile();
    await write(`${LINES.replace(' write', '')}linus aThirdSecretOfLinus read`);
    vi.advanceTimersByTime(1000);
    expect(await server.withToken('aThirdSecretOfLinus')).toMatchObject({ status: 200 });
    expect(await server.withToken(OTHER)).toMatchObject({ body: '{"clientId":"grace","scopes":["read"]}' });
  });

  it('is noticed when another file replaces it', async () => {
    await using server = await protectedByFile();
    await writeFile(path.join(directory, 'next'), LINES.replace(TOKEN, 'aNewLongSecretOfAda1'), { mode: 0o600 });
    await rename(path.join(directory, 'next'), file);
    vi.advanceTimersByTime(1000);
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 401 });
  });

  it('is read once for concurrent requests, which all wait for it', async () => {
    await using server = await protectedByFile();
    await write('grace aVeryLongSecretOfGrace read');
    vi.advanceTimersByTime(1000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.withToken(TOKEN)));
    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
    expect(server.lines).toHaveLength(1);
  });

  it.each<[string, () => Promise<void>, problem: string]>([
    ['is missing', () => rm(file), 'cannot be read: no such file or directory'],
    ['contains a mistake', () => write(`${LINES}linus secret`), 'in line 3: the token is shorter than 16 characters'],
  ])('keeps its tokens when the file %s, and logs one warning', async (_, change, problem) => {
    await using server = await protectedByFile();
    await change();
    for (let second = 0; second < 3; second += 1) {
      vi.advanceTimersByTime(1000);
      expect(await server.withToken(TOKEN)).toMatchObject({ status: 200 });
    }
    expect(server.lines).toHaveLength(1);
    expect(server.lines[0]).toContain(
      `warning the token file was not reloaded, so the previous tokens remain valid: the token file ${file} ${problem}`,
    );
    await write(`ada aNewLongSecretOfAda1 read`);
    vi.advanceTimersByTime(1000);
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 401 });
  });
});

describe('a token file whose last token is removed', () => {
  it.each(['', '# no clients\n'])('makes every token invalid, until it contains tokens again: %j', async (text) => {
    await using server = await protectedByFile();
    await write(text);
    vi.advanceTimersByTime(1000);
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 401 });
    expect(await server.withToken(OTHER)).toMatchObject({ status: 401 });
    expect(server.lines).toEqual([
      `warning the token file ${file} no longer contains any tokens, so that all requests are rejected`,
    ]);
    await write(LINES);
    vi.advanceTimersByTime(1000);
    expect(await server.withToken(TOKEN)).toMatchObject({ status: 200 });
  });
});

describe('a token file at the start', () => {
  it.each<[string, () => Promise<void>, problem: string]>([
    ['that does not exist', () => rm(file), 'cannot be read: no such file or directory'],
    [
      'that is a directory',
      () =>
        rm(file)
          .then(() => mkdtemp(file))
          .then((made) => rename(made, file)),
      'is not a regular file',
    ],
    ['that is too large', () => write('#'.repeat(1_048_577)), 'is larger than 1048576 bytes'],
    ['that contains no token', () => write('# no clients'), 'contains no token'],
  ])('%s is rejected', async (_, change, problem) => {
    await change();
    const opening = TokenFile.open(file, { log: recordedLog().log, knownScopes: SCOPES });
    await expect(opening).rejects.toThrow(UsageError);
    await expect(opening).rejects.toThrow(`the token file ${file} ${problem}`);
  });

  it('reports the first ten invalid lines without their contents', async () => {
    await write(`ada ${TOKEN} read\n`.repeat(20));
    const problem = await TokenFile.open(file, { log: recordedLog().log, knownScopes: SCOPES }).then(
      String,
      ({ message }: Error) => message,
    );
    expect(problem.split('\n')).toHaveLength(10);
    expect(problem).toContain(`the token file ${file} in line 2: the token is the same as in line 1`);
    expect(problem).not.toContain(TOKEN);
  });
});

describe.skipIf(process.platform === 'win32')('a token file that others may', () => {
  it.each<[string, mode: number, text: string, exposure: string | undefined]>([
    ['read', 0o640, LINES, 'can be read by other users; run chmod 600 on it'],
    ['write', 0o602, LINES, 'can be written by other users; run chmod 600 on it'],
    ['not touch', 0o600, LINES, undefined],
    ['read, and that contains only hashes', 0o644, LINES.replace(/^ada.*\n/, ''), undefined],
    [
      'write, and that contains only hashes',
      0o620,
      LINES.replace(/^ada.*\n/, ''),
      'can be written by other users; run chmod 600 on it',
    ],
  ])('%s', async (_, mode, text, exposure) => {
    await write(text);
    await chmod(file, mode);
    const { log, lines } = recordedLog();
    const { detail } = await new Authenticator(await TokenFile.open(file, { log, knownScopes: SCOPES }), []).diagnose();
    expect(lines).toEqual(exposure === undefined ? [] : [`warning the token file ${file} ${exposure}`]);
    expect(detail).toBe(`tokens: ${text.split('\n').length - 1}${exposure === undefined ? '' : `; ${exposure}`}`);
  });
});

describe('a scope in a token file that no request needs', () => {
  const WARNING = `has a scope in line 2 that no request needs; the known scopes are read, write`;

  it('is reported at the start and by check, but not quoted', async () => {
    await write(LINES.replace('read write', 'reed write'));
    const { log, lines } = recordedLog();
    const source = await TokenFile.open(file, { log, knownScopes: SCOPES });
    expect(lines).toEqual([`warning the token file ${file} ${WARNING}`]);
    expect((await source.diagnose()).detail).toBe(`tokens: 2; ${WARNING}`);
  });

  it('is reported when the file changes', async () => {
    await using server = await protectedByFile();
    await write(LINES.replace('read write', 'reed write'));
    vi.advanceTimersByTime(1000);
    expect(await server.withToken(OTHER)).toMatchObject({ status: 200 });
    expect(server.lines).toEqual([
      `warning the token file ${file} ${WARNING}`,
      `info reloaded the token file ${file} (tokens: 2)`,
    ]);
  });

  it('is reported with the first ten lines', async () => {
    await write(Array.from({ length: 12 }, (_, index) => `client ${TOKEN}${String(index)} reed`).join('\n'));
    const { log, lines } = recordedLog();
    await TokenFile.open(file, { log, knownScopes: SCOPES });
    expect(lines.join()).toContain('has a scope in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more that no request needs');
  });
});

describe('the line of check about a token file', () => {
  it('counts the tokens and the expired tokens', async () => {
    await write(`${LINES}linus aThirdSecretOfLinus read expires=2020-01-01`);
    const diagnosis = await new Authenticator(
      await TokenFile.open(file, { log: recordedLog().log, knownScopes: SCOPES }),
      [],
    ).diagnose();
    expect(diagnosis).toEqual({ subject: `token file ${file}`, ok: true, detail: 'tokens: 3, expired: 1' });
  });
});

async function protectedByFile(): Promise<ProtectedServer> {
  const { log, lines } = recordedLog();
  return ProtectedServer.start(new Authenticator(await TokenFile.open(file, { log, knownScopes: SCOPES }), []), lines);
}

async function write(text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
}
