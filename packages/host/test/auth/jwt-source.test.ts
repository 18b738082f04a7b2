import { getPrincipal } from '@org/mcp-decorators';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { Authenticator } from '../../src/auth/authenticator.ts';
import { JwtSource } from '../../src/auth/jwt-source.ts';
import { AUDIENCE, Issuer, json } from './issuer.ts';
import { protectedBy } from './protected-by.ts';
import { recordedLog } from './recorder.ts';

const NOW = Math.floor(Date.now() / 1000);

afterEach(() => {
  vi.useRealTimers();
});

describe('a token of the issuer', () => {
  it.each<[string, claims: object, header: object]>([
    ['with the audience of this server', {}, {}],
    ['with several audiences, including this server', { aud: ['https://other.example.org', AUDIENCE] }, {}],
    ['with the type JWT', {}, { typ: 'JWT' }],
    ['with a media type as its type', {}, { typ: 'application/at+jwt' }],
    ['without a type', {}, { typ: undefined }],
    ['without a key id if the issuer has only one key', {}, { kid: undefined }],
    ['that expired within the clock tolerance', { exp: NOW - 20 }, {}],
    ['that becomes valid within the clock tolerance', { nbf: NOW + 20 }, {}],
  ])('%s is accepted', async (_, claims, header) => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    const { status, body } = await server.withToken(await issuer.token({ ...claims }, { ...header }));
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 200,
      body: { clientId: 'editor', scopes: ['read'], sub: 'ada' },
    });
  });

  it.each(['RS256', 'PS384', 'ES512', 'EdDSA'])('may be signed with %s', async (algorithm) => {
    await using issuer = await Issuer.start();
    await issuer.rotate('other', algorithm);
    await using server = await protectedBy(issuer);
    expect(await server.withToken(await issuer.token())).toMatchObject({ status: 200 });
  });

  it.each<[claims: object, scopes: readonly string[]]>([
    [{ scope: 'read write' }, ['read', 'write']],
    [{ scope: '  read  read ' }, ['read']],
    [{ scope: undefined, scp: 'read write' }, ['read', 'write']],
    [{ scope: undefined, scp: ['read', 'write', '', 7] }, ['read', 'write']],
    [{ scope: 'read', scp: ['write'] }, ['read', 'write']],
    [{ scope: undefined }, []],
    [{ scope: { read: true } }, []],
  ])('with the claims %j has the scopes %j', async (claims, scopes) => {
    expect((await authenticated(claims)).scopes).toEqual(scopes);
  });

  it.each<[claims: object, clientId: string, principal: readonly string[]]>([
    [{}, 'editor', ['editor', 'ada']],
    [{ client_id: undefined, azp: 'notebook' }, 'notebook', ['notebook', 'ada']],
    [{ client_id: undefined }, 'ada', ['ada', 'ada']],
    [{ sub: undefined }, 'editor', ['editor']],
  ])('with the claims %j belongs to the client %s and the principal %j', async (claims, clientId, principal) => {
    const auth = await authenticated(claims);
    expect(auth.clientId).toBe(clientId);
    expect(getPrincipal(auth)).toEqual(principal);
  });

  it('has a different principal for each subject of a client', async () => {
    const [ada, grace] = [await authenticated({ sub: 'ada' }), await authenticated({ sub: 'grace' })];
    expect(ada.clientId).toBe(grace.clientId);
    expect(getPrincipal(ada)).not.toEqual(getPrincipal(grace));
  });

  it('is verified with a new key half a minute after the keys were fetched', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    expect(await server.withToken(await issuer.token())).toMatchObject({ status: 200 });
    await issuer.rotate('second');
    const token = await issuer.token();
    expect(await server.withToken(token)).toMatchObject({ status: 401 });
    vi.setSystemTime(Date.now() + 30_000);
    expect(await server.withToken(token)).toMatchObject({ status: 200 });
  });

  it('is rejected ten minutes after its key was withdrawn', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    const token = await issuer.token({ exp: NOW + 3600 });
    expect(await server.withToken(token)).toMatchObject({ status: 200 });
    issuer.answers.set('/keys', json({ keys: [] }));
    vi.setSystemTime(Date.now() + 600_000);
    expect(await server.withToken(token)).toMatchObject({ status: 401 });
  });
});

async function authenticated(claims: object): ReturnType<Authenticator['authenticate']> {
  await using issuer = await Issuer.start();
  const source = await JwtSource.open({ issuer: issuer.url, audience: AUDIENCE, log: recordedLog().log });
  return await new Authenticator(source, []).authenticate(`Bearer ${await issuer.token({ ...claims })}`);
}
