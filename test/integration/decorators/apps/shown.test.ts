import { existsSync } from 'node:fs';

import { App, McpServer, RequestContext, Text, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { openView } from '@org/mcp-testing/views';
import { describe, expect, it } from 'vitest';

const HAS_CHROMIUM = existsSync('/usr/bin/chromium');
const BOARD = 'ui://notes/board';
const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

/** A page that shows the result of the call as text. Its button removes a note. */
const DOCUMENT = `<!doctype html><html lang="en"><title>Board</title>
<p id="theme"></p><pre id="notes"></pre><button>Remove</button>
<script>
  let id = 0;
  const waiting = new Map();
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method, params) => new Promise((resolve) => {
    waiting.set(++id, resolve);
    send({ id, method, params });
  });
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    if (data.method === 'ui/notifications/tool-result') document.querySelector('#notes').textContent = data.params.content[0].text;
    waiting.get(data.id)?.(data.result);
  });
  document.querySelector('button').addEventListener('click', async () => {
    const { content } = await request('tools/call', { name: 'remove', arguments: { name: 'today' } });
    document.querySelector('#notes').textContent = content[0].text;
  });
  request('ui/initialize', { appInfo: { name: 'board', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' })
    .then(({ hostContext }) => {
      document.querySelector('#theme').textContent = hostContext.theme;
      send({ method: 'ui/notifications/initialized' });
    });
</script></html>`;

class NoteName {
  @Text() name!: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  readonly notes = new Map([['today', 'water the plants']]);
  readonly document: string;

  constructor(document = DOCUMENT) {
    this.document = document;
  }

  @App({ uri: BOARD }) board(): string {
    return this.document;
  }

  @Tool({ description: 'List the notes', app: BOARD }) list(): string {
    return [...this.notes.values()].join('\n');
  }

  @Tool({ description: 'Remove a note', app: BOARD, visibility: ['app'] })
  remove({ name }: NoteName, { client }: RequestContext): string {
    return this.notes.delete(name) ? `removed for ${client.name}` : 'not found';
  }
}

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('a view that is shown in Chromium, in the %s era,', (era) => {
  it('gets the result of its call, and calls the tools of the server', async () => {
    const server = new Notes();
    await using session = await connect(server, { era, capabilities: APPS });
    await using view = await openView(session, 'list', {}, { theme: 'dark' });
    await view.frame.getByText('water the plants').waitFor();
    expect(await view.frame.locator('#theme').textContent()).toBe('dark');
    await view.frame.getByRole('button').click();
    await view.frame.getByText('removed for @org/mcp-testing').waitFor();
    expect(server.notes.size).toBe(0);
    expect([view.requests, view.errors]).toEqual([[], []]);
  });
});

describe.skipIf(!HAS_CHROMIUM)('a view that is shown in Chromium', () => {
  it('has no network, and its failed requests are listed', async () => {
    const document = DOCUMENT.replace('<p', '<img src="https://a.example/pixel.png" alt=""><p');
    await using session = await connect(new Notes(document), { capabilities: APPS });
    await using view = await openView(session, 'list');
    await view.frame.getByText('water the plants').waitFor();
    expect(view.errors).toEqual([expect.stringContaining('Content Security Policy')]);
    expect(view.requests).toEqual([]);
  });

  it('that never answers is reported with the errors of its scripts', async () => {
    await using session = await connect(new Notes('<script>nothing()</script>'), { capabilities: APPS });
    await expect(openView(session, 'list', {}, { timeoutMs: 1000 })).rejects.toThrow(
      /did not initialize: .*nothing is not defined/,
    );
  });

  it('must exist, and its client must have MCP Apps', async () => {
    await using session = await connect(new Notes());
    await expect(openView(session, 'list')).rejects.toThrow('list has no view, or the client of the session has not declared');
    await expect(openView(session, 'lost')).rejects.toThrow('the server does not offer lost');
  });
});
