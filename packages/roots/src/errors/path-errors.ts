import { formatVisibleJson, ToolError } from '@org/mcp-decorators';

import { errorCode } from './error-code.ts';

/** Maximum number of characters of a path that a message repeats. */
const MAX_QUOTED = 200;

/** Maximum number of names in a message. */
const MAX_NAMES = 5;
/** Number of characters of the listed names after which no further name is added. */
const MAX_LISTED = 600;

const NOT_ASCII = /[^\x20-\x7e]/g;

/** Quotes a path for a message: a JSON string with all invisible characters escaped, of at most 200 characters. */
export function quotePath(given: string): string {
  return given.length > MAX_QUOTED ? `${formatVisibleJson(given.slice(0, MAX_QUOTED))}…` : formatVisibleJson(given);
}

/** Lists at most five paths or URIs, with invisible characters escaped, and counts the others. */
export function listNames(names: readonly string[]): string {
  const shown: string[] = [];
  for (const name of names.slice(0, MAX_NAMES)) {
    if (shown.join('').length > MAX_LISTED) break;
    shown.push(quoteIfNeeded(name));
  }
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/**
 * Creates the error for a path outside the roots. The text is the same whether or not the path exists, so that a client
 * cannot probe paths outside the roots.
 * @param allowed the directories that the call may use
 * @param causes further reasons for the refusal, which follow the directories in the hint
 */
export function createOutsideRootsError(given: string, allowed: readonly string[], causes: readonly string[] = []): ToolError {
  const reasons = [...(allowed.length === 0 ? [] : [`allowed: ${listNames(allowed)}`]), ...causes];
  return new ToolError('PATH_OUTSIDE_ROOTS', `${quotePath(given)} is not inside the allowed directories`, {
    hint: reasons.join('\n'),
  });
}

export function createRootsRequiredError(): ToolError {
  return new ToolError('ROOTS_REQUIRED', 'no directory is allowed', {
    hint: 'start the server with the allowed directories',
  });
}

export function createInvalidPathError(reason: string): ToolError {
  return new ToolError('INVALID_PATH', reason);
}

export function createNotFoundError(given: string, near: readonly string[]): ToolError {
  const hint = near.length === 0 ? {} : { hint: `did you mean ${near.map(quotePath).join(' or ')}?` };
  return new ToolError('NOT_FOUND', `${quotePath(given)} does not exist`, hint);
}

export function createDanglingLinkError(given: string): ToolError {
  return new ToolError('NOT_FOUND', `${quotePath(given)} is or contains a symbolic link to a path that does not exist`);
}

export function createParentNotFoundError(given: string, { hint }: ToolError): ToolError {
  return new ToolError('NOT_FOUND', `the directory of ${quotePath(given)} does not exist`, hint === undefined ? {} : { hint });
}

export function createIsDirectoryError(given: string): ToolError {
  return new ToolError('IS_DIRECTORY', `${quotePath(given)} is a directory`, {
    hint: 'name a file in the directory, or list its entries',
  });
}

export function createNotDirectoryError(given: string): ToolError {
  return new ToolError('NOT_DIRECTORY', `${quotePath(given)} is not a directory`);
}

export function createNotRegularFileError(given: string): ToolError {
  return new ToolError('NOT_REGULAR_FILE', `${quotePath(given)} is neither a regular file nor a directory`);
}

export function createReadOnlyError(given: string): ToolError {
  return new ToolError('READ_ONLY', `${quotePath(given)} is in a read-only directory`);
}

/** @param reason the end of a sentence about the path, such as `matches the pattern "*.pem"` */
export function createDeniedError(given: string, reason: string): ToolError {
  return new ToolError('DENIED_BY_POLICY', `access to ${quotePath(given)} is denied: it ${reason}`);
}

export function createGitDirectoryError(given: string): ToolError {
  const reason = 'it belongs to a git directory or would create one, and git runs programs that files in a git directory name';
  return new ToolError('DENIED_BY_POLICY', `${quotePath(given)} may not be changed: ${reason}`, {
    hint: 'change the repository with git; the operator can allow the change with --allow-git-dir',
  });
}

export function createGitConfigurationError(given: string): ToolError {
  const reason = "git reads a user's configuration from this file and runs the programs that it names";
  return new ToolError('DENIED_BY_POLICY', `${quotePath(given)} may not be changed: ${reason}`, {
    hint: 'the operator can allow the change with --allow-git-dir',
  });
}

/** @param names the existing spellings */
export function createAmbiguousNameError(given: string, names: readonly string[]): ToolError {
  return new ToolError('AMBIGUOUS_NAME', `${quotePath(given)} matches ${names.length} names that look the same`, {
    hint: `the names differ in their Unicode normal form: ${names.map((name) => formatVisibleJson(name, NOT_ASCII)).join(', ')}; rename one of them`,
  });
}

export function createRootUnavailableError(root: string): ToolError {
  return new ToolError('ROOT_UNAVAILABLE', `the allowed directory ${quotePath(root)} is not available`, {
    hint: 'the server uses the directory again as soon as it is available',
  });
}

export function createRootChangedError(root: string): ToolError {
  return new ToolError('ROOT_CHANGED', `the allowed directory ${quotePath(root)} is not the same directory as at server start`, {
    hint: 'restart the server to use the new directory',
  });
}

/**
 * Converts a failure of the file system into an error for clients. The message contains the path as the caller wrote it, because
 * an error of `node:fs` contains the resolved path.
 *
 * @returns a `ToolError` with the code that `docs/reference/errors.md` lists for the failure, otherwise with the code IO; a given
 *   `ToolError` is returned unchanged
 */
export function toToolError(given: string, error: unknown): ToolError {
  if (ToolError.is(error)) return error;
  const known = REFUSALS[errorCode(error) ?? ''];
  if (known !== undefined) return new ToolError(known[0], `${quotePath(given)} ${known[1]}`, { cause: error });
  const reason = REASONS[errorCode(error) ?? ''] ?? `the file system reported ${errorCode(error) ?? 'an error'}`;
  return new ToolError('IO', `${quotePath(given)}: ${reason}`, { cause: error });
}

/** Runs an operation and converts failures of the file system into errors for clients. */
export async function throwToolErrors<Value>(shown: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw toToolError(shown, error);
  }
}

const REFUSALS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  ELOOP: ['SYMLINK_LOOP', 'is in a loop of symbolic links'],
  ENAMETOOLONG: ['INVALID_PATH', 'is too long'],
  ENOENT: ['NOT_FOUND', 'does not exist'],
  ENOTDIR: ['NOT_DIRECTORY', 'is not a directory'],
  EISDIR: ['IS_DIRECTORY', 'is a directory'],
  EEXIST: ['ALREADY_EXISTS', 'already exists'],
  ENOTEMPTY: ['NOT_EMPTY', 'is a directory that is not empty'],
  ENOSPC: ['NO_SPACE', 'cannot be written: no space is left'],
  EDQUOT: ['NO_SPACE', 'cannot be written: the quota is used up'],
  EFBIG: ['NO_SPACE', 'cannot be written: the file would exceed the maximum size'],
};

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  EXDEV: 'the destination is on another file system',
};

function quoteIfNeeded(name: string): string {
  const quoted = quotePath(name);
  return quoted === `"${name}"` && !/[,()]/.test(name) ? name : quoted;
}
