import { ToolError, type RequestContext } from '@org/mcp-decorators';

import { parseDuration } from '../options/duration.ts';
import type { DirectoryOptions } from './directory-options.ts';

/** The operator's. */
type Directories = readonly { readonly path: string }[];

/** Directories that a message names. */
const MOST_NAMED = 5;

/** Whether clients are asked for their roots, and for how long. */
type Asking = Pick<DirectoryOptions, 'roots' | 'rootsTimeout'>;

/**
 * What the client of a call narrows the operator's directories to, as URIs; `undefined` if it has no say. An empty list is no
 * statement, except with `--roots only`: clients answer so as long as their user has configured nothing.
 *
 * Where there are no `directories`, what the client names is the boundary: over stdio only, because over HTTP anybody could name
 * anything.
 *
 * @throws ToolError ROOTS_REQUIRED if nothing can be allowed, or `--roots only` is given and the client does not support roots; NO_ANSWER, INVALID_ANSWER
 */
export async function clientRootsOf(
  context: RequestContext,
  options: Asking,
  directories: Directories,
): Promise<readonly string[] | undefined> {
  return directories.length > 0 ? limits(context, options, directories) : boundary(context, options);
}

async function limits(
  context: RequestContext,
  options: Asking,
  directories: Directories,
): Promise<readonly string[] | undefined> {
  if (options.roots === 'off') return undefined;
  const uris = await requested(context, options);
  if (options.roots !== 'only') return uris?.length === 0 ? undefined : uris;
  // A completion of 2026-07-28 cannot ask even those that have some.
  if (uris === undefined && context.client.capabilities.roots === undefined) throw withoutRoots(directories);
  return uris;
}

async function boundary(context: RequestContext, options: Asking): Promise<readonly string[]> {
  if (options.roots === 'off' || context.http !== undefined) throw noDirectory('');
  const uris = (await requested(context, options)) ?? [];
  if (uris.length === 0) throw noDirectory(', or use a client that names its roots');
  return uris;
}

/** A failure is not an empty list: roots that are not known may exclude everything. */
async function requested(context: RequestContext, { rootsTimeout }: Asking): Promise<readonly string[] | undefined> {
  try {
    const roots = await context.roots({ timeoutMs: parseDuration(rootsTimeout) });
    return roots?.map(({ uri }) => uri);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const hint = 'without its roots no path is allowed; repair the client, or start the server with --roots off';
    throw new ToolError(error.code, error.message, { hint, cause: error });
  }
}

function noDirectory(alternative: string): ToolError {
  const hint = `start the server with the directories it may touch${alternative}`;
  return new ToolError('ROOTS_REQUIRED', 'no directory is allowed', { hint });
}

function withoutRoots(directories: Directories): ToolError {
  const names = directories.slice(0, MOST_NAMED).map(({ path }) => path);
  const more = directories.length > names.length ? ` and ${directories.length - names.length} more` : '';
  const message = `the client does not support roots, and the server requires some for its directories (${names.join(', ')}${more})`;
  return new ToolError('ROOTS_REQUIRED', message, {
    hint: 'use a client that supports roots, or start the server with --roots narrow',
  });
}
