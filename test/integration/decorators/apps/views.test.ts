import { connect, connectHttp, ERAS, type Era, type Session, type SessionOptions } from '@org/mcp-testing';
import { App, DefinitionError, Feature, McpServer, Resource, Text, Tool, compileServer } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const BOARD = 'ui://notes/board';
const PLAIN = 'ui://notes/plain';

class Title {
  @Text() title!: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @App({
    uri: BOARD,
    title: 'Board',
    csp: { connectDomains: ['https://api.example.com'] },
    permissions: ['clipboardWrite'],
    prefersBorder: true,
  })
  board(): string {
    return '<!doctype html><title>Board</title>';
  }

  @App({ uri: PLAIN, _meta: { 'com.example/kind': 'plain' } }) plain(): Promise<string> {
    return Promise.resolve('<!doctype html><title>Plain</title>');
  }

  @Resource({ uri: 'notes://all' }) all(): string {
    return 'all notes';
  }

  @Tool({ description: 'List the notes', app: BOARD }) list(): string {
    return 'milk';
  }

  @Tool({ description: 'Write a note' }) write({ title }: Title): string {
    return title;
  }

  @Tool({ description: 'Move a note', app: BOARD, visibility: ['app'] }) move({ title }: Title): string {
    return `moved ${title}`;
  }

  @Tool({ description: 'Think', visibility: ['model'] }) think(): string {
    return 'hm';
  }
}

/** A server like `Notes`, without views and without the tool that only views may call. */
@McpServer({ name: 'notes', version: '1.0.0' })
class PlainNotes {
  @Resource({ uri: 'notes://all' }) all(): string {
    return 'all notes';
  }

  @Tool({ description: 'List the notes' }) list(): string {
    return 'milk';
  }

  @Tool({ description: 'Write a note' }) write({ title }: Title): string {
    return title;
  }

  @Tool({ description: 'Think' }) think(): string {
    return 'hm';
  }
}

type Open = (server: object, options: SessionOptions) => Promise<Session>;

const WAYS: readonly (readonly [string, Open, Era])[] = ERAS.flatMap((era) => [
  [`in memory, ${era}`, connect, era] as const,
  [`over HTTP, ${era}`, connectHttp, era] as const,
]);

/** Returns everything that a client receives from the handshake, lists, calls and reads, as JSON texts. */
async function everythingOf({ client }: Session): Promise<readonly string[]> {
  const failure = (error: unknown): unknown => String(error);
  const answers = await Promise.all([
    client.listTools(),
    client.listResources(),
    client.listResourceTemplates().catch(failure),
    client.callTool({ name: 'list', arguments: {} }),
    client.callTool({ name: 'write', arguments: { title: 'tea' } }),
    client.callTool({ name: 'move', arguments: { title: 'tea' } }).catch(failure),
    client.callTool({ name: 'think', arguments: {} }),
    client.readResource({ uri: 'notes://all' }),
    client.readResource({ uri: BOARD }).catch(failure),
  ]);
  return [client.getServerCapabilities(), client.getServerVersion(), client.getInstructions(), ...answers].map((answer) =>
    JSON.stringify(answer),
  );
}

describe.each(WAYS)('a client without MCP Apps, %s', (_, open, era) => {
  it.each([
    ['no extensions', {}],
    ['another type of views', { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/plain'] } } }],
    ['no types', { extensions: { 'io.modelcontextprotocol/ui': {} } }],
  ])('gets the same bytes as from a server without views: %s', async (__, capabilities) => {
    await using session = await open(new Notes(), { era, capabilities });
    await using plain = await open(new PlainNotes(), { era, capabilities });
    expect(await everythingOf(session)).toEqual(await everythingOf(plain));
  });
});

describe.each(WAYS)('a client with MCP Apps, %s', (_, open, era) => {
  it('gets the views of tools, and the tools that only views call', async () => {
    await using session = await open(new Notes(), { era, capabilities: APPS });
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([
      ['list', { ui: { resourceUri: BOARD }, 'ui/resourceUri': BOARD }],
      ['write', undefined],
      ['move', { ui: { resourceUri: BOARD, visibility: ['app'] }, 'ui/resourceUri': BOARD }],
      ['think', { ui: { visibility: ['model'] } }],
    ]);
    expect(await session.text('move', { title: 'tea' })).toBe('moved tea');
    expect(await session.text('list')).toBe('milk');
  });

  it('lists and reads views with their settings', async () => {
    await using session = await open(new Notes(), { era, capabilities: APPS });
    const ui = { csp: { connectDomains: ['https://api.example.com'] }, permissions: { clipboardWrite: {} }, prefersBorder: true };
    const mimeType = 'text/html;profile=mcp-app';
    const { resources } = await session.client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('ui://'))).toEqual([
      { name: 'board', title: 'Board', uri: BOARD, mimeType, _meta: { ui } },
      { name: 'plain', uri: PLAIN, mimeType, _meta: { 'com.example/kind': 'plain' } },
    ]);
    const read = async (uri: string): Promise<unknown> => (await session.client.readResource({ uri })).contents;
    expect(await read(BOARD)).toEqual([{ uri: BOARD, mimeType, text: '<!doctype html><title>Board</title>', _meta: { ui } }]);
    expect(await read(PLAIN)).toMatchObject([{ text: '<!doctype html><title>Plain</title>' }]);
  });

  it('learns that the server has views only if the server has any', async () => {
    const extensions = { 'io.modelcontextprotocol/ui': {} };
    await using session = await open(new Notes(), { era, capabilities: APPS });
    expect(session.client.getServerCapabilities()).toMatchObject({ extensions });
    await using plain = await open(new PlainNotes(), { era, capabilities: APPS });
    expect(plain.client.getServerCapabilities()).not.toHaveProperty('extensions');
  });
});

describe('an override', () => {
  @McpServer({ name: 'my-notes', tools: { list: { app: PLAIN } } })
  class MyNotes extends Notes {
    @App({ title: 'My board' }) override board(): string {
      return '<!doctype html><title>Mine</title>';
    }
  }

  it('of a view keeps its URI and its settings, and a table gives a tool another view', async () => {
    await using session = await connect(new MyNotes(), { capabilities: APPS });
    const { resources } = await session.client.listResources();
    expect(resources.find(({ uri }) => uri === BOARD)).toMatchObject({
      title: 'My board',
      _meta: { ui: { prefersBorder: true, permissions: { clipboardWrite: {} } } },
    });
    expect(await session.client.readResource({ uri: BOARD })).toMatchObject({ contents: [{ text: /Mine/ }] });
    const { tools } = await session.client.listTools();
    expect(tools.find(({ name }) => name === 'list')).toMatchObject({ _meta: { ui: { resourceUri: PLAIN } } });
  });
});

describe('a feature', () => {
  @McpServer({ name: 'desk', version: '1.0.0' })
  class Desk {
    @Feature({ type: () => Notes }) readonly notes: Notes = new Notes();
  }

  it('brings its views and its tools for views along', async () => {
    await using session = await connect(new Desk(), { capabilities: APPS });
    expect(await session.text('move', { title: 'tea' })).toBe('moved tea');
    expect(await session.client.readResource({ uri: BOARD })).toMatchObject({ contents: [{ uri: BOARD }] });
    await using plain = await connect(new Desk());
    await expect(plain.client.callTool({ name: 'move', arguments: { title: 'tea' } })).rejects.toThrow('Unknown tool: move');
  });
});

describe('a mistake in a view', () => {
  it.each([
    ['a URI of another scheme', 'notes://board', BOARD, '"notes://board" is not the URI of a view'],
    ['a URI without a name', 'ui://notes', BOARD, '"ui://notes" is not the URI of a view'],
    ['a tool that names a missing view', BOARD, 'ui://notes/bord', 'the view "ui://notes/bord" does not exist; did you mean'],
    ['a tool that names no view', BOARD, 'board', 'app must be the uri of a view'],
  ])('is reported: %s', (_, uri, app, problem) => {
    @McpServer({ name: 'wrong', version: '1.0.0' })
    class Wrong {
      @App({ uri }) board(): string {
        return '';
      }
      @Tool({ description: 'List', app }) list(): void {}
    }
    expect(() => compileServer(Wrong)).toThrow(DefinitionError);
    expect(() => compileServer(Wrong)).toThrow(problem);
  });

  it.each([
    ['an origin with a path', { csp: { connectDomains: ['https://a.example/api'] } }, ': csp.connectDomains.0 must be an origin'],
    ['any origin', { csp: { resourceDomains: ['*'] } }, 'must be an origin'],
    ['an unknown permission', { permissions: ['files' as 'camera'] }, 'must be camera or microphone or geolocation'],
  ])('is reported: %s', (_, settings, problem) => {
    @McpServer({ name: 'wrong', version: '1.0.0' })
    class Wrong {
      @App({ uri: BOARD, ...settings }) board(): string {
        return '';
      }
    }
    expect(() => compileServer(Wrong)).toThrow(problem);
  });

  it('is reported: a view without a URI', () => {
    @McpServer({ name: 'wrong', version: '1.0.0' })
    class Wrong {
      @App({ title: 'Board' }) board(): string {
        return '';
      }
    }
    expect(() => compileServer(Wrong)).toThrow('Wrong.board: a view needs a uri, such as ui://mcp-notes/board');
  });
});
