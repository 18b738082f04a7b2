import { ToolError, type RequestContext } from '@org/mcp-decorators';

import { parseDuration } from '../options/duration.ts';
import type { DirectoryOptions } from './directory-options.ts';

/**
 * What the client of a call narrows the operator's directories to, as URIs; `undefined` if it has no say.
 *
 * Where there are no `directories`, what the client names is the boundary: over stdio only, because over HTTP anybody could name
 * anything.
 *
 * @throws ToolError ROOTS_REQUIRED if nothing can be allowed, or `--roots only` gets none; NO_ANSWER
 */
export async function clientRootsOf(
  context: RequestContext,
  { roots, rootsTimeout }: Pick<DirectoryOptions, 'roots' | 'rootsTimeout'>,
  directories: readonly unknown[],
): Promise<readonly string[] | undefined> {
  const isBounded = directories.length > 0;
  if (!isBounded && (roots === 'off' || context.http !== undefined)) throw noDirectory('');
  if (roots === 'off') return undefined;
  const told = await context.roots({ timeoutMs: parseDuration(rootsTimeout) });
  if (told !== undefined) return told.map(({ uri }) => uri);
  if (!isBounded) throw noDirectory(', or use a client that names its roots');
  // A completion of 2026-07-28 cannot ask even those that have some.
  if (roots === 'only' && context.client.capabilities.roots === undefined) throw withoutRoots();
  return undefined;
}

function noDirectory(alternative: string): ToolError {
  const hint = `start the server with the directories it may touch${alternative}`;
  return new ToolError('ROOTS_REQUIRED', 'no directory is allowed', { hint });
}

function withoutRoots(): ToolError {
  return new ToolError('ROOTS_REQUIRED', 'the client does not name its roots, and this server insists on them', {
    hint: 'use a client that does, or start the server without --roots only',
  });
}
