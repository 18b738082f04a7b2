import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OAuthError, type AuthInfo } from '@modelcontextprotocol/server';
import { McpServer, Resource, RequestContext, Tool } from '@org/mcp-decorators';
import { Authenticator, serveHttp, type HttpOptions, type HttpService } from '@org/mcp-host';
import { ERAS, Session, type Era } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { ENVELOPE } from '../../support/wire.ts';
import { head, sendRaw, statusOf } from '../../support/http/raw-connection.ts';

const METADATA = '/.well-known/oauth-protected-resource/mcp';

@McpServer({ name: 'guarded', version: '1.0.0' })
class GuardedServer {
  @Tool({ description: 'Says who calls', annotations: { readOnlyHint: true } })
  whoCalls({ auth }: RequestContext): string {
    return auth?.clientId ?? 'nobody';
  }

  @Tool({ description: 'Changes something' })
  change(): string {
    return 'changed';
  }

  @Resource({ uri: 'note:///one', description: 'A note' })
  note(): string {
    return 'read';
  }
}

const SCOPES: Readonly<Record<string, readonly string[]>> = { ada: ['read'], bob: ['read', 'write'], eve: [] };

/** An authenticator whose tokens are the names of the clients. */
const AUTHENTICATOR = new Authenticator(
  {
    issuer: 'https://issuer.example.org',
    verifyAccessToken(token): Promise<AuthInfo> {
      const scopes = SCOPES[token];
      if (scopes === undefined) return Promise.reject(new OAuthError('invalid_token', 'Unknown token'));
      return Promise.resolve({ token, clientId: token, scopes: [...scopes], expiresAt: 4_000_000_000 });
    },
    diagnose: () => Promise.resolve({ subject: 'tokens', ok: true, detail: 'are names' }),
  },
  [],
);

function serve(options: HttpOptions = {}): Promise<HttpService> {
  return serveHttp({ '/mcp': new GuardedServer() }, { authenticator: AUTHENTICATOR, ...options });
}

function connectAs(name: string, { url }: HttpService, era: Era): Promise<Session> {
  const requestInit = { headers: { Authorization: `Bearer ${name}` } };
  return Session.open(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }), { era }, () =>
    Promise.resolve(),
  );
}

function call(name: string): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: ENVELOPE } };
}

/** Posts as a client of 2026-07-28, with this token or none. */
function post({ url }: HttpService, body: object, token?: string): Promise<Response> {
  const { method, params } = body as { method: string; params: { name?: string; uri?: string } };
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': params.name ?? params.uri ?? '',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
}

describe.each(ERAS)('a server over HTTP that requires tokens, in the %s era,', (era) => {
  it('passes the principal of the token to its methods', async () => {
    await using service = await serve();
    await using ada = await connectAs('ada', service, era);
    expect(await ada.text('who_calls')).toBe('ada');
  });

  it('rejects a call whose token lacks the scope, and serves the same call with the scope', async () => {
    await using service = await serve();
    await using ada = await connectAs('ada', service, era);
    await using bob = await connectAs('bob', service, era);
    await expect(ada.call('change')).rejects.toThrow(/insufficient_scope|403|scope/i);
    expect(await bob.text('change')).toBe('changed');
  });

  it('lists the tools for whose scopes the token is sufficient', async () => {
    await using service = await serve();
    const namesFor = async (token: string): Promise<readonly string[]> => {
      await using session = await connectAs(token, service, era);
      return await session.toolNames();
    };
    expect(await namesFor('eve')).toEqual([]);
    expect(await namesFor('ada')).toEqual(['who_calls']);
    expect(await namesFor('bob')).toEqual(['who_calls', 'change']);
  });

  it('rejects requests without a known token', async () => {
    await using service = await serve();
    await expect(connectAs('mallory', service, era)).rejects.toThrow(/401|Unknown token/);
  });
});

describe('the response to a request', () => {
  it('without a token contains the URL of the resource metadata', async () => {
    await using service = await serve();
    const { status, headers } = await post(service, call('who_calls'));
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="mcp", resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`,
    ]);
  });

  it.each([
    ['a tool that writes, with a token to read', call('change'), 'ada', 403],
    ['a tool that reads, with a token without scopes', call('who_calls'), 'eve', 403],
    [
      'a resource, with a token without scopes',
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'note:///one', _meta: ENVELOPE } },
      'eve',
      403,
    ],
    [
      'the list of tools, with a token without scopes',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: ENVELOPE } },
      'eve',
      200,
    ],
    ['an unknown tool, with a token without scopes', call('nothing'), 'eve', 200],
  ])('has the expected status for %s', async (_, body, token, expected) => {
    await using service = await serve();
    const response = await post(service, body, token);
    const isScopeMissing = response.headers.get('www-authenticate')?.includes('error="insufficient_scope"') === true;
    expect([response.status, isScopeMissing]).toEqual([expected, expected === 403]);
  });

  it('names the necessary scope in its body if the token lacks it', async () => {
    await using service = await serve();
    const response = await post(service, call('change'), 'ada');
    expect(await response.json()).toMatchObject({ error: { message: 'Insufficient scope; the request needs write' } });
  });

  it('with a token in the URL is the same as without a token', async () => {
    await using service = await serve();
    const response = await fetch(`${service.url}/mcp?access_token=bob`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });

  it('is sent before the body is read', async () => {
    await using service = await serve();
    const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' });
    expect(response.status).toBe(401);
  });
});

describe('the metadata of a protected server', () => {
  it.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
    'is served at %s, to pages of every origin and without a token',
    async (path) => {
      await using service = await serve();
      const response = await fetch(service.url + path, { headers: { origin: 'https://app.example.org' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toEqual({
        resource: `${service.url}/mcp`,
        authorization_servers: ['https://issuer.example.org'],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
      });
    },
  );

  it('contains the public URL of the server', async () => {
    await using service = await serve({ publicUrl: 'https://mcp.example.org' });
    const response = await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await response.json()).toMatchObject({ resource: 'https://mcp.example.org/mcp' });
  });
});

describe('a request for the metadata', () => {
  it('allows the preflight request of every page', async () => {
    await using service = await serve();
    const headers = {
      origin: 'https://app.example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    };
    const response = await fetch(service.url + METADATA, { method: 'OPTIONS', headers });
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      204,
      { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'mcp-protocol-version' },
    ]);
  });

  it.each([
    ['an unsupported HTTP method', `POST ${METADATA}`, 'Host: localhost', 405],
    ['a name that is not a string', `GET ${METADATA}`, 'Host: a b', 400],
    ['an unknown path', 'GET /.well-known/oauth-protected-resource/other', 'Host: localhost', 404],
  ])('is rejected for %s', async (_, line, host, status) => {
    const onTransportError = vi.fn<(error: Error) => void>();
    await using service = await serve({ onTransportError });
    expect(statusOf(await sendRaw(service.url, head(line, [host])))).toBe(status);
    expect(onTransportError).not.toHaveBeenCalled();
  });
});

describe('a session', () => {
  it('is unknown to all principals except the one that opened it', async () => {
    await using service = await serve();
    await using ada = await connectAs('ada', service, 'legacy');
    const { transport } = ada.client;
    const headers = { 'mcp-session-id': transport?.sessionId ?? '', accept: 'text/event-stream' };
    const as = (token: string) =>
      fetch(`${service.url}/mcp`, { method: 'DELETE', headers: { ...headers, authorization: `Bearer ${token}` } });
    expect((await as('bob')).status).toBe(404);
    expect(await ada.text('who_calls')).toBe('ada');
    expect((await as('ada')).status).toBe(200);
  });
});

describe('a session of 2024-11-05', () => {
  it('requires a token for its stream and for each message', async () => {
    await using service = await serve({ sse: true });
    expect((await fetch(`${service.url}/sse`)).status).toBe(401);
    expect((await fetch(`${service.url}/messages?sessionId=x`, { method: 'POST' })).status).toBe(401);
  });
});
