import { ToolError } from '@org/mcp-decorators';

/** The same words whether something is there or not, so that nothing outside the roots can be probed. */
export function outsideRoots(given: string): ToolError {
  return new ToolError('PATH_OUTSIDE_ROOTS', `${JSON.stringify(given)} is not inside the allowed directories`, {
    hint: 'list_allowed_directories names them',
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
  return new ToolError('NOT_FOUND', `${JSON.stringify(given)} does not exist`, hint);
}

/** What the file system refused, without any path: an error of `node:fs` names the resolved one. */
export function refused(given: string, error: unknown): ToolError {
  const code = errorCode(error);
  if (code === 'ELOOP')
    return new ToolError('SYMLINK_LOOP', `${JSON.stringify(given)} runs in a circle of symbolic links`, { cause: error });
  if (code === 'ENAMETOOLONG')
    return new ToolError('INVALID_PATH', `${JSON.stringify(given.slice(0, 100))}… is too long`, { cause: error });
  const reason = REASONS[code ?? ''] ?? `the file system answered ${code ?? 'with an error'}`;
  return new ToolError('IO', `${JSON.stringify(given)}: ${reason}`, { cause: error });
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
