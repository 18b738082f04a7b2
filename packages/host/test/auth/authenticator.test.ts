import { OAuthError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import type { Authenticator } from '../../src/auth/authenticator.ts';
import { openAuthenticator } from '../../src/auth/open-authenticator.ts';
import { listMetadataPaths } from '../../src/http/mount.ts';
import { Issuer } from './issuer.ts';
import { protectedBy } from './protected-by.ts';
import { recordedLog } from './recorder.ts';

const RESOURCE = new URL('https://mcp.example.org/files/mcp');
const METADATA = 'https://mcp.example.org/.well-known/oauth-protected-resource/files/mcp';
const ISSUER = 'https://issuer.example.org';

describe('an authenticator with an issuer', () => {
  it('refers a request without a token to the metadata', async () => {
    const refusal = (await authenticatorFor()).refusal(new OAuthError('invalid_token', 'Missing'), {
      resource: RESOURCE,
      authorization: undefined,
    });
    expect(refusal).toEqual({
      status: 401,
      message: 'Missing',
      headers: { 'WWW-Authenticate': `Bearer realm="mcp", resource_metadata="${METADATA}"` },
    });
  });

  it('names the scopes that every request needs', async () => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer, { scopes: ['mcp', 'team'] });
    const metadata = 'resource_metadata="https://mcp.example.org/.well-known/oauth-protected-resource/mcp"';
    expect(await server.get([])).toMatchObject({ status: 401, challenge: `Bearer realm="mcp", scope="mcp team", ${metadata}` });
    expect(await server.withToken(await issuer.token({ scope: 'mcp read' }))).toMatchObject({
      status: 403,
      challenge: `Bearer error="insufficient_scope", error_description="Insufficient scope; the request needs mcp team", scope="mcp team", ${metadata}`,
    });
    expect(await server.withToken(await issuer.token({ scope: 'read team mcp' }))).toMatchObject({ status: 200 });
  });

  it('describes the resource for clients', async () => {
    expect((await authenticatorFor('mcp')).metadata(RESOURCE, ['read', 'write'])).toEqual({
      resource: RESOURCE.href,
      authorization_servers: [ISSUER],
      scopes_supported: ['mcp', 'read', 'write'],
      bearer_methods_supported: ['header'],
    });
  });

  it('names all scopes that a request needs when one is missing', async () => {
    const { status, message, headers } = (await authenticatorFor('mcp')).insufficientScope(['files:write', 'mcp'], RESOURCE);
    expect({ status, message }).toEqual({ status: 403, message: 'Insufficient scope; the request needs mcp files:write' });
    expect(headers['WWW-Authenticate']).toBe(
      `Bearer error="insufficient_scope", error_description="Insufficient scope; the request needs mcp files:write", scope="mcp files:write", resource_metadata="${METADATA}"`,
    );
  });

  it('reveals nothing about an error that is not caused by the token', async () => {
    const refusal = (await authenticatorFor()).refusal(new Error('secret'), { resource: RESOURCE, authorization: undefined });
    expect(refusal).toEqual({ status: 500, message: 'Internal error', headers: {} });
  });
});

describe('the metadata of an endpoint', () => {
  it.each([
    ['/files/mcp', false, ['/.well-known/oauth-protected-resource/files/mcp']],
    ['/mcp', true, ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']],
  ])('of %s has the paths that clients use', (path, isOnly, paths) => {
    expect(listMetadataPaths(path, isOnly)).toEqual(paths);
  });
});

async function authenticatorFor(...authScopes: string[]): Promise<Authenticator> {
  const options = { authIssuer: ISSUER, authAudience: RESOURCE.href, authScopes };
  const authenticator = await openAuthenticator(options, { log: recordedLog().log, tools: { listAll: () => [] } });
  if (authenticator === undefined) throw new Error('nothing is authenticated');
  return authenticator;
}
