import {
  ChangeBus,
  Feature,
  McpServer,
  Resource,
  Tool,
  type ListedTool,
  type ResourceDefinition,
  type ResourceLister,
  type ResourceWatcher,
  type ToolLister,
} from '@org/mcp-decorators';
import { disposeServer, openServer, type Diagnosis, type ServerObject } from '@org/mcp-host';
import { connect, connectHttp, ERAS } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

class Name {
  @IsString() name!: string;
}

class Shelf implements ServerObject, ResourceLister, ResourceWatcher, ToolLister {
  readonly #name: string;
  readonly #log: string[];
  readonly #watched = new Map<string, () => void>();
  readonly #tools: readonly ListedTool[];

  constructor(name: string, log: string[]) {
    this.#name = name;
    this.#log = log;
    this.#tools = [
      {
        definition: { name: `count_${name}`, description: `Count the ${name}`, inputSchema: { type: 'object' } },
        call: () => `3 ${name}`,
      },
    ];
  }

  open(): void {
    this.#log.push(`open ${this.#name}`);
  }
  [Symbol.asyncDispose](): Promise<void> {
    this.#log.push(`dispose ${this.#name}`);
    return Promise.resolve();
  }
  diagnose(): readonly Diagnosis[] {
    return [{ subject: this.#name, ok: true, detail: 'complete' }];
  }
  listTools(): readonly ListedTool[] {
    return this.#tools;
  }
  listResources(): readonly ResourceDefinition[] {
    return [{ uri: `${this.#name}://first`, name: `first_${this.#name}` }];
  }
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    if (!uri.startsWith(`${this.#name}:`)) return undefined;
    this.#watched.set(uri, updated);
    return Promise.resolve({ [Symbol.asyncDispose]: async () => Promise.resolve(void this.#watched.delete(uri)) });
  }
  change(uri: string): void {
    this.#watched.get(uri)?.();
  }
}

class Books extends Shelf {
  @Resource({ uriTemplate: 'books://{name}' }) book({ name }: Name): string {
    return name;
  }
}

class Maps extends Shelf {
  @Resource({ uriTemplate: 'maps://{name}' }) map({ name }: Name): string {
    return name;
  }
}

class Attic implements ServerObject {
  readonly #log: string[];
  @Feature() readonly maps: Maps;

  constructor(log: string[]) {
    this.#log = log;
    this.maps = new Maps('maps', log);
  }
  open(): void {
    this.#log.push('open attic');
  }
  [Symbol.asyncDispose](): Promise<void> {
    this.#log.push('dispose attic');
    return Promise.resolve();
  }
}

@McpServer({ name: 'library', version: '1.0.0' })
class Library implements ServerObject {
  readonly log: string[] = [];
  @Feature() readonly books: Books = new Books('books', this.log);
  @Feature() readonly attic: Attic = new Attic(this.log);

  @Tool({ description: 'Greet' }) greet(): string {
    return 'hello';
  }
  open(): void {
    this.log.push('open library');
  }
  [Symbol.asyncDispose](): Promise<void> {
    this.log.push('dispose library');
    return Promise.resolve();
  }
}

const WAYS = ERAS.flatMap((era) => [
  { way: `memory, ${era}`, era, join: connect },
  { way: `http, ${era}`, era, join: connectHttp },
]);

describe.each(WAYS)('the features of a server, by $way,', ({ era, join }) => {
  it('are opened before the object that contains them, and disposed of after it', async () => {
    const server = new Library();
    const session = await join(server, { era });
    expect(server.log).toEqual(['open books', 'open maps', 'open attic', 'open library']);
    await session[Symbol.asyncDispose]();
    expect(server.log.slice(4)).toEqual(['dispose library', 'dispose attic', 'dispose maps', 'dispose books']);
  });

  it('list tools and resources at run time, after those of the server', async () => {
    await using session = await join(new Library(), { era });
    expect(await session.toolNames()).toEqual(['greet', 'count_books', 'count_maps']);
    expect(await session.text('count_maps')).toBe('3 maps');
    const { resources } = await session.client.listResources();
    expect(resources.map(({ uri }) => uri).filter((uri) => !uri.startsWith('server:'))).toEqual([
      'books://first',
      'maps://first',
    ]);
  });

  it('watch their resources, and report changes on their own bus', async () => {
    const server = new Library();
    await using session = await join(server, { era });
    const updates = await session.subscribe('maps://first');
    server.attic.maps.change('maps://first');
    await updates.next();
    ChangeBus.of(server.attic.maps).publish({ kind: 'resource_updated', uri: 'maps://first' });
    await updates.next();
  });
});

describe('the features of a server', () => {
  it('are all disposed of if one of them cannot be opened', async () => {
    const server = new Library();
    server.attic.maps.open = () => {
      throw new Error('the map is lost');
    };
    await expect(connect(server)).rejects.toThrow('the map is lost');
    expect(server.log).toEqual(['open books', 'dispose library', 'dispose attic', 'dispose maps', 'dispose books']);
  });

  it('are all disposed of even if one of them cannot be', async () => {
    const server = new Library();
    await openServer(server);
    server.attic[Symbol.asyncDispose] = () => Promise.reject(new Error('stuck'));
    await expect(disposeServer(server)).rejects.toThrow('stuck');
    expect(server.log.slice(4)).toEqual(['dispose library', 'dispose maps', 'dispose books']);
  });

  it('contribute to the diagnosis of the server', async () => {
    await using session = await connectHttp(new Library());
    const { contents } = await session.client.readResource({ uri: 'server://info' });
    const text = contents[0] && 'text' in contents[0] ? contents[0].text : '';
    expect(JSON.parse(text)).toMatchObject({ diagnosis: [{ subject: 'books' }, { subject: 'maps' }] });
  });
});
