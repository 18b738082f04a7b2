import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { RootsPolicy } from '@org/mcp-host';
import type { ReportedRoot, Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CASES } from '../fixtures/rooted.ts';
import { temporaryDirectory } from '../fixtures/temporary.ts';

/** Creates `served`, `served/sub`, `sibling` and `served2`, each with `a.txt`, and links. Returns their parent directory. */
async function tree(): Promise<string> {
  const base = await temporaryDirectory();
  for (const directory of ['served', 'served/sub', 'sibling', 'served2']) {
    await mkdir(path.join(base, directory));
    await writeFile(path.join(base, directory, 'a.txt'), directory);
  }
  await symlink(path.join(base, 'served/sub'), path.join(base, 'link'));
  await symlink(path.join(base, 'served/gone'), path.join(base, 'stale'));
  await symlink(path.join(base, 'sibling'), path.join(base, 'served/out'));
  return base;
}

/**
 * The part of `served` that a client may access. `all` and `kept` mean everything; for `kept`, the client's roots do not overlap
 * `served`. `no answer` means that calls fail because the client reports no valid roots.
 */
type Outcome = 'all' | 'sub' | 'none' | 'kept' | 'no answer';

/** Each case has a title, roots (names below the base, or URIs), and the outcomes with `--roots` narrow, overlap and only. */
const ROWS: readonly (readonly [what: string, roots: readonly string[], narrow: Outcome, overlap: Outcome, only: Outcome])[] = [
  ['empty', [], 'all', 'all', 'none'],
  ['the directory', ['served'], 'all', 'all', 'all'],
  ['inside', ['served/sub'], 'sub', 'sub', 'sub'],
  ['inside by a link', ['link'], 'sub', 'sub', 'sub'],
  ['parent', [''], 'all', 'all', 'all'],
  ['everything', ['file:///'], 'all', 'all', 'all'],
  ['sibling', ['sibling'], 'none', 'kept', 'none'],
  ['sibling with the same beginning', ['served2'], 'none', 'kept', 'none'],
  ['a link inside that resolves to a sibling', ['served/out'], 'none', 'kept', 'none'],
  ['several, one of them inside', ['sibling', 'served/sub', 'served/missing'], 'sub', 'sub', 'sub'],
  ['several, all outside', ['sibling', 'served2', 'https://host/served'], 'none', 'kept', 'none'],
  ['not file:', ['vscode-remote://ssh-remote+host/served'], 'none', 'kept', 'none'],
  ['not a URI', ['no URI'], 'none', 'kept', 'none'],
  ['a file: URI that names no path', ['file://%zz'], 'none', 'none', 'none'],
  ['missing inside', ['served/missing'], 'none', 'none', 'none'],
  ['missing inside, by a link', ['stale/x'], 'none', 'none', 'none'],
  ['missing, outside', ['missing'], 'none', 'kept', 'none'],
  ['a file inside', ['served/a.txt'], 'none', 'none', 'none'],
];

function rootsOf(base: string, roots: readonly string[]): readonly ReportedRoot[] {
  return roots.map((root) => ({ uri: /:|^$|no URI/.test(root) && root !== '' ? root : uriOf(base, root) }));
}

function uriOf(base: string, name: string): string {
  return pathToFileURL(path.join(base, name)).href;
}

const TEXTS: Readonly<Record<Outcome, RegExp>> = {
  all: /^Allowed directories:\n.*\/served$/,
  sub: /^Allowed directories:\n.*\/(?:sub|link)\nthe client's roots \(.*\) narrow the server's directories \(.*\/served\)\n--roots off ignores/,
  none: /^No directory is allowed\nthe client(?:'s roots \(.*\) exclude the server's directories \(.*\/served\).*|'s roots allow none of the server's directories \(.*\/served\): .*| reports no roots, and the server requires roots that limit its directories \(.*\/served\)), so no path is allowed\n.*--roots (?:overlap|off|only\)|narrow)$/,
  kept: /^Allowed directories:\n.*\/served\nthe client's roots \(.*\) do not overlap the server's directories \(.*\/served\); because of --roots overlap, all directories of the server stay allowed\n/,
  'no answer': /^(?:NO|INVALID)_ANSWER: .*\n.*--roots off$/,
};

const REFUSED = /^PATH_OUTSIDE_ROOTS: .*(?:\n.*)*(?:the client's roots |the client reports no roots)(?:.*\n)*.*--roots/;
const OUTSIDE = /^PATH_OUTSIDE_ROOTS: /;
const UNANSWERED = TEXTS['no answer'];

/**
 * Patterns for the results of reading `served/a.txt`, `served/sub/a.txt` and `sibling/a.txt`, in this order, keyed by outcome.
 */
const READS: Readonly<Record<Outcome, readonly [whole: RegExp, part: RegExp, beside: RegExp]>> = {
  all: [/^served$/, /^served\/sub$/, OUTSIDE],
  sub: [REFUSED, /^served\/sub$/, REFUSED],
  none: [REFUSED, REFUSED, REFUSED],
  kept: [/^served$/, /^served\/sub$/, OUTSIDE],
  'no answer': [UNANSWERED, UNANSWERED, UNANSWERED],
};

async function textOf(session: Session, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string | undefined> {
  const result = await session.client.callTool({ name, arguments: { ...args } }).catch(() => undefined);
  return result?.content[0]?.type === 'text' ? result.content[0].text : undefined;
}

async function expectOutcome(session: Session, base: string, outcome: Outcome): Promise<void> {
  const listed = await textOf(session, 'list_allowed_directories');
  // In protocol version 2026-07-28, a client that cannot report its roots does not repeat the call, so the call has no result.
  if (listed === undefined && outcome === 'no answer') return;
  expect(listed).toMatch(TEXTS[outcome]);
  for (const [index, name] of ['served', 'served/sub', 'sibling'].entries())
    expect(await textOf(session, 'read_text_file', { path: path.join(base, name, 'a.txt') })).toMatch(
      READS[outcome][index] ?? '',
    );
}

describe.each(CASES)('the roots of a client, over $name,', ({ connect }) => {
  it.each<RootsPolicy>(['narrow', 'overlap', 'only', 'off'])(
    'limit access as --roots %s defines, in every case of the table',
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
      for (const [what, roots, narrow, overlap, only] of ROWS)
        await outcomeOf(what, () => rootsOf(base, roots), { narrow, overlap, only, off: 'all' as const }[use]);
      const failing = (): never => {
        throw new Error('no roots today');
      };
      await outcomeOf('failing', failing, 'no answer');
      await outcomeOf('entries that are no roots', () => JSON.parse('[5, null, {}, {"uri": 5}]'), 'no answer');
      await outcomeOf('inside, after failures', () => rootsOf(base, ['served/sub']), 'sub');
      if (use === 'off') return;
      await rm(path.join(base, 'served/sub'), { recursive: true });
      await outcomeOf('inside, and deleted', () => rootsOf(base, ['served/sub', 'sibling']), 'none');
    },
  );
});
