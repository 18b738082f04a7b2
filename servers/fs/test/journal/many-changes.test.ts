import type { Session } from '@org/mcp-testing';
import { expect, it } from 'vitest';

import { connectFiles } from '../fixtures/temporary.ts';
import { place, treeOf } from '../fixtures/trees.ts';

/** Number of changes. For more and other changes, set `MCP_TEST_CHANGES=20000 MCP_TEST_SEED=7`. */
const CHANGES = Number(process.env['MCP_TEST_CHANGES'] ?? 200);
const SEED = Number(process.env['MCP_TEST_SEED'] ?? 1);
const NAMES = ['a', 'sub', 'sub/b', 'sub/link', 'sub/deep', 'sub/deep/c', 'new', 'new/below'] as const;
const CONTENTS = ['', 'x', 'alpha\nbeta\n', '\uFEFFalpha\r\n'] as const;

type Tree = Awaited<ReturnType<typeof treeOf>>;

/** A change that a call has made, and the tree before the change. */
interface Done {
  readonly undoId: string;
  readonly before: Tree;
  readonly call: string;
}

/**
 * Returns a function that chooses pseudo-random items of lists (a linear congruential generator). The same seed gives the same
 * choices.
 */
function choosing(seed: number): <Value>(values: readonly Value[]) => Value {
  let state = seed;
  return (values) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return values[Math.floor((state / 0x80_00_00_00) * values.length)]!;
  };
}

function anyCall(choose: ReturnType<typeof choosing>): readonly [tool: string, input: Readonly<Record<string, unknown>>] {
  const [path, destination, flag] = [choose(NAMES), choose(NAMES), choose([true, false])];
  const both = { source: path, destination, overwrite: flag };
  return choose([
    ['write_file', { path, content: choose(CONTENTS), createParents: flag }],
    ['append_file', { path, content: 'gamma\n' }],
    ['edit_file', { path, edits: [{ oldText: 'alpha', newText: 'delta' }] }],
    ['create_directory', { path }],
    ['copy_file', both],
    ['move_file', both],
    ['delete_file', { path, recursive: flag }],
  ] as const);
}

/** Undoes the last change of `done`, and expects the tree before that change. Does nothing if `done` is empty. */
async function undoLast(session: Session, root: string, done: Done[]): Promise<void> {
  const last = done.pop();
  if (last === undefined) return;
  await session.call('undo_change', { undoId: last.undoId });
  expect(await treeOf(root), `undone: ${last.call}`).toEqual(last.before);
}

it(
  `undoes each of ${CHANGES} random changes to the byte, and leaves the files as they are if a change fails (seed ${SEED})`,
  { timeout: 30_000 + CHANGES * 50 },
  async () => {
    const choose = choosing(SEED);
    const root = await place();
    await using session = await connectFiles({ directories: [root], durability: 'fast' });
    const done: Done[] = [];
    for (let count = 0; count < CHANGES; count += 1) {
      const before = await treeOf(root);
      const [name, input] = anyCall(choose);
      const result = await session.client.callTool({ name, arguments: input });
      const call = `${name} ${JSON.stringify(input)}`;
      const { undoId } = (result.structuredContent ?? result._meta ?? {}) as { readonly undoId?: string };
      if (undoId !== undefined) done.push({ undoId, before, call });
      expect(undoId === undefined ? await treeOf(root) : before, `failed or did nothing: ${call}`).toEqual(before);
      if (choose([true, false, false])) await undoLast(session, root, done);
    }
    while (done.length > 0) await undoLast(session, root, done);
  },
);
