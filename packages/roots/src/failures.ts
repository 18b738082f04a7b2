import { ToolError } from '@org/mcp-decorators';

/** More of a path than this is not repeated in a message. */
const SPELLED = 200;

/** How a message repeats the path that the caller gave: as a JSON string, of at most 200 characters. */
export function spelled(given: string): string {
  return given.length > SPELLED ? `${JSON.stringify(given.slice(0, SPELLED))}…` : JSON.stringify(given);
}

/** The same words whether something is there or not, so that nothing outside the roots can be probed. */
export function outsideRoots(given: string, allowed: readonly string[]): ToolError {
  return new ToolError('PATH_OUTSIDE_ROOTS', `${spelled(given)} is not inside the allowed directories`, {
    hint: allowed.length === 0 ? 'the client allows no directory of this server' : `allowed: ${allowed.join(', ')}`,
  });
}

export function rootsRequired(): ToolError {
  return new ToolError('ROOTS_REQUIRED', 'no directory is allowed', {
    hint: 'start the server with the directories it may touch',
  });
}

export function invalidPath(reason: string): ToolError {
  return new ToolError('INVALID_PATH', reason);
}

export function notFound(given: string, near: readonly string[]): ToolError {
  const hint = near.length === 0 ? {} : { hint: `did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?` };
  return new ToolError('NOT_FOUND', `${spelled(given)} does not exist`, hint);
}

/**
 * What the file system refused, with the path as the caller gave it: an error of `node:fs` names the resolved one.
 *
 * @returns a `ToolError`: SYMLINK_LOOP, INVALID_PATH for a path that is too long, else IO, with the error as its cause
 */
export function refused(given: string, error: unknown): ToolError {
  const code = errorCode(error);
  if (code === 'ELOOP')
    return new ToolError('SYMLINK_LOOP', `${spelled(given)} runs in a circle of symbolic links`, { cause: error });
  if (code === 'ENAMETOOLONG') return new ToolError('INVALID_PATH', `${spelled(given)} is too long`, { cause: error });
  const reason = REASONS[code ?? ''] ?? `the file system answered ${code ?? 'with an error'}`;
  return new ToolError('IO', `${spelled(given)}: ${reason}`, { cause: error });
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
};
