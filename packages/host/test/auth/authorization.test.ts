import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Authenticator } from '../../src/auth/authenticator.ts';
import { TokenFile } from '../../src/auth/token-file.ts';
import { ProtectedServer, type Answered } from './protected-server.ts';
import { recordedLog } from './recorder.ts';

const SCOPES = ['read', 'write'];
const TOKEN = 'aVeryLongSecretOfAda';
const FORM = "Invalid Authorization header, expected 'Bearer TOKEN'";

let directory: string;
let server: ProtectedServer;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
  const file = path.join(directory, 'tokens');
  await writeFile(file, `ada ${TOKEN} read\n`, { mode: 0o600 });
  server = await ProtectedServer.start(
    new Authenticator(await TokenFile.open(file, { log: recordedLog().log, knownScopes: SCOPES }), []),
  );
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

describe('an Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('may write the scheme as %j', async (scheme) => {
    expect(await server.get(['Authorization', `${scheme} ${TOKEN}`])).toMatchObject({ status: 200 });
  });

  it.each<[attack: string, headers: readonly string[], problem: string]>([
    ['two Authorization headers', ['Authorization', `Bearer ${TOKEN}`, 'Authorization', 'Bearer aTokenThatNobodyHas1'], FORM],
    ['the same header twice', ['Authorization', `Bearer ${TOKEN}`, 'authorization', `Bearer ${TOKEN}`], FORM],
    ['comma joined', ['Authorization', `Bearer ${TOKEN}, Bearer ${TOKEN}`], FORM],
    ['comma joined without a space', ['Authorization', `Bearer ${TOKEN},${TOKEN}`], FORM],
    ['a word after the token', ['Authorization', `Bearer ${TOKEN} ${TOKEN}`], FORM],
    ['a parameter instead of the token', ['Authorization', `Bearer token="${TOKEN}"`], FORM],
    ['no token', ['Authorization', 'Bearer'], FORM],
    ['no scheme', ['Authorization', TOKEN], FORM],
    ['an empty header', ['Authorization', ''], FORM],
    ['another scheme', ['Authorization', `Basic ${Buffer.from(`ada:${TOKEN}`).toString('base64')}`], FORM],
    ['a scheme that begins with Bearer', ['Authorization', `BearerToken ${TOKEN}`], FORM],
    ['a tab instead of the space', ['Authorization', `Bearer\t${TOKEN}`], FORM],
    ['oversize token', ['Authorization', `Bearer ${'a'.repeat(16_384)}`], 'Token is too long'],
    ['the largest token', ['Authorization', `Bearer ${'a'.repeat(16_384 - 'Bearer '.length)}`], 'Token is not known'],
    ['a token that consists only of padding', ['Authorization', 'Bearer ====================='], FORM],
  ])('is rejected: %s', async (_, headers, problem) => {
    expect(await server.get(headers)).toEqual({
      status: 401,
      challenge: `Bearer error="invalid_token", error_description="${problem}"`,
      retryAfter: undefined,
      body: problem,
    });
  });
});

describe('a request without an Authorization header', () => {
  const refused: Answered = {
    status: 401,
    challenge: 'Bearer realm="mcp"',
    retryAfter: undefined,
    body: 'Missing Authorization header',
  };

  it.each<[string, headers: readonly string[], target: string]>([
    ['no other credentials', [], '/mcp'],
    ['token in the query string', [], `/mcp?access_token=${TOKEN}`],
    ['token in another header', ['Proxy-Authorization', `Bearer ${TOKEN}`, 'X-Api-Key', TOKEN], '/mcp'],
    ['token in a cookie', ['Cookie', `access_token=${TOKEN}; Authorization=Bearer ${TOKEN}`], '/mcp'],
  ])('is rejected: %s', async (_, headers, target) => {
    expect(await server.get(headers, target)).toEqual(refused);
  });
});
