import { App, confirm, confirmedResult, Flag, McpServer, RequestContext, Result, Text, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const BOARD = 'ui://notes/board';

class Removal {
  @Flag('Only report') dry_run = false;
  @Text({ optional: true }) confirm_token?: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  computed = 0;

  @App({ uri: BOARD, calls: ['move', 'remove_all'] }) board(): string {
    return '<!doctype html><title>Board</title>';
  }

  @Tool({ description: 'List the notes', app: BOARD, annotations: { readOnlyHint: true } }) list(): Result {
    return Result.text('milk', { facts: { count: 1 }, forView: () => this.#data() });
  }

  @Tool({ description: 'Count the notes', app: BOARD, annotations: { readOnlyHint: true } }) count(): Result {
    return Result.of({ count: 1 }, 'one', { forView: () => Promise.resolve(this.#data()) });
  }

  @Tool({ description: 'List without a view' }) plain(): Result {
    return Result.text('milk', { forView: () => this.#data() });
  }

  @Tool({ description: 'Move a note', app: BOARD, sets: ['edit'] }) move(): string {
    return 'moved';
  }

  @Tool({ description: 'Copy a note', app: BOARD, sets: ['edit'] }) copy(): string {
    return 'copied';
  }

  @Tool({ description: 'Remove all notes', app: BOARD }) async removeAll(
    input: Removal,
    context: RequestContext,
  ): Promise<Result> {
    const loss = { question: 'Remove all notes?', lost: Array.from({ length: 30 }, (_, index) => `note ${index}`) };
    const preview = await confirm({ input, context, loss, state: '', subject: 'the notes' });
    return confirmedResult(preview ?? 'removed', (text) => Result.text(text));
  }

  #data(): object {
    this.computed += 1;
    return { notes: ['milk'] };
  }
}

describe.each(ERAS)('the data for a view, in the %s era,', (era) => {
  it('is in `_meta.view`, beside the facts and the structured content', async () => {
    await using session = await connect(new Notes(), { era, capabilities: APPS });
    const view = { notes: ['milk'], tools: ['move', 'remove_all'] };
    expect(await session.client.callTool({ name: 'list', arguments: {} })).toMatchObject({ _meta: { count: 1, view } });
    const counted = await session.client.callTool({ name: 'count', arguments: {} });
    expect(counted).toMatchObject({ structuredContent: { count: 1 }, _meta: { view } });
  });

  it('is not computed for a tool without a view, or for a client without MCP Apps', async () => {
    const server = new Notes();
    await using session = await connect(server, { era, capabilities: APPS });
    expect(await session.client.callTool({ name: 'plain', arguments: {} })).not.toHaveProperty('_meta.view');
    await using plain = await connect(server, { era });
    for (const name of ['list', 'count', 'plain'])
      expect(await plain.client.callTool({ name, arguments: {} })).not.toHaveProperty('_meta.view');
    expect(server.computed).toBe(0);
  });

  it('lists the tools that the view can call', async () => {
    await using session = await connect(new Notes(), { era, capabilities: APPS, readOnly: true });
    expect(await session.client.callTool({ name: 'list', arguments: {} })).toMatchObject({ _meta: { view: { tools: [] } } });
  });

  it('includes the structured content for a client that gets only the text', async () => {
    await using session = await connect(new Notes(), { era, capabilities: APPS, structured: 'never' });
    const counted = await session.client.callTool({ name: 'count', arguments: {} });
    expect(counted).not.toHaveProperty('structuredContent');
    expect(counted).toMatchObject({ _meta: { view: { notes: ['milk'], structured: { count: 1 } } } });
  });

  it('of a dry run has all lost items', async () => {
    await using session = await connect(new Notes(), { era, capabilities: APPS });
    const result = await session.client.callTool({ name: 'remove_all', arguments: { dry_run: true } });
    expect(result).toMatchObject({ structuredContent: { total: 30 } });
    expect(result._meta).toMatchObject({ view: { lost: expect.arrayContaining(['note 29']) } });
  });
});

describe.each(ERAS)('context.viewsShown, in the %s era,', (era) => {
  @McpServer({ name: 'shows', version: '1.0.0' })
  class Shows {
    @Tool({ description: 'Whether the client shows views' }) shown(context: RequestContext): string {
      return String(context.viewsShown);
    }
  }

  it.each([
    [APPS, 'true'],
    [{}, 'false'],
  ])('of a client with the capabilities %j is %s', async (capabilities, expected) => {
    await using session = await connect(new Shows(), { era, capabilities });
    expect(await session.text('shown')).toBe(expected);
  });
});

describe('a tool that a view calls', () => {
  const namesOf = async (capabilities: object, selection: object): Promise<readonly (readonly [string, unknown])[]> => {
    await using session = await connect(new Notes(), { capabilities, ...selection });
    const { tools } = await session.client.listTools();
    return tools.map(
      ({ name, _meta = {} }) => [name, (_meta['ui'] as { visibility?: unknown } | undefined)?.visibility] as const,
    );
  };

  it('is offered to views if the default tools are selected', async () => {
    expect(await namesOf(APPS, {})).toEqual([
      ['list', undefined],
      ['count', undefined],
      ['plain', undefined],
      ['move', ['app']],
      ['remove_all', undefined],
    ]);
    await using session = await connect(new Notes(), { capabilities: APPS });
    expect(await session.text('move')).toBe('moved');
    await expect(session.client.callTool({ name: 'copy', arguments: {} })).rejects.toThrow('Unknown tool: copy');
  });

  it('is not offered to clients without views', async () => {
    expect((await namesOf({}, {})).map(([name]) => name)).toEqual(['list', 'count', 'plain', 'remove_all']);
    await using session = await connect(new Notes());
    await expect(session.client.callTool({ name: 'move', arguments: {} })).rejects.toThrow('Unknown tool: move');
  });

  it.each([
    ['another selection of tools', { tools: ['list'] }, ['list']],
    ['a disabled tool', { disableTools: ['move'] }, ['list', 'count', 'plain', 'remove_all']],
    ['only reading tools', { readOnly: true }, ['list', 'count']],
    ['its own selection', { tools: ['move'] }, ['move']],
  ])('follows the selection of the operator: %s', async (_, selection, expected) => {
    expect((await namesOf(APPS, selection)).map(([name]) => name)).toEqual(expected);
  });

  it('is described for the model if the operator selected it', async () => {
    expect(await namesOf(APPS, { tools: ['all'] })).toContainEqual(['move', undefined]);
  });
});
