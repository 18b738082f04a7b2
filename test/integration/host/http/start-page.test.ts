import { request as httpRequest } from 'node:http';

import { McpServer, Tool } from '@org/mcp-decorators';
import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

@McpServer({ name: 'sample', version: '1.2.3', title: '<b>Sample</b> & "more"' })
class Sample {
  @Tool({ description: 'Answer' }) answer(): string {
    return '42';
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: string;
  readonly policy: string | undefined;
}

/** Requests a path with any Host header, which `fetch` does not permit. */
function get(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { 'content-type': type, 'content-security-policy': policy } = response.headers;
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, type, body, policy: typeof policy === 'string' ? policy : undefined });
      });
    });
    sent.once('error', reject).end();
  });
}

const HTML = { accept: 'text/html,application/xhtml+xml' };

describe('the page at / of a service', () => {
  it('shows a browser the server and how a client connects', async () => {
    await using service = await serveHttp({ '/mcp': new Sample() });
    const { status, type, body, policy } = await get(`${service.url}/`, HTML);
    expect({ status, type }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(policy).toMatch(/^default-src 'none'/);
    expect(body).toContain('sample 1.2.3');
    expect(body).toContain(`claude mcp add --transport http sample ${service.url}/mcp`);
  });

  it('escapes the texts of a server', async () => {
    await using service = await serveHttp({ '/mcp': new Sample() });
    const { body } = await get(`${service.url}/`, HTML);
    expect(body).toContain('&lt;b&gt;Sample&lt;/b&gt; &amp; &quot;more&quot;');
    expect(body).not.toMatch(/<b>|<script/);
  });

  it('shows the public URL of a service behind a proxy', async () => {
    await using service = await serveHttp({ '/mcp': new Sample() }, { publicUrl: 'https://mcp.example.org' });
    expect((await get(`${service.url}/`, HTML)).body).toContain('<code>https://mcp.example.org/mcp</code>');
  });

  it.each(['evil.example', '"><script>alert(1)</script>'])('is refused for another Host header: %s', async (host) => {
    await using service = await serveHttp({ '/mcp': new Sample() });
    const { status, body } = await get(`${service.url}/`, { ...HTML, host });
    expect(status).toBe(403);
    expect(body).not.toContain('<script');
  });

  it('is not found by programs, which accept no HTML', async () => {
    await using service = await serveHttp({ '/mcp': new Sample() });
    expect((await get(`${service.url}/`, { accept: 'application/json' })).status).toBe(404);
    expect((await get(`${service.url}/`, {})).status).toBe(404);
  });

  it('is not found by other methods, and answers HEAD without a body', async () => {
    await using service = await serveHttp({ '/mcp': new Sample() });
    expect((await get(`${service.url}/`, HTML, 'POST')).status).toBe(404);
    expect(await get(`${service.url}/`, HTML, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  it('gives way to a server at this path', async () => {
    await using service = await serveHttp({ '/': new Sample() });
    expect((await get(`${service.url}/`, HTML)).type).not.toContain('text/html');
  });
});
