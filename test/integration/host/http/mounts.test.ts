import { McpServer } from '@org/mcp-decorators';
import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { AskingServer } from '../../decorators/input-requests/asking-server.ts';
import { KEY, REMOVE, YES } from '../../decorators/input-requests/rounds.ts';
import type { Message } from '../../support/http/event-reader.ts';
import { messageOf, postModern, textOf } from '../../support/http/http-client.ts';

@McpServer({ name: 'asking', version: '1.0.0', pageSize: 1 })
class PagedServer extends AskingServer {}

async function send(url: string, method: string, params: object = {}): Promise<Message> {
  return messageOf(await postModern(url, { method, params }));
}

describe('a value that one mount of a service sealed', () => {
  it('is rejected by another mount, even if the server has the same name and key', async () => {
    const [one, other] = [new PagedServer(), new PagedServer()];
    await using service = await serveHttp({ '/one/mcp': one, '/other/mcp': other }, { stateKey: KEY });
    const first = await send(`${service.url}/one/mcp`, 'tools/call', REMOVE);
    const retry = { ...REMOVE, requestState: first.result?.['requestState'], inputResponses: YES };
    expect((await send(`${service.url}/other/mcp`, 'tools/call', retry)).error).toMatchObject({ code: -32_602 });
    expect(other.state().effects).toEqual([]);
    const cursor = (await send(`${service.url}/one/mcp`, 'tools/list')).result?.['nextCursor'];
    expect((await send(`${service.url}/other/mcp`, 'tools/list', { cursor })).error).toMatchObject({ code: -32_602 });
    expect(textOf(await send(`${service.url}/one/mcp`, 'tools/call', retry))).toBe('removed');
  });

  it('is accepted by the same mount of another process', async () => {
    await using first = await serveHttp({ '/one/mcp': new PagedServer() }, { stateKey: KEY });
    await using second = await serveHttp({ '/one/mcp': new PagedServer() }, { stateKey: KEY });
    const cursor = (await send(`${first.url}/one/mcp`, 'tools/list')).result?.['nextCursor'];
    expect((await send(`${second.url}/one/mcp`, 'tools/list', { cursor })).result).toMatchObject({ tools: [{}] });
  });
});
