import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { RootsPolicy } from '@org/mcp-host';
import { eachTransport, type ReportedRoot, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { GitOptions, GitServer } from '../src/index.ts';
import { repositoryOf, temporaryDirectory } from './fixtures/temporary.ts';

interface Operator {
  readonly directories: string[];
  readonly use: RootsPolicy;
}

const BIN = fileURLToPath(new URL('../bin/mcp-git.js', import.meta.url));

const CASES = eachTransport<Operator>({
  server: ({ directories, use }) => new GitServer(Object.assign(new GitOptions(), { directories, roots: use })),
  program: ({ directories, use }) => ({ command: process.execPath, args: [BIN, '--roots', use, ...directories] }),
}).filter(({ transport }) => transport !== 'memory');

/**
 * The repositories in `served` that a client may use. `all` and `kept` mean both; for `kept`, the client's roots do not overlap
 * `served`. `no answer` means that calls fail because the client reports no valid roots.
 */
type Outcome = 'all' | 'one' | 'none' | 'kept' | 'no answer';

/** Each case has a title, roots (names below the base, or URIs), and the outcomes with `--roots` narrow, overlap and only. */
const ROWS: readonly (readonly [what: string, roots: readonly string[], narrow: Outcome, overlap: Outcome, only: Outcome])[] = [
  ['empty', [], 'all', 'all', 'none'],
  ['the directory', ['served'], 'all', 'all', 'all'],
  ['inside', ['served/one'], 'one', 'one', 'one'],
  ['parent', [''], 'all', 'all', 'all'],
  ['sibling', ['sibling'], 'none', 'kept', 'none'],
  ['several', ['sibling', 'served/one'], 'one', 'one', 'one'],
  ['not file:', ['https://host/served'], 'none', 'kept', 'none'],
  ['not a file: URI', ['mailto:x'], 'none', 'kept', 'none'],
  ['a file: URI that names no path', ['file://%zz'], 'none', 'none', 'none'],
  ['missing inside', ['served/missing'], 'none', 'none', 'none'],
];

async function tree(): Promise<string> {
  const base = await temporaryDirectory();
  for (const name of ['one', 'two']) await repositoryOf([[name, { a: name }]], path.join(base, 'served', name));
  await mkdir(path.join(base, 'sibling'));
  return base;
}

function rootsOf(base: string, roots: readonly string[]): readonly ReportedRoot[] {
  return roots.map((root) => ({ uri: root.includes(':') ? root : pathToFileURL(path.join(base, root)).href }));
}

const NOTES: Readonly<Record<Outcome, RegExp>> = {
  all: /^.*\/one: on main\n.*\/two: on main$/,
  one: /^.*\/one: on main\nthe client's roots \(.*\) narrow the server's directories \(.*\/served\)\n--roots off ignores/,
  none: /^No repositories found\nthe client(?:'s roots (?:\(.*\) exclude|allow none of)| reports no roots).*, so no path is allowed\n.*--roots /,
  kept: /^.*\/one: on main\n.*\/two: on main\nthe client's roots \(.*\) do not overlap the server's directories \(.*\/served\);/,
  'no answer': /^(?:NO|INVALID)_ANSWER: .*\n.*--roots off$/,
};

const REFUSED = /^PATH_OUTSIDE_ROOTS: .*(?:\n.*)*(?:the client's roots |the client reports no roots)(?:.*\n)*.*--roots/;

/** Matches the result of `git_log` in the repository `served/two`, keyed by outcome. */
const READS: Readonly<Record<Outcome, RegExp>> = {
  all: /two$/m,
  one: REFUSED,
  none: REFUSED,
  kept: /two$/m,
  'no answer': NOTES['no answer'],
};

async function textOf(session: Session, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string | undefined> {
  const result = await session.client.callTool({ name, arguments: { ...args } }).catch(() => undefined);
  return result?.content[0]?.type === 'text' ? result.content[0].text : undefined;
}

async function expectOutcome(session: Session, base: string, outcome: Outcome): Promise<void> {
  const listed = await textOf(session, 'git_list_repositories');
  // In protocol version 2026-07-28, a client that cannot report its roots does not repeat the call, so the call has no result.
  if (listed === undefined && outcome === 'no answer') return;
  expect(listed).toMatch(NOTES[outcome]);
  const two = await textOf(session, 'git_log', { repo_path: path.join(base, 'served/two') });
  expect(two).toMatch(READS[outcome]);
}

describe.each(CASES)('the roots of a client, over $name,', ({ connect }) => {
  it.each<RootsPolicy>(['narrow', 'overlap', 'only', 'off'])(
    'are combined with the directories of the operator as --roots %s specifies',
    async (use) => {
      const base = await tree();
      let answer: () => readonly ReportedRoot[] = () => [];
      await using session = await connect({ directories: [path.join(base, 'served')], use, roots: () => answer() });
      const outcomeOf = async (what: string, next: typeof answer, outcome: Outcome): Promise<void> => {
        answer = next;
        await session.client.sendRootsListChanged().catch(() => undefined);
        await expectOutcome(session, base, use === 'off' ? 'all' : outcome).catch((error: unknown) => {
          throw new Error(`roots: ${what}`, { cause: error });
        });
      };
      for (const [what, roots, narrow, overlap, only] of ROWS) {
        const outcome = { narrow, overlap, only, off: 'all' as const }[use];
        await outcomeOf(what, () => rootsOf(base, roots), outcome);
      }
      const failing = (): never => {
        throw new Error('no roots today');
      };
      await outcomeOf('failing', failing, 'no answer');
      await outcomeOf('entries that are no roots', () => JSON.parse('[5, null]'), 'no answer');
      await outcomeOf('inside, after failures', () => rootsOf(base, ['served/one']), 'one');
    },
  );

  it('are named in the error if they exclude a part of a repository', async () => {
    const base = await tree();
    await mkdir(path.join(base, 'served/one/sub'));
    const roots = rootsOf(base, ['served/one/sub']);
    await using session = await connect({ directories: [path.join(base, 'served')], use: 'narrow', roots: () => roots });
    const text = await session.fails('git_status', { repo_path: path.join(base, 'served/one/sub') });
    expect(text).toMatch(
      /^NOT_A_REPO: .*\n.*\nthe client's roots \(.*\/one\/sub\) narrow the server's directories \(.*\/served\)\n/,
    );
  });
});
