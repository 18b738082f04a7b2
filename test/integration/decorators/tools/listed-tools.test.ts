import {
  ChangeBus,
  McpServer,
  RequestContext,
  Result,
  Tool,
  ToolError,
  type InterceptedCall,
  type ListedTool,
  type RawSchema,
  type ToolLister,
} from '@org/mcp-decorators';
import { connect, connectHttp, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { deferred, errorListener } from '../../support/recorders.ts';

const READS = { readOnlyHint: true };
const COUNT: RawSchema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };

function toolNamed(name: string, given: Partial<ListedTool> & { readonly reads?: boolean } = {}): ListedTool {
  const { reads = true, ...rest } = given;
  return {
    definition: {
      name,
      description: `What ${name} does`,
      inputSchema: { type: 'object', properties: { times: { type: 'integer', minimum: 1 } }, additionalProperties: false },
      ...(reads && { annotations: READS }),
    },
    call: (input, context) => JSON.stringify([name, input, context instanceof RequestContext]),
    ...rest,
  };
}

@McpServer({ name: 'listing', version: '1.0.0' })
class Listing implements ToolLister {
  listed: readonly ListedTool[] = [];
  readonly audit: string[] = [];

  @Tool({ description: 'Always there', sets: ['default', 'fixed'] }) always(): string {
    return 'there';
  }

  listTools(): readonly ListedTool[] {
    return this.listed;
  }

  async intercept({ name }: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    this.audit.push(name);
    return next();
  }
}

function listing(...listed: readonly ListedTool[]): Listing {
  return Object.assign(new Listing(), { listed });
}

const WAYS = ERAS.flatMap((era) => [
  { way: `memory, ${era}`, era, join: connect },
  { way: `http, ${era}`, era, join: connectHttp },
]);

describe.each(WAYS)('tools that appear and disappear, by $way,', ({ era, join }) => {
  it('are listed after the tools of the class, with their descriptions and annotations', async () => {
    const tool = toolNamed('report');
    await using session = await join(listing(tool), { era });
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['always', 'report']);
    expect(tools[1]).toEqual(tool.definition);
  });

  it('are called with arguments that match their schema, inside the interceptor of the server', async () => {
    const server = listing(toolNamed('report'));
    await using session = await join(server, { era });
    expect(JSON.parse(await session.text('report', { times: 2 }))).toEqual(['report', { times: 2 }, true]);
    expect(await session.fails('report', { times: 0 })).toMatch(/^INVALID_ARGUMENTS: report was not run/);
    expect(await session.fails('report', { other: 1 })).toMatch(/^INVALID_ARGUMENTS/);
    expect(server.audit).toEqual(['report']);
  });

  it('are announced when they change, and then have their new schemas', async () => {
    const server = listing(toolNamed('report'));
    await using session = await join(server, { era });
    const heard = deferred();
    session.client.setNotificationHandler('notifications/tools/list_changed', () => heard.resolve());
    if (era === 'modern') await session.client.listen({ toolsListChanged: true });
    const { definition } = toolNamed('report');
    const inputSchema = { type: 'object', properties: { day: { type: 'string' } } } as const;
    server.listed = [toolNamed('report', { definition: { ...definition, inputSchema } }), toolNamed('second')];
    ChangeBus.of(server).publish({ kind: 'tools_list_changed' });
    await heard.promise;
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['always', 'report', 'second']);
    expect(tools[1]?.inputSchema).toEqual(inputSchema);
    expect(await session.text('report', { day: 'today' })).toContain('today');
    server.listed = [];
    await expect(session.call('report')).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('a tool that a server object lists', () => {
  it('returns structured content by its output schema, and an error as its result', async () => {
    const { definition } = toolNamed('count');
    const counting = { ...definition, outputSchema: COUNT };
    let answer: () => unknown = () => ({ count: 3 });
    await using session = await connect(listing(toolNamed('count', { definition: counting, call: () => answer() })));
    await session.client.listTools();
    expect(await session.call('count')).toMatchObject({
      structuredContent: { count: 3 },
      content: [{ type: 'text', text: '{"count":3}' }],
    });
    answer = () => Result.of({ count: 4 }, 'four');
    expect(await session.call('count')).toMatchObject({ structuredContent: { count: 4 }, content: [{ text: 'four' }] });
    answer = () => {
      throw new ToolError('NOT_FOUND', 'nothing to count');
    };
    expect(await session.fails('count')).toBe('NOT_FOUND: nothing to count');
    answer = () => 'no object';
    expect(await session.fails('count')).toMatch(/^INTERNAL/);
  });

  it('is offered according to the options of the operator, by its hints, sets and name', async () => {
    const tools = [toolNamed('report'), toolNamed('change', { reads: false }), toolNamed('rare', { sets: ['extra'] })];
    const isToolEnabled = ({ definition, sets }: { definition: { name: string }; sets: readonly string[] }): boolean =>
      definition.name === 'change' || sets.includes('extra');
    await using session = await connect(listing(...tools), { isToolEnabled, tools: ['default', 'extra'] });
    expect(await session.toolNames()).toEqual(['change', 'rare']);
    await expect(session.call('report')).rejects.toMatchObject({ code: -32_602 });
  });

  const broken = (definition: object): ListedTool =>
    toolNamed('x', { definition: { ...toolNamed('x').definition, ...definition } });

  it.each<readonly [why: string, tool: ListedTool, message: string]>([
    ['the name of a tool of the class', toolNamed('always'), 'the tool "always" is ignored: another tool has its name'],
    ['the name of a set', toolNamed('fixed'), 'the tool "fixed" is ignored: a tool set has its name'],
    ['the name of all sets', toolNamed('all'), 'the tool "all" is ignored: a tool set has its name'],
    [
      'no name',
      toolNamed('a b'),
      'the tool "a b" is ignored: its name is not a valid tool name; use 1 to 64 characters of A-Z a-z 0-9 _ - . /',
    ],
    [
      'no description',
      broken({ description: '' }),
      'the tool "x" is ignored: it has no description; models choose tools by their descriptions',
    ],
    ['no schema', broken({ inputSchema: { type: 'string' } }), 'the tool "x" is ignored: its schemas must be of type "object"'],
    ['no scope', toolNamed('x', { scopes: ['a b'] }), 'the tool "x" is ignored: one of its scopes is not a valid OAuth scope'],
    [
      'a wrong key of _meta',
      broken({ _meta: { 'mcp.example.com/': 1, 'a b': 1 } }),
      'the tool "x" is ignored: _meta: "a b" is not a valid key such as com.example/name',
    ],
    [
      'contradicting hints',
      broken({ annotations: { readOnlyHint: true, destructiveHint: true } }),
      'the tool "x" is ignored: it has readOnlyHint: true and destructiveHint: true, but a read-only tool destroys nothing',
    ],
    ['no set', toolNamed('x', { sets: ['A'] }), 'the tool "x" is ignored: one of its sets does not have a valid name'],
  ])('with %s is rejected and reported once, and the other tools are listed', async (_, tool, message) => {
    const onError = errorListener();
    const server = listing(tool, toolNamed('good'), toolNamed('good'));
    await using session = await connect(server, { onError });
    expect(await session.toolNames()).toEqual(['always', 'good']);
    expect(await session.toolNames()).toEqual(['always', 'good']);
    expect(await session.text('always')).toBe('there');
    const twice = 'the tool "good" is ignored: another tool has its name';
    expect(onError.mock.calls).toEqual([message, twice].map((each) => [new TypeError(each), 'Listing.listTools']));
  });

  it('does not affect the other tools if listing fails', async () => {
    const onError = errorListener();
    const server = new Listing();
    server.listTools = () => {
      throw new Error('broken');
    };
    await using session = await connect(server, { onError });
    expect(await session.toolNames()).toEqual(['always']);
    expect(onError).toHaveBeenCalledWith(new Error('broken'), 'Listing.listTools');
  });
});
