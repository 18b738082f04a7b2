import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Roots } from '@org/mcp-roots';
import { directorySubject, fileSubject, type Subject } from '@org/mcp-watch';

/** What to watch for a `file:` URI: a file's content, a directory's entries; nothing outside the roots. */
export async function subjectOf(roots: Roots, uri: string): Promise<Subject | undefined> {
  const target = await verified(roots, uri);
  if (target === undefined) return undefined;
  const facts = await stat(target).catch(() => undefined);
  return facts?.isDirectory() === true ? directorySubject(target) : fileSubject(target);
}

async function verified(roots: Roots, uri: string): Promise<string | undefined> {
  try {
    return (await roots.existing(fileURLToPath(uri))).real;
  } catch {
    return undefined;
  }
}
