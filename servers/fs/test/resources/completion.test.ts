import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connect, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { treeOf } from '../fixtures/tree-of.ts';
import { rootsAt } from '../fixtures/rooted.ts';
import { connectFiles, serverFor, temporaryDirectory } from '../fixtures/temporary.ts';

type Argument = 'file' | 'review_file' | 'summarize_directory';

async function completed({ client }: Session, of: Argument, value: string): Promise<Record<string, unknown>> {
  const ref =
    of === 'file' ? ({ type: 'ref/resource', uri: 'file:///{+path}' } as const) : ({ type: 'ref/prompt', name: of } as const);
  return { ...(await client.complete({ ref, argument: { name: 'path', value } })).completion };
}

async function values(session: Session, of: Argument, typed: string): Promise<unknown> {
  return (await completed(session, of, typed))['values'];
}

async function project(): Promise<string> {
  const root = await treeOf({
    'docs/guide.md': '',
    'docs/.hidden.md': '',
    'docs/deep/x': '',
    'README.md': '',
    'read me.txt': '',
    '.env': 'SECRET',
    '.github/x': '',
    'new\nline': '',
    '../beside.txt': '',
  });
  await symlink('docs', path.join(root, 'link'));
  return root;
}

describe.each(ERAS)('a path, on a %s connection,', (era) => {
  it.each<[string, Argument, string, readonly string[]]>([
    ['nothing', 'review_file', '', ['README.md', 'docs/', 'link', 'read me.txt']],
    ['a beginning, of any case', 'review_file', 'rea', ['README.md', 'read me.txt']],
    ['a directory', 'review_file', 'docs/', ['docs/deep/', 'docs/guide.md']],
    ['a beginning in a directory', 'review_file', 'docs/g', ['docs/guide.md']],
    ['a link to a directory', 'review_file', 'link/d', ['link/deep/']],
    ['a dot', 'review_file', '.', ['.github/']],
    ['a dot in a directory', 'review_file', 'docs/.h', ['docs/.hidden.md']],
    ['a denied name', 'review_file', '.e', []],
    ['a missing directory', 'review_file', 'missing/', []],
    ['a parent segment', 'review_file', '../', []],
    ['a path outside', 'review_file', '/etc/', []],
    ['a NUL character', 'review_file', 'a\0', []],
    ['nothing, of directories', 'summarize_directory', '', ['docs/', 'link']],
    ['a directory, of directories', 'summarize_directory', 'docs/', ['docs/deep/']],
  ])('has the expected completions in a prompt after %s', async (...[, of, typed, expected]) => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await completed(session, of, typed)).toEqual({ values: expected, total: expected.length, hasMore: false });
  });

  it('is completed from the root of the file system if it is absolute', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await values(session, 'review_file', root.slice(0, -3))).toEqual([`${root}/`]);
    expect(await values(session, 'review_file', `${root}/do`)).toEqual([`${root}/docs/`]);
  });

  it('is completed for a resource without the first slash, as in the URI', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const variable = root.slice(1);
    expect(await values(session, 'file', '')).toEqual([`${variable}/`]);
    expect(await values(session, 'file', variable.slice(0, -3))).toEqual([`${variable}/`]);
    expect(await values(session, 'file', `${variable}/docs/`)).toEqual([`${variable}/docs/deep/`, `${variable}/docs/guide.md`]);
    expect(await values(session, 'file', 'docs/gu')).toEqual([`${variable}/docs/guide.md`]);
    expect(await values(session, 'file', 'etc/')).toEqual([]);
  });

  it('has at most 100 completions and their total number', async () => {
    const root = await temporaryDirectory();
    for (let count = 0; count < 150; count += 1) await writeFile(path.join(root, `f${String(count).padStart(3, '0')}`), '');
    await using session = await connectFiles({ directories: [root] }, era);
    const { values: shown, ...facts } = await completed(session, 'review_file', 'f');
    expect(shown).toEqual(Array.from({ length: 100 }, (_, count) => `f${String(count).padStart(3, '0')}`));
    expect(facts).toEqual({ total: 150, hasMore: true });
  });

  it("has no completions if no directory is allowed or no allowed directory is inside the client's roots", async () => {
    await using session = await connectFiles({ directories: [] }, era);
    expect(await values(session, 'review_file', '')).toEqual([]);
    expect(await values(session, 'file', '')).toEqual([]);
  });
});

describe('a completed path in a session with narrowed roots', () => {
  it('is inside the narrowed roots', async () => {
    const root = await temporaryDirectory();
    for (const name of ['open/in', 'closed/out']) await mkdir(path.join(root, name), { recursive: true });
    await using session = await connect(serverFor({ directories: [root] }), {
      era: 'legacy',
      roots: () => rootsAt(path.join(root, 'open')),
    });
    expect(await values(session, 'review_file', '')).toEqual(['in/']);
    expect(await values(session, 'review_file', `${root}/closed/`)).toEqual([]);
  });
});
