import { createHash } from 'node:crypto';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';
import type { Place, Subject } from '@org/mcp-watch';

import { gitStatus } from './operations/git-status.ts';
import { decodeList } from './repository/parse/fields.ts';
import type { Ground } from './repository/places.ts';
import type { Repositories } from './repository/repositories.ts';
import type { Repository } from './repository/repository.ts';

const STATUS_URI = /^git:\/\/([^/?#]+)\/status$/;
/** Looking for what is watched may take this long. */
const LOOK_MS = 60_000;
const MAX_IGNORED = 4_194_304;

/** What to watch for `git://{repo}/status`; `undefined` for any other URI and for a repository that is not used. */
export async function statusSubject(repositories: Repositories, roots: Roots, uri: string): Promise<Subject | undefined> {
  const [, repo] = STATUS_URI.exec(uri) ?? [];
  if (repo === undefined) return undefined;
  const open = (): Promise<Repository> =>
    repositories.byId(decodeURIComponent(repo), { roots, signal: AbortSignal.timeout(LOOK_MS) });
  try {
    const repository = await open();
    return {
      key: `git-status:${repository.ground.gitDir}`,
      places: placesOf(repository.ground, await ignoredDirectories(repository)),
      // Opened anew each time: a repository that is no longer used is not run in.
      fingerprint: async () => fingerprintOf(await open()),
    };
  } catch (error) {
    if (ToolError.is(error) || error instanceof URIError) return undefined;
    throw error;
  }
}

/** The status takes no locks, so looking at it changes nothing that is watched. */
async function fingerprintOf(repository: Repository): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify(await gitStatus(repository)))
    .digest('base64url');
}

/** An edit shows in the work tree alone, a commit elsewhere in the git directory alone. */
function placesOf({ top, gitDir, commonDir }: Ground, ignored: ReadonlySet<string>): readonly Place[] {
  return [
    { kind: 'directory', path: gitDir },
    { kind: 'file', path: path.join(gitDir, 'HEAD') },
    { kind: 'file', path: path.join(gitDir, 'index') },
    { kind: 'file', path: path.join(commonDir, 'config') },
    { kind: 'file', path: path.join(commonDir, 'packed-refs') },
    { kind: 'tree', path: path.join(commonDir, 'refs'), ignores: () => false },
    { kind: 'tree', path: top, ignores: (relative) => path.posix.basename(relative) === '.git' || ignored.has(relative) },
  ];
}

async function ignoredDirectories(repository: Repository): Promise<ReadonlySet<string>> {
  const command = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const { stdout } = await repository.read(command, { maxBytes: MAX_IGNORED });
  return new Set(decodeList(stdout).flatMap((entry) => (entry.endsWith('/') ? entry.slice(0, -1) : [])));
}
