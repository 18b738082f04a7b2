import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { treeOf } from '../journal/trees.ts';
import { connectFiles, temporaryDirectory, temporaryState } from '../temporary.ts';

const LARGE = 300_000;

/** Every tool that changes something. */
const CHANGES = [
  ['a file that is replaced', 'write_file', { path: 'f', content: 'new'.repeat(LARGE) }],
  ['a file with its directories', 'write_file', { path: 'x/y/new', content: 'new'.repeat(LARGE), createParents: true }],
  ['something appended', 'append_file', { path: 'f', content: 'new' }],
  ['an edit', 'edit_file', { path: 'f', edits: [{ oldText: 'old', newText: 'new', replaceAll: true }] }],
  ['a replacement in several files', 'replace_in_files', { path: '.', pattern: 'old', replacement: 'new' }],
  ['a directory', 'create_directory', { path: 'x/y/z' }],
  ['a copy', 'copy_file', { source: 'f', destination: 'copy' }],
  ['a copy of a directory', 'copy_file', { source: 'sub', destination: 'copy' }],
  ['a move', 'move_file', { source: 'f', destination: 'sub/a', overwrite: true }],
  ['a removal', 'delete_file', { path: 'f' }],
  ['a removal of a directory', 'delete_file', { path: 'sub', recursive: true }],
] as const;

/** After so many turns of the event loop, which client and server share. */
const MOMENTS = [0, 1, 2, 5, 10, 20, 40, 80, 160, 320];

interface Listed {
  readonly changes: readonly { readonly undoId: string; readonly tool: string }[];
}

/** Undoes what was not undone before. */
async function undoAll(session: Session, undone: Set<string>): Promise<void> {
  const { structuredContent } = await session.call('list_changes', { limit: 200 });
  for (const { undoId, tool } of (structuredContent as Listed).changes) {
    if (tool === 'undo_change' || undone.has(undoId)) continue;
    undone.add(undoId);
    await session.text('undo_change', { undoId });
  }
}

describe('a change that is cancelled', () => {
  it.each(CHANGES)(
    'is made and kept for undo, or was never begun, and leaves nothing behind: %s %j',
    { timeout: 60_000 },
    async (tool, input) => {
      const root = await temporaryDirectory();
      const stateDir = temporaryState();
      await mkdir(path.join(root, 'sub'));
      for (const name of ['f', 'sub/a', 'sub/b', 'sub/c']) await writeFile(path.join(root, name), 'old '.repeat(LARGE / 4));
      const before = await treeOf(root);
      await using session = await connectFiles({ directories: [root], stateDir, durability: 'fast' });
      const undone = new Set<string>();
      const asBefore = async (): Promise<unknown> => {
        await undoAll(session, undone);
        return treeOf(root);
      };
      for (const moment of MOMENTS) {
        const controller = new AbortController();
        const call = session.call(tool, input, { signal: controller.signal }).catch(() => undefined);
        for (let turn = 0; turn < moment; turn += 1) await setImmediate();
        controller.abort('enough');
        await call;
        await expect.poll(asBefore, { timeout: 20_000, message: `after ${moment} turns` }).toEqual(before);
      }
      const left = await readdir(stateDir, { recursive: true });
      expect(left.filter((name) => name.endsWith('.tmp') || /locks.[\da-f]+$/.test(name))).toEqual([]);
    },
  );
});
