import { encodePath, decodePath } from '../src/repository/parse/path-bytes.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { connectGit, emptyRepository, git, repositoryOf } from './fixtures/temporary.ts';

/** Number of changes. For more and other changes: `MCP_TEST_CHANGES=20000 MCP_TEST_SEED=7`. */
const CHANGES = Number(process.env['MCP_TEST_CHANGES'] ?? 200);
const SEED = Number(process.env['MCP_TEST_SEED'] ?? 1);
const RUNS = Math.ceil(CHANGES / 20);
const TIMEOUT = 30_000 + CHANGES * 100;

const PIECES = [
  'a',
  'B',
  '.',
  '..',
  '-',
  ' ',
  '\t',
  '\n',
  '\r',
  '\\',
  '"',
  "'",
  '`',
  '$(x)',
  '*',
  '?',
  '[',
  ':',
  ':/',
  '~',
  '^',
  '@{',
  '#',
  '%41',
  '->',
  '\\303\\251',
];
const CHARACTERS = [
  'é',
  'e\u0301',
  '日本',
  '😀',
  '\u202E',
  '\u200B',
  '\u00A0',
  '\uFEFF',
  '\u2028',
  '\u0001',
  '\u001B[2J',
  '\u007F',
  '\uFFFD',
];

const text = fc.array(fc.constantFrom(...PIECES, ...CHARACTERS), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
/** Bytes that are mostly not valid UTF-8. */
const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((array) => Buffer.from(array));
const component = fc
  .oneof(
    text.map((each) => Buffer.from(each)),
    bytes,
    fc.tuple(text, bytes).map(([one, other]) => Buffer.concat([Buffer.from(one), other])),
  )
  .filter((each) => !each.includes(0) && !each.includes('/') && !/^(?:\.{1,2}|[.\s]*git.*)$/i.test(each.toString('latin1')));
const file = fc
  .array(component, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map((part) => part.toString('latin1')).join('/'));

/** Paths whose bytes are represented as Latin-1 characters. No path is a parent directory of another path. */
const files = fc
  .uniqueArray(file, { minLength: 8, maxLength: 24 })
  .map((all) => all.filter((each) => !all.some((other) => other.startsWith(`${each}/`))));

function check(property: fc.IAsyncProperty<unknown>, numRuns = RUNS): Promise<void> {
  return fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });
}

async function facts(
  session: Session,
  tool: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { structuredContent, _meta } = await session.call(tool, input);
  return (structuredContent ?? _meta) as Record<string, unknown>;
}

describe(`with seed ${SEED}`, () => {
  it('every path has exactly one spelling', () => {
    const some = fc.oneof(
      bytes,
      text.map((each) => Buffer.from(each)),
      text.map((each) => Buffer.from(`"${each}"`)),
    );
    fc.assert(
      fc.property(some, some, (one, other) => {
        const spelled = decodePath(one);
        expect(encodePath(spelled)).toEqual(one);
        expect(Buffer.from(spelled).toString()).toBe(spelled);
        expect(spelled === decodePath(other)).toBe(one.equals(other));
      }),
      { seed: SEED, numRuns: CHANGES * 10 },
    );
  });

  it('names of files are the same in status, staging, history and contents', { timeout: TIMEOUT }, async () => {
    await check(
      fc.asyncProperty(files, async (all) => {
        const top = await emptyRepository();
        for (const name of all) {
          const place = Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, 'latin1')]);
          await mkdir(place.subarray(0, place.lastIndexOf('/')), { recursive: true });
          await writeFile(place, Buffer.from(name, 'latin1'));
        }
        const spelled = all.map((name) => decodePath(Buffer.from(name, 'latin1'))).sort();
        await using session = await connectGit({ directories: [top] });
        const status = await facts(session, 'git_status', { untracked: 'all' });
        const seen = (status['entries'] as { readonly path: string }[]).map((entry) => entry.path);
        expect([...seen].sort()).toEqual(spelled);
        const added = await facts(session, 'git_add', { files: seen });
        expect([...(added['staged'] as string[])].sort()).toEqual(spelled);
        await session.call('git_commit', { message: 'All' });
        expect(git(top, ['status', '--porcelain'])).toBe('');
        for (const each of seen) {
          expect(await facts(session, 'git_log', { paths: [each] })).toMatchObject({ commits: [{ message: 'All' }] });
          const uri = `git://${status['repository'] as string}/blob/HEAD/${each.split('/').map(encodeURIComponent).join('/')}`;
          const [content] = (await session.client.readResource({ uri })).contents;
          const read =
            content !== undefined && 'blob' in content ? Buffer.from(content.blob, 'base64') : Buffer.from(content?.text ?? '');
          expect(read).toEqual(encodePath(each));
        }
        const [first = ''] = seen;
        expect(await facts(session, 'git_blame', { path: first })).toMatchObject({ path: first });
        await expectChanges(session, spelled, first);
      }),
      // Many names in few repositories, because each repository requires dozens of processes.
      Math.ceil(RUNS / 5),
    );
  });

  it('messages are returned as committed', { timeout: TIMEOUT }, async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await using session = await connectGit({ directories: [top] });
    const line = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 20 }));
    const message = fc
      .array(line, { minLength: 1, maxLength: 6 })
      // git treats noncharacters such as U+FFFE as invalid UTF-8, and converts their bytes from Latin-1.
      .map((lines) => lines.join('\n').replaceAll(/\0|\p{Noncharacter_Code_Point}/gu, ''))
      .filter((each) => each.trim() !== '');
    await check(
      fc.asyncProperty(message, async (given) => {
        const expected = git(top, ['stripspace'], { input: given }).replace(/\n+$/, '');
        fc.pre(expected !== '');
        await writeFile(path.join(top, 'a'), `${Math.random()}`);
        await session.call('git_add', { files: ['a'] });
        const { oid } = await facts(session, 'git_commit', { message: given });
        expect(await facts(session, 'git_log', { max_count: 1 })).toMatchObject({
          commits: [{ oid, message: expected, author: 'Ann' }],
        });
      }),
    );
  });

  it(
    'names of branches and tags are accepted if git accepts them, and resolve to their commits',
    { timeout: TIMEOUT },
    async () => {
      const top = await repositoryOf([
        ['Begin', { a: 'x' }],
        ['Extend', { a: 'y' }],
      ]);
      const oid = git(top, ['rev-parse', 'HEAD~1']).trim();
      await using session = await connectGit({ directories: [top] });
      const name = fc.array(text, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
      await check(
        fc.asyncProperty(name, async (branch_name) => {
          const refusal = isBranchName(top, branch_name) ? undefined : await session.fails('git_create_branch', { branch_name });
          expect(refusal ?? 'INVALID_REF_NAME').toMatch(/^INVALID_REF_NAME/);
          fc.pre(refusal === undefined);
          await session.call('git_create_branch', { branch_name, base_branch: 'HEAD~1' });
          expect(await facts(session, 'git_branch', { not_contains: 'main' })).toMatchObject({
            branches: [{ name: branch_name, oid }],
          });
          await session.call('git_checkout', { branch_name });
          expect(await facts(session, 'git_status')).toMatchObject({ branch: branch_name, oid });
          await session.call('git_checkout', { branch_name: 'main' });
          git(top, ['branch', '--quiet', '-m', '--', branch_name, 'gone']);
          git(top, ['branch', '--quiet', '-D', 'gone']);
          git(top, ['update-ref', `refs/tags/${branch_name}`, oid]);
          expect(await facts(session, 'git_log', { revision: branch_name })).toMatchObject({ commits: [{ oid }] });
          git(top, ['update-ref', '-d', `refs/tags/${branch_name}`]);
        }),
      );
    },
  );
});

async function filesOf(session: Session, tool: string, input: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { _meta } = await session.call(tool, input);
  return (_meta as { readonly files: readonly { readonly path: string }[] }).files.map(({ path: name }) => name).sort();
}

/**
 * Lists, moves, removes, stashes and restores the committed files, and checks the names in the results. Moves only the first
 * file.
 */
async function expectChanges(session: Session, all: readonly string[], first: string): Promise<void> {
  expect((await facts(session, 'git_ls_files'))['files']).toHaveLength(all.length);
  expect([...((await facts(session, 'git_ls_files', { revision: 'HEAD' }))['files'] as string[])].sort()).toEqual(all);
  expect(await filesOf(session, 'git_show', { revision: 'HEAD', mode: 'names' })).toEqual(all);
  expect(await facts(session, 'git_mv', { source: first, destination: 'moved' })).toMatchObject({ source: first });
  expect(await filesOf(session, 'git_diff_staged', { mode: 'patch' })).toContain('moved');
  expect(await facts(session, 'git_mv', { source: 'moved', destination: first })).toMatchObject({ destination: first });
  const { confirm_token } = await facts(session, 'git_rm', { paths: all, dry_run: true });
  expect([...((await facts(session, 'git_rm', { paths: all, confirm_token }))['removed'] as string[])].sort()).toEqual(all);
  expect([...((await facts(session, 'git_stash_push'))['files'] as string[])].sort()).toEqual(all);
  await session.call('git_stash_apply', { index: true, pop: true });
  expect(await filesOf(session, 'git_diff_staged', { mode: 'stat' })).toEqual(all);
  await session.call('git_restore', { paths: all, staged: true, worktree: true });
  expect(await facts(session, 'git_status')).toMatchObject({ entries: [] });
  expect([...((await facts(session, 'git_rm', { paths: all, cached: true }))['removed'] as string[])].sort()).toEqual(all);
  const cleaning = { directories: true, paths: all };
  const cleaned = await facts(session, 'git_clean', { ...cleaning, ...(await tokenOf(session, cleaning)) });
  expect([...(cleaned['deleted'] as string[])].sort()).toEqual(all);
}

async function tokenOf(session: Session, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const { confirm_token } = await facts(session, 'git_clean', { ...input, dry_run: true });
  return { confirm_token };
}

function isBranchName(top: string, name: string): boolean {
  if (name.startsWith('-') || name === '@' || name === 'HEAD') return false;
  try {
    git(top, ['check-ref-format', `refs/heads/${name}`]);
    return true;
  } catch {
    return false;
  }
}
