import { realpath } from 'node:fs/promises';
import path from 'node:path';

import type { Roots } from '@org/mcp-roots';
import type { Subject } from '@org/mcp-watch';

import type { Repositories } from '../repository/repositories.ts';

/** Which repositories there are: told at once of one directly in a root, within 30 s of others. */
export async function repositoriesSubject(repositories: Repositories, roots: Roots): Promise<Subject> {
  const tops = await Promise.all((await repositories.candidates(roots)).map((top) => realpath(top).catch(() => top)));
  return {
    key: 'repositories',
    places: [
      ...roots.directories.map(({ realPath }) => ({ kind: 'directory', path: realPath }) as const),
      ...tops.map((top) => ({ kind: 'file', path: path.join(top, '.git') }) as const),
    ],
    fingerprint: async () => (await repositories.candidates(roots)).join('\0'),
  };
}
