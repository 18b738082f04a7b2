import { ResourceNotFoundError } from '@modelcontextprotocol/client';
import { McpServer, RequestContext, Resource, type ResourceDefinition, type ResourceLister } from '@org/mcp-decorators';
import { connect, ERAS, type Session } from '@org/mcp-testing';
import { IsInt, IsOptional, IsString, Max } from 'class-validator';
import { describe, expect, it } from 'vitest';

class Path {
  @IsString() path!: string;
}
class Line extends Path {
  @IsInt() @Max(100) line!: number;
}
class Name {
  @IsOptional() @IsString() name?: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Resource({ uri: 'notes://index', title: 'Index', description: 'All notes' }) index(context: RequestContext): object {
    return { notes: ['a'], hasContext: context instanceof RequestContext };
  }
  @Resource({ uri: 'notes://greeting', mimeType: 'text/markdown' }) async greeting(): Promise<string> {
    return '# hello';
  }
  @Resource({ uri: 'notes://plain' }) plain(): string {
    return 'plain';
  }
  @Resource({ uri: 'notes://bytes' }) bytes(): Uint8Array {
    return new Uint8Array([0, 255, 1, 254, 2]).subarray(1, 4);
  }
  @Resource({ uri: 'notes://image', mimeType: 'image/png' }) image(): Uint8Array {
    return Buffer.from('png');
  }
  @Resource({ uri: 'notes://folder' }) folder(): object {
    return {
      contents: [
        { uri: 'notes://folder/a', text: 'a' },
        { uri: 'notes://folder/b', blob: 'Yg==' },
      ],
    };
  }
  @Resource({ uri: 'notes://typed' }) typed(): object {
    return { contents: [{ mimeType: 'text/x-note', text: 'typed' }] };
  }
  @Resource({ uri: 'notes://list' }) list(): object {
    return { contents: ['a', 'b'] };
  }
  @Resource({ uriTemplate: 'notes://line/{line}/{+path}' }) line(variables: Line, context: RequestContext): object {
    return { isLine: variables instanceof Line, hasContext: context instanceof RequestContext, ...variables };
  }
  @Resource({ uriTemplate: 'notes://{name}', name: 'any' }) any({ name }: Name): string {
    return `any ${name}`;
  }
}

async function read({ client }: Session, uri: string): Promise<unknown> {
  return (await client.readResource({ uri })).contents;
}

describe.each(ERAS)('the resources of a server, in the %s era,', (era) => {
  it('are listed separately from its templates', async () => {
    await using session = await connect(new Notes(), { era });
    const { resources } = await session.client.listResources();
    const { resourceTemplates } = await session.client.listResourceTemplates();
    expect(resources[0]).toEqual({ name: 'index', title: 'Index', description: 'All notes', uri: 'notes://index' });
    expect(resources.map(({ uri }) => uri)).not.toContain('notes://{name}');
    expect(resourceTemplates).toEqual([
      { name: 'line', uriTemplate: 'notes://line/{line}/{+path}' },
      { name: 'any', uriTemplate: 'notes://{name}' },
    ]);
  });

  it('are the only capability that the server declares', async () => {
    await using session = await connect(new Notes(), { era });
    expect(session.client.getServerCapabilities()).toHaveProperty('resources');
    expect(session.client.getServerCapabilities()).not.toHaveProperty('tools');
  });
});

describe.each(ERAS)('a resource, in the %s era,', (era) => {
  it.each<[string, string, object]>([
    [
      'JSON, if it returns an object',
      'notes://index',
      { mimeType: 'application/json', text: '{"notes":["a"],"hasContext":true}' },
    ],
    ['plain text, if it returns a string', 'notes://plain', { mimeType: 'text/plain', text: 'plain' }],
    ['text of its own type', 'notes://greeting', { mimeType: 'text/markdown', text: '# hello' }],
    ['a blob, if it returns bytes', 'notes://bytes', { mimeType: 'application/octet-stream', blob: '/wH+' }],
    ['of the type in its contents', 'notes://typed', { mimeType: 'text/x-note', text: 'typed' }],
    ['a blob of its own type', 'notes://image', { mimeType: 'image/png', blob: 'cG5n' }],
    [
      'JSON, if its property contents is not a list of resource contents',
      'notes://list',
      { mimeType: 'application/json', text: '{"contents":["a","b"]}' },
    ],
  ])('is %s', async (_, uri, expected) => {
    await using session = await connect(new Notes(), { era });
    expect(await read(session, uri)).toEqual([{ uri, ...expected }]);
  });

  it('may be several contents, sent as they are', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await read(session, 'notes://folder')).toEqual([
      { uri: 'notes://folder/a', text: 'a' },
      { uri: 'notes://folder/b', blob: 'Yg==' },
    ]);
  });

  it('is reported as missing if no resource or template has the URI', async () => {
    await using session = await connect(new Notes(), { era });
    for (const uri of ['notes://a/b', 'other://index', 'notes://%zz', 'notes://']) {
      await expect(read(session, uri)).rejects.toSatisfy((error) => error instanceof ResourceNotFoundError && error.uri === uri);
    }
  });
});

describe.each(ERAS)('a resource template, in the %s era,', (era) => {
  it('receives its variables decoded, with numbers parsed, and the context', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await read(session, 'notes://line/12/folder/a%20b%252F.md')).toMatchObject([
      { text: '{"isLine":true,"hasContext":true,"path":"folder/a b%2F.md","line":12}' },
    ]);
  });

  it('rejects invalid variables, and names them', async () => {
    await using session = await connect(new Notes(), { era });
    await expect(read(session, 'notes://line/many/a')).rejects.toThrow('line: expected an integer, got "many"');
    await expect(read(session, 'notes://line/101/a')).rejects.toThrow('line: must not be greater than 100');
  });

  it('is read for a URI that no resource has', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await read(session, 'notes://other')).toMatchObject([{ text: 'any other' }]);
    expect(await read(session, 'notes://plain')).toMatchObject([{ text: 'plain' }]);
  });

  it('takes precedence over templates that are less exact, in any order', async () => {
    class More extends Notes {
      @Resource({ uriTemplate: 'notes://{+path}' }) rest({ path }: Path): string {
        return `rest ${path}`;
      }
      @Resource({ uriTemplate: 'notes://{name}.md' }) markdown({ name }: Name): string {
        return `markdown ${name}`;
      }
    }
    await using session = await connect(new More(), { era });
    expect(await read(session, 'notes://other')).toMatchObject([{ text: 'any other' }]);
    expect(await read(session, 'notes://other/one')).toMatchObject([{ text: 'rest other/one' }]);
    expect(await read(session, 'notes://other.md')).toMatchObject([{ text: 'markdown other' }]);
  });

  it('takes precedence over templates that are declared later and equally exact', async () => {
    class More extends Notes {
      @Resource({ uriTemplate: 'notes://x/{name}' }) below({ name }: Name): string {
        return `below ${name}`;
      }
      @Resource({ uriTemplate: 'notes://{name}/x' }) before({ name }: Name): string {
        return `before ${name}`;
      }
    }
    await using session = await connect(new More(), { era });
    expect(await read(session, 'notes://x/x')).toMatchObject([{ text: 'below x' }]);
  });
});

@McpServer({ name: 'listing', version: '1.0.0', pageSize: 1 })
class Listing implements ResourceLister {
  names: readonly string[] = ['a', 'b'];

  @Resource({ uri: 'listing://fixed' }) fixed(): string {
    return 'fixed';
  }
  @Resource({ uriTemplate: 'listing://name/{name}' }) named({ name }: Name): string {
    return `named ${name}`;
  }
  async listResources(): Promise<readonly ResourceDefinition[]> {
    if (this.names.length === 0) throw new Error('hunter2');
    return this.names.map((name) => ({ uri: `listing://name/${name}`, name }));
  }
}

describe.each(ERAS)('resources that the server object lists, in the %s era,', (era) => {
  it('follow the resources of its class, in pages, and are current at each call', async () => {
    const server = new Listing();
    await using session = await connect(server, { era });
    const uris = async (): Promise<readonly string[]> => (await session.client.listResources()).resources.map(({ uri }) => uri);
    expect(await uris()).toEqual(['listing://fixed', 'listing://name/a', 'listing://name/b']);
    server.names = ['c'];
    expect(await uris()).toEqual(['listing://fixed', 'listing://name/c']);
    expect(await read(session, 'listing://name/c')).toMatchObject([{ text: 'named c' }]);
  });

  it('do not disclose the reason if listing fails', async () => {
    const server = new Listing();
    server.names = [];
    const errors: unknown[] = [];
    await using session = await connect(server, { era, onError: (error, place) => errors.push([error, place]) });
    await expect(session.client.listResources()).rejects.toThrow(/^(?!.*hunter2)/);
    expect(errors).toMatchObject([[{ message: 'hunter2' }, 'Listing.listResources']]);
  });
});
