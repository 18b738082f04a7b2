import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { HttpClient, initialize, post } from '../../support/http/http-client.ts';
import { Station } from '../../support/http/station.ts';

describe('serveHttp', () => {
  it('serves several objects on one port, each at its path and with separate sessions', async () => {
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

  it('is reachable only from this machine by default', async () => {
    await using service = await serveHttp({ '/mcp': new Station() });
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // An option that is `undefined` counts as absent, even if the types of the caller forbid `undefined`.
    const options: object = { host: undefined, port: undefined, allowedHosts: undefined };
    await using other = await serveHttp({ '/mcp': new Station() }, options);
    expect(other.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await HttpClient.open(`${other.url}/mcp`)).call('say', { text: 'x' })).toBe('x');
  });

  it('is reachable by its host name and by IPv6', async () => {
    await using service = await serveHttp({ '/mcp': new Station() }, { host: '::1' });
    expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await (await HttpClient.open(`${service.url}/mcp`)).call('say', { text: 'x' })).toBe('x');
  });

  it.each([
    [{ mcp: new Station() }, '"mcp" is not a valid URL path such as /mcp'],
    [{ '': new Station() }, '"" is not a valid URL path such as /mcp'],
    [{ '/a b': new Station() }, '"/a b" is not a valid URL path such as /mcp'],
    [{ '/mcp?x': new Station() }, '"/mcp?x" is not a valid URL path such as /mcp'],
    [{ '//mcp': new Station() }, '"//mcp" is not a valid URL path such as /mcp'],
    [{ '/a/../b': new Station() }, '"/a/../b" is not a valid URL path such as /mcp'],
    [{ '/healthz': new Station() }, 'the path /healthz is used twice'],
    [{ '/fs': new Station(), '/git': new Station() }, 'the path /sse is used twice'],
    [{ '/mcp': new Station(), '/messages': new Station() }, 'the path /messages is used twice'],
  ])('rejects invalid or repeated paths', async (mounts, message) => {
    await expect(serveHttp(mounts, { sse: true })).rejects.toThrow(message);
  });

  it('rejects an object that is not a server', async () => {
    await expect(serveHttp({ '/mcp': {} })).rejects.toThrow('a server must be a class or an instance of a class');
  });

  it('rejects a port that is in use with the error of Node.js', async () => {
    await using first = await serveHttp({ '/mcp': new Station() });
    const port = Number(new URL(first.url).port);
    await expect(serveHttp({ '/mcp': new Station() }, { port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    await expect(serveHttp({ '/mcp': new Station() }, { host: '203.0.113.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
    // The first service is not disturbed.
    expect(await (await HttpClient.open(`${first.url}/mcp`)).call('say', { text: 'x' })).toBe('x');
  });
});
