import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { treeOf } from '../fixtures/trees.ts';
import { connectFiles, temporaryDirectory, temporaryState } from '../fixtures/temporary.ts';

const LARGE = 300_000;

/** Calls that change something, each with a title. */
const CHANGES = [
  ['a file that is replaced', 'write_file', { path: 'f', content: 'new'.repeat(LARGE) }],
  ['a file with its directories', 'write_file', { path: 'x/y/new', content: 'new'.repeat(LARGE), createParents: true }],
  ['an appended text', 'append_file', { path: 'f', content: 'new' }],
  ['an edit', 'edit_file', { path: 'f', edits: [{ oldText: 'old', newText: 'new', replaceAll: true }] }],
  ['a replacement in several files', 'replace_in_files', { path: '.', pattern: 'old', replacement: 'new' }],
  ['a directory', 'create_directory', { path: 'x/y/z' }],
  ['a copy', 'copy_file', { source: 'f', destination: 'copy' }],
  ['a copy of a directory', 'copy_file', { source: 'sub', destination: 'copy' }],
  ['a move', 'move_file', { source: 'f', destination: 'sub/a', overwrite: true }],
  ['a removal', 'delete_file', { path: 'f' }],
  ['a removal of a directory', 'delete_file', { path: 'sub', recursive: true }],
] as const;

interface Place {
  readonly root: string;
  readonly state: string;
}

/** Moments at which the test cancels a call. Each function returns whether the moment has come. */
const MOMENTS: readonly (readonly [when: string, isNow: (place: Place) => boolean])[] = [
  ['at once', () => true],
  ['while the previous content is being stored', ({ state }) => namesIn(path.join(state, 'contents')).length > 0],
  ['when this content is recorded', ({ state }) => namesIn(path.join(state, 'changes')).length > 0],
  ['when directories are created', ({ root }) => namesIn(root).includes('x')],
  ['while the new content is being written', ({ root }) => namesIn(root).some((name) => name.includes('.mcp-'))],
  ['when an entry has been copied', ({ root }) => namesIn(root).includes('copy/a')],
  ['when an entry has been removed', ({ root }) => !namesIn(root).includes('sub/a')],
];

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory, { recursive: true }).map(String) : [];
}

interface Listed {
  readonly changes: readonly { readonly undoId: string; readonly tool: string }[];
}

/** Undoes each listed change that is not itself an undo and not in `undone`, and adds its id to `undone`. */
async function undoAll(session: Session, undone: Set<string>): Promise<void> {
  const { structuredContent } = await session.call('list_changes', { limit: 200 });
  for (const { undoId, tool } of (structuredContent as Listed).changes) {
    if (tool === 'undo_change' || undone.has(undoId)) continue;
    undone.add(undoId);
    await session.text('undo_change', { undoId });
  }
}

async function begin(): Promise<Place> {
  const root = await temporaryDirectory();
  await mkdir(path.join(root, 'sub'));
  for (const name of ['f', 'sub/a', 'sub/b', 'sub/c']) await writeFile(path.join(root, name), 'old '.repeat(LARGE));
  return { root, state: temporaryState() };
}

describe.each(CHANGES)('a cancelled change (%s)', (_, tool, input) => {
  it.each(MOMENTS)(
    'is either made and recorded for undo, or not made, and leaves no other file: cancelled %s',
    { timeout: 30_000 },
    async (_when, isNow) => {
      const place = await begin();
      const { root, state } = place;
      const before = await treeOf(root);
      await using session = await connectFiles({ directories: [root], stateDir: state, durability: 'fast' });
      const controller = new AbortController();
      let isOver = false;
      const call = session
        .call(tool, input, { signal: controller.signal })
        .catch(() => undefined)
        .finally(() => (isOver = true));
      while (!isOver && !isNow(place)) await setImmediate();
      controller.abort('enough');
      await call;
      const undone = new Set<string>();
      await expect
        .poll(async () => {
          await undoAll(session, undone);
          return treeOf(root);
        })
        .toEqual(before);
      // The cancelled call may still be ending, so its temporary files and locks may exist for some time.
      await expect.poll(() => namesIn(state).filter((name) => name.endsWith('.tmp') || /locks.[\da-f]+$/.test(name))).toEqual([]);
    },
  );
});
