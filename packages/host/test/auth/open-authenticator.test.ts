import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { compileServer, McpServer, OfferedTools, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { openAuthenticator, type AuthOptions } from '../../src/auth/open-authenticator.ts';
import { UsageError } from '../../src/process/usage-error.ts';
import { AUDIENCE, Issuer } from './issuer.ts';
import { recordedLog } from './recorder.ts';

const { log } = recordedLog();
const CONTEXT = { log, tools: { listAll: () => [] } };
const authIssuer = 'https://issuer.example.org/tenant';
const authAudience = AUDIENCE;

describe('the options of authorization', () => {
  it('may all be absent, and then requests need no token', async () => {
    expect(await openAuthenticator({}, CONTEXT)).toBeUndefined();
    expect(await openAuthenticator({ authScopes: [] }, CONTEXT)).toBeUndefined();
  });

  it('can name an issuer and an audience', async () => {
    await using issuer = await Issuer.start();
    const authenticator = await openAuthenticator({ authIssuer: issuer.url, authAudience, authScopes: ['read'] }, CONTEXT);
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
    const authenticator = await openAuthenticator({ tokenFile }, CONTEXT);
    await rm(directory, { recursive: true });
    expect(await authenticator?.authenticate('Bearer aVeryLongSecretOfAda')).toMatchObject({ clientId: 'ada' });
  });

  it('warns of scopes of a token file that neither the tools nor --auth-scopes name', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
    const tokenFile = path.join(directory, 'tokens');
    await writeFile(tokenFile, 'ada aVeryLongSecretOfAda team share read\nbob aVeryLongSecretOfBob shares', { mode: 0o600 });
    @McpServer({ name: 'notes', version: '1.0.0' })
    class Notes {
      @Tool({ description: 'Share a note', scopes: ['share'] }) share(): void {}
    }
    const server = new Notes();
    const recorded = recordedLog();
    const tools = new OfferedTools({ server, compiled: compileServer(server) });
    await openAuthenticator({ tokenFile, authScopes: ['team'] }, { log: recorded.log, tools });
    await rm(directory, { recursive: true });
    expect(recorded.lines).toEqual([
      `warning the token file ${tokenFile} has a scope in line 2 that no request needs; the known scopes are read, write, team, share`,
    ]);
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080/realms/mcp', 'http://[::1]:8080', 'https://issuer.example.org/'])(
    'accept the issuer %s',
    async (issuer) => {
      expect(await openAuthenticator({ authIssuer: issuer, authAudience }, CONTEXT)).toBeDefined();
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
    const opening = openAuthenticator(options, CONTEXT);
    await expect(opening).rejects.toThrow(UsageError);
    await expect(opening).rejects.toThrow(problem);
    await expect(opening).rejects.not.toThrow('secret');
  });
});
