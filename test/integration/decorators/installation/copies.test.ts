import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as own from '@org/mcp-decorators';
import { RequestContext, type Result } from '@org/mcp-decorators';
import { ERAS, Session, type Era } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { installCopy } from './installed-copy.ts';

const copies = [await installCopy(), await installCopy()] as const;
afterAll(() => {
  for (const { remove } of copies) remove();
});

const [{ decorators: first, rules: firstRules }, { decorators: second, rules: secondRules }] = copies;
const COPIES = [['first', first] as const, ['second', second] as const, ['third', own] as const];

const ROOTS = [{ uri: 'file:///a', name: 'A' }];

class NotePath {
  @first.Field('Path of the note')
  @firstRules.MaxLength(99)
  @firstRules.Matches(/^[a-z./]+$/)
  @firstRules.IsString()
  path!: string;
}
class Window extends NotePath {
  @secondRules.MaxLength(9) declare path: string;
  @second.Field('Lines to show') @secondRules.Max(3) @secondRules.IsInt() lines = 1;
}
class NoteStats {
  @firstRules.IsInt() words!: number;
}

@first.McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @first.Tool({ description: 'Read a note' }) read({ path }: NotePath, _context: RequestContext): unknown {
    return first.Result.text(`text of ${path}`);
  }
  @first.Tool({ description: 'Count words', output: NoteStats }) stats(_context: RequestContext): Result {
    return first.Result.of({ words: 2, secret: 'hunter2' }, 'two words');
  }
  @first.Tool({ description: 'Lock a note' }) lock(): never {
    throw new first.ToolError('LOCKED', 'the note is locked', { hint: 'wait' });
  }
  @first.Tool({ description: 'Return the roots of the client' }) async allowed(context: RequestContext): Promise<string> {
    return JSON.stringify(await context.roots());
  }
}

@second.McpServer({ name: 'acme-notes' })
class AcmeNotes extends Notes {
  @second.Tool({ annotations: { readOnlyHint: true } }) override read(input: Window, context: RequestContext): unknown {
    if (input.lines > 2) throw new second.ToolError('TOO_MANY', 'too many lines');
    return super.read(input, context);
  }
  override stats(_context: RequestContext): Result {
    return second.Result.of({ words: 3, secret: 'hunter2' }, 'three words');
  }
  @second.Tool({ description: 'List the notes' }) list(_context: RequestContext): string {
    return 'a b';
  }
}

@second.McpServer({ name: 'broken', version: '1.0.0' })
class Broken {
  @first.Tool({ description: 'Takes something' }) read(_input: unknown): string {
    return '';
  }
}

/** Serves an object by the package of one copy to the official client. */
function serve({ serverFactory }: typeof own, server: object, era: Era): Promise<Session> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(serverFactory(server), { transport: serverSide });
  return Session.open(clientSide, { era, roots: () => ROOTS }, () => handle.close());
}

describe('two installed copies of the packages', () => {
  it('are separate for each package that stores metadata', () => {
    expect(new Set([first.Tool, second.Tool, own.Tool]).size).toBe(3);
    expect(firstRules.IsString).not.toBe(secondRules.IsString);
  });

  it('notify the same listeners of changes, and share their watches', () => {
    const server = new Notes();
    expect(new Set(COPIES.map(([, { ChangeBus }]) => ChangeBus.of(server))).size).toBe(1);
    const watching = { watch: () => Promise.resolve(undefined) };
    expect(new Set(COPIES.map(([, { Subscriptions }]) => Subscriptions.of(watching))).size).toBe(1);
  });

  it.each(COPIES)('recognise the definition errors of each other: the %s', (_, { compileServer }) => {
    for (const [, { DefinitionError }] of COPIES)
      expect(() => compileServer(Broken)).toThrow(expect.toSatisfy(DefinitionError.is));
  });
});

describe.each(COPIES.flatMap(([name, copy]) => ERAS.map((era) => [name, era, copy] as const)))(
  'a server of the first copy, subclassed with the second and served by the %s, in the %s era,',
  (_name, era, copy) => {
    it('has the tools of both, merged', async () => {
      await using session = await serve(copy, new AcmeNotes(), era);
      expect(session.client.getServerVersion()).toMatchObject({ name: 'acme-notes', version: '1.0.0' });
      const { tools } = await session.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['read', 'stats', 'lock', 'allowed', 'list']);
      expect(tools[0]).toMatchObject({ description: 'Read a note', annotations: { readOnlyHint: true } });
      expect(tools[0]?.inputSchema.properties).toMatchObject({
        path: { description: 'Path of the note', maxLength: 9 },
        lines: { type: 'integer', maximum: 3, default: 1 },
      });
      expect(tools.slice(1).map(({ inputSchema }) => inputSchema.properties)).toEqual([{}, {}, {}, {}]);
    });

    it('is called with input that the rules of both copies accept', async () => {
      await using session = await serve(copy, new AcmeNotes(), era);
      expect(await session.text('read', { path: 'a.md' })).toBe('text of a.md');
      expect((await session.fails('read', { path: 'Inbox', lines: 4 })).split('\n').slice(1)).toEqual([
        'path: must match /^[a-z./]+$/ regular expression',
        'lines: must not be greater than 3',
      ]);
      expect(await session.fails('read', { path: 'inbox/2.markdown' })).toContain(
        'path: must be shorter than or equal to 9 characters',
      );
    });

    it('returns the results of both', async () => {
      await using session = await serve(copy, new AcmeNotes(), era);
      await using parent = await serve(copy, new Notes(), era);
      const words = await Promise.all([session, parent].map((each) => each.call('stats')));
      expect(words.map(({ structuredContent }) => structuredContent)).toEqual([{ words: 3 }, { words: 2 }]);
      expect(words.map(({ content }) => content)).toMatchObject([[{ text: 'three words' }], [{ text: 'two words' }]]);
    });

    it('fails with the errors of both', async () => {
      await using session = await serve(copy, new AcmeNotes(), era);
      expect(await session.fails('lock')).toBe('LOCKED: the note is locked\nwait');
      expect(await session.fails('read', { path: 'a.md', lines: 3 })).toBe('TOO_MANY: too many lines');
    });

    it('requests input from the client through the context of the serving copy', async () => {
      await using session = await serve(copy, new AcmeNotes(), era);
      expect(JSON.parse(await session.text('allowed'))).toEqual(ROOTS);
      expect(await session.text('list')).toBe('a b');
    });
  },
);
