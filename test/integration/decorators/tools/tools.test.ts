import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import { Field, McpServer, RequestContext, Result, Tool } from '@org/mcp-decorators';
import { connect, ERAS, REVISIONS } from '@org/mcp-testing';
import { IsArray, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

class NotePath {
  @IsString() path!: string;
}
class Window extends NotePath {
  @IsInt() @Min(1) limit = 10;
  @IsOptional() @IsString({ each: true }) tags?: string[];
}
class Author {
  @IsString() name!: string;
}
class NoteStats {
  @IsInt() words!: number;
  @Field('Author of the note', { type: () => Author }) @IsOptional() @ValidateNested() author?: Author;
}
class Page {
  @Field('Notes of the page', { type: () => Author }) @IsArray() @ValidateNested() content: Author[] = [];
}

const STATS = { words: 2, author: { name: 'n', password: 'hunter2' }, password: 'hunter2' };

@McpServer({ name: 'notes', version: '1.2.3', title: 'Notes', instructions: 'Read notes.' })
class Notes {
  @Tool({ description: 'A string' }) text({ path }: NotePath): string {
    return `text of ${path}`;
  }
  @Tool({ description: 'The window, as it arrived' }) async window(input: Window): Promise<object> {
    return { isWindow: input instanceof Window, ...input };
  }
  @Tool({ description: 'Structured', output: NoteStats }) stats(_input: NotePath): NoteStats {
    return STATS;
  }
  @Tool({ description: 'Structured, with a text', output: NoteStats }) async told(): Promise<Result> {
    return Result.of(STATS, 'two words');
  }
  @Tool({ description: 'Structured, with a property named as a result has it', output: Page }) page(): Page {
    return { content: [] };
  }
  @Tool({ description: 'A body with facts' }) body(): Result {
    return Result.text('body', { note: 'cut at line 3', facts: { lines: 3 } });
  }
  @Tool({ description: 'Content blocks' }) image(): object {
    return { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], _meta: { width: 1 } };
  }
  @Tool({ description: 'Nothing' }) nothing(): void {}
  @Tool({ description: 'A number' }) number(): number {
    return 42;
  }
  @Tool({ description: 'Its arguments' }) given(context: RequestContext, ...more: never[]): string {
    return `${String(context instanceof RequestContext)} ${more.length}`;
  }
}

describe.each(ERAS)('a server of the %s era', (era) => {
  it('negotiates its protocol version and returns the information of its class', async () => {
    await using session = await connect(new Notes(), { era });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
    expect(session.client.getServerVersion()).toMatchObject({ name: 'notes', version: '1.2.3', title: 'Notes' });
    expect(session.client.getInstructions()).toBe('Read notes.');
  });

  it('declares only the capabilities of its class', async () => {
    await using session = await connect(new Notes(), { era });
    expect(session.client.getServerCapabilities()).toMatchObject({ tools: {} });
    expect(session.client.getServerCapabilities()).not.toHaveProperty('prompts');
    expect(session.client.getServerCapabilities()).not.toHaveProperty('resources');
  });
});

describe.each(ERAS)('the result of a tool, in the %s era,', (era) => {
  it.each<[string, string, object]>([
    ['text, if it returns a string', 'text', { content: [{ type: 'text', text: 'text of a' }] }],
    [
      'JSON as text, if it returns an object',
      'window',
      { content: [{ type: 'text', text: '{"isWindow":true,"path":"a","limit":10}' }] },
    ],
  ])('is %s', async (_, tool, expected) => {
    await using session = await connect(new Notes(), { era });
    const result = await session.call(tool, { path: 'a' });
    expect(result).toMatchObject(expected);
    expect(result).not.toHaveProperty('structuredContent');
  });

  it.each<[string, string, object]>([
    ['a body, its note and facts', 'body', { content: [{ text: 'body\n[cut at line 3]' }], _meta: { lines: 3 } }],
    [
      'content blocks as they are',
      'image',
      { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], _meta: { width: 1 } },
    ],
    ['empty, if it returns nothing', 'nothing', { content: [] }],
    ['the text of a number', 'number', { content: [{ type: 'text', text: '42' }] }],
  ])('may be %s', async (_, tool, expected) => {
    await using session = await connect(new Notes(), { era });
    expect(await session.call(tool)).toMatchObject(expected);
  });

  it('has only declared properties, nested ones included, in the structured content and in the text', async () => {
    await using session = await connect(new Notes(), { era });
    const result = await session.call('stats', { path: 'a' });
    expect(result.structuredContent).toEqual({ words: 2, author: { name: 'n' } });
    expect(result.content).toEqual([{ type: 'text', text: '{"words":2,"author":{"name":"n"}}' }]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('has the text that a Result gives instead of the JSON', async () => {
    await using session = await connect(new Notes(), { era });
    const result = await session.call('told');
    expect(result.structuredContent).toEqual({ words: 2, author: { name: 'n' } });
    expect(result.content).toEqual([{ type: 'text', text: 'two words' }]);
  });

  it('is structured even if its class has a property named content', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.call('page')).toMatchObject({
      structuredContent: { content: [] },
      content: [{ text: '{"content":[]}' }],
    });
  });
});

describe.each(ERAS)('the arguments of a tool, in the %s era,', (era) => {
  it('arrive as an instance of its class, with initial values', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.text('window', { path: 'a', limit: 3, tags: ['x'] })).toBe(
      '{"isWindow":true,"path":"a","limit":3,"tags":["x"]}',
    );
  });

  it('are rejected in one text that names every field if they are invalid', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.fails('window', { pth: 'a', limit: 0, tags: ['x', 1] })).toBe(
      [
        'INVALID_ARGUMENTS: window was not run',
        'pth: is not known; did you mean "path"?',
        'path: is required',
        'tags.1: expected a string, got 1',
        'limit: must not be less than 1',
      ].join('\n'),
    );
  });

  it('are also listed in the structured data of the error if they are invalid', async () => {
    await using session = await connect(new Notes(), { era });
    const { _meta } = await session.client.callTool({ name: 'text', arguments: { path: 5 } });
    expect(_meta?.['error']).toEqual({
      code: 'INVALID_ARGUMENTS',
      data: { issues: [{ path: ['path'], message: 'expected a string, got 5' }] },
    });
  });

  it('are counted instead of named if thousands are invalid', async () => {
    await using session = await connect(new Notes(), { era });
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, number) => [`unknown${number}`, 1]));
    const lines = (await session.fails('window', { path: 'a', ...many })).split('\n');
    expect(lines).toHaveLength(52);
    expect(lines.at(-1)).toBe('… and 4950 more');
  });

  it('may be omitted if none are required', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.client.callTool({ name: 'number' })).toMatchObject({ content: [{ text: '42' }] });
    expect(await session.client.callTool({ name: 'text' })).toMatchObject({
      isError: true,
      content: [{ text: /path: is required/ }],
    });
  });

  it('are rejected by a tool without arguments, whose method receives only the context', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.fails('number', { path: 'a' })).toBe(
      'INVALID_ARGUMENTS: number was not run\npath: is not known; no arguments are accepted',
    );
    expect(await session.text('given')).toBe('true 0');
  });

  it('cannot change a prototype', async () => {
    await using session = await connect(new Notes(), { era });
    const hostile: Record<string, unknown> = JSON.parse('{"path":"a","constructor":{"prototype":{"polluted":true}}}');
    expect(await session.fails('text', hostile)).toContain('constructor: is not known');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe.each(ERAS)('an unknown tool, in the %s era,', (era) => {
  it.each(['unknown', 'toString', '__proto__', 'given '])('results in a JSON-RPC error: %o', async (name) => {
    await using session = await connect(new Notes(), { era });
    await expect(session.call(name)).rejects.toMatchObject({
      code: ProtocolErrorCode.InvalidParams,
      message: expect.stringContaining(`Unknown tool: ${name}`),
    });
  });

  it('results in the same error as a disabled tool', async () => {
    await using session = await connect(new Notes(), { era, isToolEnabled: ({ definition }) => definition.name !== 'number' });
    expect(await session.toolNames()).not.toContain('number');
    expect(await session.text('nothing')).toBe('');
    await expect(session.call('number')).rejects.toMatchObject({ code: ProtocolErrorCode.InvalidParams });
  });
});

describe.each(ERAS)('a subclass, in the %s era,', (era) => {
  class AcmeNotes extends Notes {
    readonly audited: string[] = [];

    override text(input: NotePath): string {
      this.audited.push(input.path);
      return `${super.text(input)}, audited`;
    }
    @Tool({ description: 'Only for ACME' }) acme(): string {
      return 'acme';
    }
  }

  it('overrides the method of an inherited tool without a decorator', async () => {
    const server = new AcmeNotes();
    await using session = await connect(server, { era });
    expect(await session.text('text', { path: 'a' })).toBe('text of a, audited');
    expect(server.audited).toEqual(['a']);
  });

  it('lists inherited tools first and then its own', async () => {
    await using above = await connect(new Notes(), { era });
    await using session = await connect(new AcmeNotes(), { era });
    expect(await session.toolNames()).toEqual([...(await above.toolNames()), 'acme']);
    expect(await session.text('acme')).toBe('acme');
  });
});
