import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

import type { OpenFile } from '@org/mcp-roots';

import { hashEdge } from '../journal/tail.ts';
import { computeEtag } from '../storage/etag.ts';
import { requireUnchanged, type Target } from '../storage/target.ts';
import type { ChangedFile } from './change-file.ts';
import type { ChangeableFiles } from './change-support.ts';
import { replaceTail } from './replace-tail.ts';
import { runRecorded } from './run-recorded.ts';

/** An addition to a file. */
export interface Addition {
  readonly tool: string;
  readonly file: OpenFile;
  readonly added: Buffer;
  readonly permanent?: boolean | undefined;
}

/**
 * Appends to a large file with {@link replaceTail}. Unless the change is `permanent`, the journal stores sizes and hashes for
 * undo, but no content.
 */
export async function appendToLarge(
  files: ChangeableFiles,
  target: Target & { readonly facts: BigIntStats },
  { tool, file, added, permanent }: Addition,
  signal: AbortSignal,
): Promise<ChangedFile> {
  const { facts, shown } = target;
  const { size } = file;
  const before = { size: 0, hash: hashOf(Buffer.alloc(0)) };
  const after = { size: added.length, hash: hashOf(added) };
  const edge = await hashEdge(file, size, signal);
  const steps = permanent === true ? undefined : [{ kind: 'tail', path: shown, keep: size, edge, before, after } as const];
  const { value: written, undoId } = await runRecorded(files, { tool, steps, bytes: 0 }, async () => {
    await requireUnchanged(target);
    signal.throwIfAborted();
    return replaceTail(target, { keep: size, content: once(added) }, files.changes.settings, signal);
  });
  return {
    path: shown,
    bytes: Number(written.size),
    created: false,
    etag: computeEtag(written),
    previousEtag: computeEtag(facts),
    ...(undoId !== undefined && { undoId }),
  };
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
