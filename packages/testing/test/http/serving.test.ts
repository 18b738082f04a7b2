import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { HttpClient, initialize, post } from './http-client.ts';
import { Station } from './station.ts';

describe('serveHttp', () => {
  it('serves several objects at one port, each at its path and with sessions of its own', async () => {
    const [one, other] = [new Station(), new Station()];
    await using service = await serveHttp({ '/one/mcp': one, '/other': other });
    const client = await HttpClient.open(`${service.url}/one/mcp`);
    await HttpClient.open(`${service.url}/other`);
    expect(service.gauges.sessions).toBe(2);
    const stranger = await fetch(`${service.url}/other`, { method: 'DELETE', headers: client.headers });
    expect(stranger.status).toBe(404);
    await stranger.text();
    const nothing = await post(`${service.url}/mcp`, JSON.stringify(initialize('2025-11-25')));
    expect(nothing.status).toBe(404);
    await nothing.text();
  });

  it('is reached from this machine alone, unless told otherwise', async () => {
    await using service = await serveHttp({ '/mcp': new Station() });
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // An option that is undefined is none, whatever the types of the caller say.
    const options: object = { host: undefined, port: undefined, allowedHosts: undefined };
    await using other = await serveHttp({ '/mcp': new Station() }, options);
    expect(other.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await HttpClient.open(`${other.url}/mcp`)).call('say', { text: 'x' })).toBe('x');
  });

  it('is reached by its name if it has one, and by IPv6', async () => {
    await using service = await serveHttp({ '/mcp': new Station() }, { host: '::1' });
    expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await (await HttpClient.open(`${service.url}/mcp`)).call('say', { text: 'x' })).toBe('x');
  });

  it.each([
    [{ mcp: new Station() }, '"mcp" is not the path of a URL, like /mcp'],
    [{ '': new Station() }, '"" is not the path of a URL, like /mcp'],
    [{ '/a b': new Station() }, '"/a b" is not the path of a URL, like /mcp'],
    [{ '/mcp?x': new Station() }, '"/mcp?x" is not the path of a URL, like /mcp'],
    [{ '//mcp': new Station() }, '"//mcp" is not the path of a URL, like /mcp'],
    [{ '/a/../b': new Station() }, '"/a/../b" is not the path of a URL, like /mcp'],
    [{ '/healthz': new Station() }, 'there would be several things at /healthz'],
    [{ '/fs': new Station(), '/git': new Station() }, 'there would be several things at /sse'],
    [{ '/mcp': new Station(), '/messages': new Station() }, 'there would be several things at /messages'],
  ])('rejects paths that cannot be served', async (mounts, message) => {
    await expect(serveHttp(mounts, { sse: true })).rejects.toThrow(message);
  });

  it('rejects what is no server', async () => {
    await expect(serveHttp({ '/mcp': {} })).rejects.toThrow('a server is an instance of a class');
  });

  it('rejects a port that is taken, with what the system says', async () => {
    await using first = await serveHttp({ '/mcp': new Station() });
    const port = Number(new URL(first.url).port);
    await expect(serveHttp({ '/mcp': new Station() }, { port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    await expect(serveHttp({ '/mcp': new Station() }, { host: '203.0.113.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
    // The one that was there is not disturbed.
    expect(await (await HttpClient.open(`${first.url}/mcp`)).call('say', { text: 'x' })).toBe('x');
  });
});
