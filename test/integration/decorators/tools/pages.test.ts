import { Field, McpServer, Prompt, Resource, Tool, type CompiledTool } from '@org/mcp-decorators';
import { connect, ERAS, type Session } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

class Id {
  @Field('Which one') @IsString() id!: string;
}

@McpServer({ name: 'paged', version: '1.0.0', pageSize: 2 })
class Paged {
  @Tool({ description: 'One' }) one(): void {}
  @Tool({ description: 'Two' }) two(): void {}
  @Tool({ description: 'Three' }) three(): void {}
  @Tool({ description: 'Four' }) four(): void {}
  @Tool({ description: 'Five' }) five(): void {}
  @Prompt({ description: 'A' }) a(): string {
    return 'a';
  }
  @Prompt({ description: 'B' }) b(): string {
    return 'b';
  }
  @Prompt({ description: 'C' }) c(): string {
    return 'c';
  }
  @Resource({ uri: 'paged://x' }) x(): string {
    return 'x';
  }
  @Resource({ uri: 'paged://y' }) y(): string {
    return 'y';
  }
  @Resource({ uri: 'paged://z' }) z(): string {
    return 'z';
  }
  @Resource({ uriTemplate: 'paged://p/{id}' }) p({ id }: Id): string {
    return id;
  }
  @Resource({ uriTemplate: 'paged://q/{id}' }) q({ id }: Id): string {
    return id;
  }
  @Resource({ uriTemplate: 'paged://r/{id}' }) r({ id }: Id): string {
    return id;
  }
}

type Method = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

const LISTS: readonly (readonly [Method, number])[] = [
  ['tools/list', 5],
  ['prompts/list', 3],
  ['resources/list', 3],
  ['resources/templates/list', 3],
];

interface Page {
  readonly names: readonly string[];
  readonly nextCursor: string | undefined;
}

/** Requests one page on the wire, because the official client would combine all pages. */
async function page({ client }: Session, method: Method, cursor?: string): Promise<Page> {
  const result = await client.request({ method, params: cursor === undefined ? {} : { cursor } });
  const entries = Object.values(result).find((value): value is readonly { readonly name: string }[] => Array.isArray(value));
  return { names: (entries ?? []).map(({ name }) => name), nextCursor: result.nextCursor };
}

async function allPages(session: Session, method: Method): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const { names, nextCursor } = await page(session, method, cursor);
    pages.push(names);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe.each(ERAS)('a long list, in the %s era,', (era) => {
  it.each(LISTS)('of %s is sent in pages, each entry once', async (method, count) => {
    await using session = await connect(new Paged(), { era });
    const pages = await allPages(session, method);
    expect(pages.map(({ length }) => length)).toEqual(count === 5 ? [2, 2, 1] : [2, 1]);
    expect(new Set(pages.flat()).size).toBe(count);
  });

  it('is combined from its pages by the official client', async () => {
    await using session = await connect(new Paged(), { era });
    expect(await session.toolNames()).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('omits disabled entries, without empty pages', async () => {
    const isToolEnabled = ({ definition: { name } }: CompiledTool): boolean => name !== 'two' && name !== 'four';
    await using session = await connect(new Paged(), { era, isToolEnabled });
    expect(await allPages(session, 'tools/list')).toEqual([['one', 'three'], ['five']]);
  });

  it('continues in another process that has the same key', async () => {
    const stateKey = 'k'.repeat(32);
    await using first = await connect(new Paged(), { era, stateKey });
    const { nextCursor } = await page(first, 'tools/list');
    await using second = await connect(new Paged(), { era, stateKey });
    expect((await page(second, 'tools/list', nextCursor)).names).toEqual(['three', 'four']);
  });

  it.each<[string, (cursor: string) => string]>([
    ['that was made up', () => '2'],
    ['that is empty', () => ''],
    ['that was changed', (cursor) => `${cursor.slice(0, 6)}${cursor[6] === 'A' ? 'B' : 'A'}${cursor.slice(7)}`],
    ['that was cut off', (cursor) => cursor.slice(0, -4)],
  ])('rejects a cursor %s with −32602', async (_, change) => {
    await using session = await connect(new Paged(), { era });
    const { nextCursor = '' } = await page(session, 'tools/list');
    await expect(page(session, 'tools/list', change(nextCursor))).rejects.toMatchObject({ code: -32_602 });
  });

  it('rejects the cursor of another list, and the cursor of another server', async () => {
    await using session = await connect(new Paged(), { era });
    const { nextCursor } = await page(session, 'tools/list');
    await expect(page(session, 'prompts/list', nextCursor)).rejects.toMatchObject({ code: -32_602 });
    await using stranger = await connect(new Paged(), { era });
    await expect(page(stranger, 'tools/list', nextCursor)).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('a state key', () => {
  it('of less than 32 bytes is rejected', async () => {
    await expect(connect(new Paged(), { stateKey: 'short' })).rejects.toThrow(
      new RangeError('the state key needs at least 32 bytes'),
    );
  });
});
