import { describe, expect, it } from 'vitest';

import {
  claimsFor,
  encrypted,
  signedByAnother,
  signedWithJwk,
  signedWithKeyInHeader,
  signedWithPublicKey,
  unsigned,
  withParts,
} from './forged.ts';
import { AUDIENCE, Issuer, json } from './issuer.ts';
import { protectedBy } from './protected-by.ts';

type TokenOf = (issuer: Issuer) => string | Promise<string>;

const NOW = Math.floor(Date.now() / 1000);
const OTHER = 'https://other.example.org/mcp';

const NOT_OURS = 'Token was not issued for this server';
const OTHER_ISSUER = 'Token is from another issuer';
const WITHOUT_END = 'Token has no expiration time';
const ALGORITHM = 'Token is signed with an algorithm that is not allowed';
const UNKNOWN_KEY = 'Token is signed with a key that its issuer does not publish';
const SIGNATURE = 'Token has a wrong signature';
const MALFORMED = 'Token is malformed';
const OTHER_KIND = 'Token is not an access token';
const ANONYMOUS = 'Token does not identify its client';

const METADATA = 'https://mcp.example.org/.well-known/oauth-protected-resource/mcp';

describe('a token that the server rejects', () => {
  it.each<[attack: string, problem: string, token: TokenOf]>([
    ['wrong audience', NOT_OURS, (issuer) => issuer.token({ aud: OTHER })],
    ['audience list without this server', NOT_OURS, (issuer) => issuer.token({ aud: [OTHER, 'account'] })],
    ['audience with a trailing slash', NOT_OURS, (issuer) => issuer.token({ aud: `${AUDIENCE}/` })],
    ['audience in a nested list', NOT_OURS, (issuer) => issuer.token({ aud: [[AUDIENCE]] })],
    ['no audience', NOT_OURS, (issuer) => issuer.token({ aud: undefined })],
    ['expired', 'Token has expired', (issuer) => issuer.token({ exp: NOW - 60 })],
    ['missing exp', WITHOUT_END, (issuer) => issuer.token({ exp: undefined })],
    ['exp that is not a number', WITHOUT_END, (issuer) => issuer.token({ exp: '9999999999' })],
    ['not yet valid', 'Token is not valid yet', (issuer) => issuer.token({ nbf: NOW + 120 })],
    ['wrong issuer', OTHER_ISSUER, (issuer) => issuer.token({ iss: 'https://issuer.example.org' })],
    ['issuer with trailing slash difference', OTHER_ISSUER, (issuer) => issuer.token({ iss: `${issuer.url}/` })],
    ['issuer in a list', OTHER_ISSUER, (issuer) => issuer.token({ iss: [issuer.url] })],
    ['no issuer', OTHER_ISSUER, (issuer) => issuer.token({ iss: undefined })],
    ['alg none', ALGORITHM, unsigned],
    ['alg none over a signature', ALGORITHM, async (issuer) => withParts(await issuer.token(), { header: { alg: 'none' } })],
    ['HS256 signed with the public key', ALGORITHM, signedWithPublicKey],
    ['HS256 signed with the published JWK', ALGORITHM, signedWithJwk],
    ['unknown kid', UNKNOWN_KEY, (issuer) => issuer.token({}, { kid: 'second' })],
    ['key of another issuer', SIGNATURE, signedByAnother],
    ['key in the header', SIGNATURE, (issuer) => signedWithKeyInHeader(issuer)],
    ['key in the header under a key id of its own', UNKNOWN_KEY, (issuer) => signedWithKeyInHeader(issuer, 'mine')],
    [
      'algorithm of another kind of key',
      UNKNOWN_KEY,
      async (issuer) => withParts(await issuer.token(), { header: { alg: 'RS256', kid: 'first' } }),
    ],
    ['tampered payload', SIGNATURE, async (issuer) => withParts(await issuer.token(), { claims: claimsFor(issuer) })],
    ['tampered header', SIGNATURE, async (issuer) => withParts(await issuer.token(), { header: { alg: 'ES256', kid: 'first' } })],
    ['missing signature', SIGNATURE, async (issuer) => withParts(await issuer.token(), { signature: '' })],
    ['signature of zeros', SIGNATURE, async (issuer) => withParts(await issuer.token(), { signature: 'A'.repeat(86) })],
    [
      'unknown critical header',
      'Token is signed in a way that is not supported',
      async (issuer) => withParts(await issuer.token(), { header: { alg: 'ES256', kid: 'first', crit: ['mcp'], mcp: true } }),
    ],
    ['encrypted token', MALFORMED, encrypted],
    ['proof of possession', OTHER_KIND, (issuer) => issuer.token({}, { typ: 'dpop+jwt' })],
    ['logout notice', OTHER_KIND, (issuer) => issuer.token({}, { typ: 'logout+jwt' })],
    ['no client id', ANONYMOUS, (issuer) => issuer.token({ sub: undefined, client_id: undefined })],
    ['subject that is a number', ANONYMOUS, (issuer) => issuer.token({ sub: 7 })],
    ['empty subject', ANONYMOUS, (issuer) => issuer.token({ sub: '' })],
    ['client that is a list', ANONYMOUS, (issuer) => issuer.token({ client_id: ['editor'] })],
    ['token of another kind', MALFORMED, () => 'a-token-of-another-kind'],
    ['empty parts', MALFORMED, () => '..'],
    ['four parts', MALFORMED, async (issuer) => `${await issuer.token()}.e30`],
  ])('%s', async (_, problem, tokenOf) => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    const { status, body, challenge } = await server.withToken(await tokenOf(issuer));
    expect({ status, body }).toEqual({ status: 401, body: problem });
    expect(challenge).toBe(`Bearer error="invalid_token", error_description="${problem}", resource_metadata="${METADATA}"`);
    expect(server.lines).toEqual([]);
  });

  it('does not make the server fetch a key from a URL in the token', async () => {
    await using issuer = await Issuer.start();
    await using mallory = await Issuer.start();
    await using server = await protectedBy(issuer);
    const header = { jku: `${mallory.origin}/keys`, x5u: `${mallory.origin}/keys`, kid: 'first' };
    expect(await server.withToken(await mallory.token(claimsFor(issuer), header))).toMatchObject({ status: 401 });
    expect(mallory.asked).toEqual([]);
  });

  it('makes the server fetch an unknown key only once for any number of tokens', async () => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    for (const kid of ['a', 'b', 'c', 'd'])
      expect(await server.withToken(await issuer.token({}, { kid }))).toMatchObject({ status: 401 });
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  it('is rejected if it names no key and none or several keys fit', async () => {
    await using issuer = await Issuer.start();
    issuer.answers.set(
      '/keys',
      json({
        keys: [
          { ...issuer.jwk, kid: 'one' },
          { ...issuer.jwk, kid: 'two' },
        ],
      }),
    );
    await using server = await protectedBy(issuer);
    const answered = await server.withToken(await issuer.token({}, { kid: undefined }));
    expect(answered).toMatchObject({ status: 401, body: 'Token does not identify its signing key' });
  });

  it('is rejected if a single character is changed', async () => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    const token = await issuer.token();
    // Some bits of the last character encode no data, and a token in which only these bits differ is the same. So the test
    // changes every character except the last.
    const changed = [...token].slice(0, -1).map((character, index) => replaced(token, index, character === 'x' ? 'y' : 'x'));
    const answers = await Promise.all(changed.map((each) => server.withToken(each)));
    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
    expect(server.lines).toEqual([]);
  });
});

function replaced(text: string, index: number, character: string): string {
  return `${text.slice(0, index)}${character}${text.slice(index + 1)}`;
}
