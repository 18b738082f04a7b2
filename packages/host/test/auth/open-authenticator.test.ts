import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { openAuthenticator, type AuthOptions } from '../../src/auth/open-authenticator.ts';
import { UsageError } from '../../src/process/usage-error.ts';
import { AUDIENCE, Issuer } from './issuer.ts';
import { recordedLog } from './recorder.ts';

const { log } = recordedLog();
const authIssuer = 'https://issuer.example.org/tenant';
const authAudience = AUDIENCE;

describe('the options of authorization', () => {
  it('may all be absent, and then requests need no token', async () => {
    expect(await openAuthenticator({}, log)).toBeUndefined();
    expect(await openAuthenticator({ authScopes: [] }, log)).toBeUndefined();
  });

  it('can name an issuer and an audience', async () => {
    await using issuer = await Issuer.start();
    const authenticator = await openAuthenticator({ authIssuer: issuer.url, authAudience, authScopes: ['read'] }, log);
    expect(issuer.asked).toEqual([]);
    expect(await authenticator?.authenticate(`Bearer ${await issuer.token()}`)).toMatchObject({ clientId: 'editor' });
    await expect(authenticator?.authenticate(`Bearer ${await issuer.token({ scope: 'write' })}`)).rejects.toThrow(
      'Insufficient scope',
    );
  });

  it('can name a token file', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
    const tokenFile = path.join(directory, 'tokens');
    await writeFile(tokenFile, 'ada aVeryLongSecretOfAda read', { mode: 0o600 });
    const authenticator = await openAuthenticator({ tokenFile }, log);
    await rm(directory, { recursive: true });
    expect(await authenticator?.authenticate('Bearer aVeryLongSecretOfAda')).toMatchObject({ clientId: 'ada' });
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080/realms/mcp', 'http://[::1]:8080', 'https://issuer.example.org/'])(
    'accept the issuer %s',
    async (issuer) => {
      expect(await openAuthenticator({ authIssuer: issuer, authAudience }, log)).toBeDefined();
    },
  );

  it.each<[AuthOptions, problem: string]>([
    [{ tokenFile: '/tokens', authIssuer, authAudience }, '--token-file and --auth-issuer cannot be combined'],
    [{ authIssuer }, '--auth-issuer requires --auth-audience'],
    [{ authIssuer, authAudience: '' }, '--auth-issuer requires --auth-audience'],
    [{ authAudience }, '--auth-audience requires --auth-issuer'],
    [{ tokenFile: '/tokens', authAudience }, '--auth-audience requires --auth-issuer'],
    [{ authScopes: ['read'] }, '--auth-scopes requires --token-file or --auth-issuer'],
    [{ tokenFile: '/tokens', authScopes: ['read', 'read write'] }, '--auth-scopes: "read write" is not a valid OAuth scope'],
    [{ authIssuer: 'issuer.example.org', authAudience }, '--auth-issuer: "issuer.example.org" is not a valid URL'],
    [{ authIssuer: 'http://issuer.example.org', authAudience }, 'must be an https: URL, or an http: URL on this machine'],
    [{ authIssuer: 'http://127.0.0.1.example.org', authAudience }, 'must be an https: URL, or an http: URL on this machine'],
    [{ authIssuer: 'http://localhost.example.org', authAudience }, 'must be an https: URL, or an http: URL on this machine'],
    [{ authIssuer: 'file:///issuer', authAudience }, 'must be an https: URL, or an http: URL on this machine'],
    [{ authIssuer: 'https://issuer.example.org?tenant=1', authAudience }, 'must have neither a query nor a fragment'],
    [{ authIssuer: 'https://issuer.example.org#', authAudience }, 'must have neither a query nor a fragment'],
    [
      { authIssuer: 'https://ada:secret@issuer.example.org', authAudience },
      '--auth-issuer must not contain a user or a password',
    ],
  ])('cannot be used: %j', async (options, problem) => {
    const opening = openAuthenticator(options, log);
    await expect(opening).rejects.toThrow(UsageError);
    await expect(opening).rejects.toThrow(problem);
    await expect(opening).rejects.not.toThrow('secret');
  });
});
