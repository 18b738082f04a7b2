import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mcpFs } from '../fixtures/mcp-fs.ts';
import {
  answer,
  both,
  byName,
  contentOf,
  openSides,
  REFERENCE,
  referenceServer,
  text,
  type Arguments,
  type Side,
  type Sides,
} from '../fixtures/reference-sides.ts';

type Tool = Awaited<ReturnType<Session['client']['listTools']>>['tools'][number];

let sides: Sides;
let ours: Side;
let reference: Side;

beforeAll(async () => {
  sides = await openSides();
  ({ ours, reference } = sides);
});

afterAll(() => sides[Symbol.asyncDispose]());

async function tools({ session }: Side): Promise<ReadonlyMap<string, Tool>> {
  return new Map((await session.client.listTools()).tools.map((tool) => [tool.name, tool]));
}

function schemaOf(tool: Tool | undefined, argument: string): Arguments {
  const properties = (tool?.inputSchema.properties ?? {}) as Readonly<Record<string, Arguments>>;
  return properties[argument] ?? {};
}

describe('a client of the reference server finds', () => {
  it('each tool with its arguments, with the same types and required arguments', async () => {
    const known = await tools(ours);
    for (const [name, { inputSchema }] of await tools(reference)) {
      const own = known.get(name);
      expect([name, own?.inputSchema.required ?? []]).toEqual([name, inputSchema.required ?? []]);
      for (const argument of Object.keys(inputSchema.properties ?? {})) {
        const [theirs, here] = [schemaOf({ name, inputSchema }, argument), schemaOf(own, argument)];
        // The reference server declares line counts as `number`, and this server as `integer`.
        const types = [here['type']].flat().map((type) => (type === 'integer' ? 'number' : type));
        expect([name, argument, types]).toEqual([name, argument, [theirs['type']]]);
        expect(here['enum'] ?? [], `${name}.${argument}`).toEqual(expect.arrayContaining((theirs['enum'] as unknown[]) ?? []));
      }
    }
  });

  it('each tool and argument that its README names', async () => {
    const readme = await readFile(path.join(REFERENCE, 'README.md'), 'utf8');
    const api = readme.slice(readme.indexOf('### Tools'), readme.indexOf('### Tool annotations'));
    const known = await tools(ours);
    for (const section of api.split(/\n- \*\*/).slice(1)) {
      const [name = ''] = /^\w+/.exec(section) ?? [];
      const inputs = section.split(/\n {2}- Returns/)[0] ?? '';
      const named = [...inputs.matchAll(/`(\w+)` \((?:string|number|boolean|array)/g)].map(([, argument = '']) => argument);
      const edits = schemaOf(known.get(name), 'edits')['items'] as { readonly properties: object } | undefined;
      const arguments_ = Object.keys({ ...known.get(name)?.inputSchema.properties, ...edits?.properties });
      expect(arguments_, name).toEqual(expect.arrayContaining(named));
    }
    expect([...known.keys()]).toEqual(expect.arrayContaining([...api.matchAll(/\n- \*\*(\w+)\*\*/g)].map(([, name]) => name)));
  });

  it('the same hints', async () => {
    const known = await tools(ours);
    const defaults = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
    for (const [name, { annotations }] of await tools(reference))
      expect([name, { ...defaults, ...known.get(name)?.annotations }]).toEqual([name, { ...defaults, ...annotations }]);
  });

  it('the directories that it was started with', async () => {
    const directories = [path.join(sides.base, 'ours/src'), path.join(sides.base, 'ours/vendor')];
    const programs = [mcpFs(...directories), referenceServer(...directories)];
    const texts = await Promise.all(
      programs.map(async (program) => {
        await using session = await connectProcess(program, { era: 'legacy' });
        return await session.text('list_allowed_directories');
      }),
    );
    expect(texts).toEqual(Array.from({ length: 2 }, () => ['Allowed directories:', ...directories].join('\n')));
  });

  it.each<readonly [name: string, args: Arguments]>([
    ['read_text_file', { path: '/R/a.txt' }],
    ['read_text_file', { path: 'src/index.ts' }],
    ['read_text_file', { path: '/R/a.txt', head: 9 }],
    ['read_text_file', { path: '/R/a.txt', tail: 2 }],
    ['read_text_file', { path: '/R/a.txt', tail: 9 }],
    ['read_file', { path: '/R/a.txt' }],
    ['read_file', { path: '/R/a.txt', tail: 1 }],
    ['list_directory', { path: '/R' }],
    ['list_directory_with_sizes', { path: '/R' }],
    ['list_directory_with_sizes', { path: '/R/nothing' }],
    ['list_directory_with_sizes', { path: '/R/src/deep', sortBy: 'size' }],
    ['search_files', { path: '/R', pattern: '*.txt' }],
    ['search_files', { path: '/R', pattern: '**/other.ts' }],
    ['search_files', { path: '/R', pattern: '**/.hid*' }],
    ['search_files', { path: '/R', pattern: '**/*.{ts,js}', excludePatterns: ['**/vendor/**', 'src/deep/**'] }],
    ['search_files', { path: '/R', pattern: '**/*.py' }],
    ['list_allowed_directories', {}],
  ])('the same text from %s %j', async (name, args) => {
    const [own, theirs] = await both(sides, (side) => text(side, name, args));
    // The reference server does not guarantee the order of a directory, so the lines of both answers are sorted.
    const sorted = name.startsWith('list_directory') ? (told = ''): string => told.split('\n').toSorted().join('\n') : String;
    expect(sorted(own)).toBe(sorted(theirs));
  });

  it.each([{}, { excludePatterns: ['vendor', '**/*.md'] }])('the same tree with %j', async (args) => {
    const own = await text(ours, 'directory_tree', { path: '/R', format: 'json', ...args });
    const theirs = await text(reference, 'directory_tree', { path: '/R', ...args });
    expect(byName(JSON.parse(own.replace(/^Tree:\n/, '')))).toEqual(byName(JSON.parse(theirs)));
  });

  it.each(['/R/a.txt', '/R/src'])('the same facts of %s, with the time in ISO 8601', async (file) => {
    const [own, theirs] = await both(sides, async (side) => factsOf(await text(side, 'get_file_info', { path: file })));
    const { created, modified, accessed, ...others } = own;
    expect(Object.keys(own)).toEqual(expect.arrayContaining(Object.keys(theirs)));
    expect(theirs).toMatchObject({
      isDirectory: others['isDirectory'],
      isFile: others['isFile'],
      permissions: others['permissions'],
      size: others['size'],
    });
    for (const time of [created, modified, accessed]) expect(new Date(time ?? '').toISOString()).toBe(time);
  });

  it.each(['pixel.png', 'sound.wav', 'large.bin'])('the same block for %s', async (name) => {
    const [own, theirs] = await both(sides, (side) => answer(side, 'read_media_file', { path: name }));
    expect(own.content[0]).toEqual(theirs.content[0]);
  });

  it.each([
    [{ oldText: 'return 1;', newText: 'return 2;' }],
    [
      { oldText: 'function one', newText: 'function two' },
      { oldText: 'two()', newText: 'three()' },
    ],
    [{ oldText: 'return 1;\n}', newText: 'const one = 1;\nreturn one;\n}' }],
  ])('the same difference in a dry run, fenced: %j', async (...edits) => {
    const args = { path: '/R/src/index.ts', edits: edits.filter((edit) => edit !== undefined), dryRun: true };
    const [own, theirs] = await both(sides, (side) => text(side, 'edit_file', args));
    expect(hunksOf(own)).toBe(hunksOf(theirs));
    expect(hunksOf(own)).toMatch(/^@@ /);
  });

  it('the same files after the same changes', async () => {
    const calls: readonly (readonly [string, Arguments])[] = [
      ['create_directory', { path: '/R/new/dir' }],
      ['create_directory', { path: '/R/new/dir' }],
      ['write_file', { path: '/R/new/dir/file.txt', content: 'written\n' }],
      ['write_file', { path: '/R/b.md', content: 'replaced' }],
      [
        'edit_file',
        {
          path: '/R/a.txt',
          edits: [
            { oldText: 'two', newText: '2' },
            { oldText: '  three', newText: 'drei' },
          ],
        },
      ],
      ['edit_file', { path: '/R/src/index.ts', edits: [{ oldText: 'return 1;', newText: 'return 3;' }], dryRun: false }],
      ['move_file', { source: '/R/empty.txt', destination: '/R/new/moved.txt' }],
      ['move_file', { source: '/R/vendor', destination: '/R/new/vendor' }],
    ];
    const before = await contentOf(ours);
    for (const [name, args] of calls) await both(sides, (side) => text(side, name, args));
    const after = await contentOf(ours);
    expect(after).toEqual(await contentOf(reference));
    expect(after).not.toEqual(before);
  });

  it.each<readonly [name: string, args: Arguments]>([
    ['read_text_file', { path: '/R/missing' }],
    ['read_text_file', { path: '/R/../outside' }],
    ['read_text_file', { path: '/R/a.txt', head: 1, tail: 1 }],
    ['read_text_file', {}],
    ['read_text_file', { path: '/R/src' }],
    ['read_multiple_files', { paths: [] }],
    ['list_directory', { path: '/R/a.txt' }],
    ['write_file', { path: '/R/missing/file', content: '' }],
    ['edit_file', { path: '/R/b.md', edits: [{ oldText: 'not there', newText: '' }] }],
    ['move_file', { source: '/R/a.txt', destination: '/R/b.md' }],
    ['move_file', { source: '/R/missing', destination: '/R/c' }],
    ['get_file_info', { path: '/R/missing' }],
  ])('a failure for the same call: %s %j', async (name, args) => {
    const [own, theirs] = await both(sides, (side) => answer(side, name, args).catch(() => ({ isError: true })));
    expect([own.isError, theirs.isError]).toEqual([true, true]);
  });
});

function factsOf(told: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    told.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
}

/** Returns the text from the first `@@` to the end of the fence. */
function hunksOf(told = ''): string {
  const [, hunks = ''] = /^(`{3,})diff\n(?:[^@].*\n)*([\s\S]*?)\n?\1\n/.exec(told)?.slice(1) ?? [];
  return hunks;
}
