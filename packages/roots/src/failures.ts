import { ToolError } from '@org/mcp-decorators';

import { errorCode } from './error-code.ts';
import type { Narrowing } from './narrowing.ts';

/** More of a path than this is not repeated in a message. */
const SPELLED = 200;

/** More names than this are counted and not repeated, and so are those that begin after this many characters. */
const MOST_NAMES = 5;
const LISTED = 600;

/** Characters that JSON leaves as they are, and that hide what a name says or are no part of it to the eye. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const NOT_ASCII = /[^\x20-\x7e]/g;

/** How a message repeats a path: as a JSON string in which everything can be seen, of at most 200 characters. */
export function spelled(given: string): string {
  return given.length > SPELLED ? `${escaped(given.slice(0, SPELLED), INVISIBLE)}…` : escaped(given, INVISIBLE);
}

/** At most five paths or URIs, in which everything can be seen; a sixth one and those after it are counted. */
export function listedNames(names: readonly string[]): string {
  const shown: string[] = [];
  for (const name of names.slice(0, MOST_NAMES)) {
    if (shown.join('').length > LISTED) break;
    shown.push(plainOrSpelled(name));
  }
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/**
 * The same words whether something is there or not, so that nothing outside the roots can be probed.
 *
 * @param allowed the directories that the call may use
 */
export function outsideRoots(given: string, allowed: readonly string[], narrowing?: Narrowing): ToolError {
  const reasons = [
    ...(allowed.length === 0 ? [] : [`allowed: ${listedNames(allowed)}`]),
    // Roots that changed nothing are no reason for a refusal.
    ...(narrowing === undefined || narrowing.outcome === 'kept' ? [] : [narrowing.text]),
  ];
  return new ToolError('PATH_OUTSIDE_ROOTS', `${spelled(given)} is not inside the allowed directories`, {
    hint: reasons.join('\n'),
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
  const hint = near.length === 0 ? {} : { hint: `did you mean ${near.map(spelled).join(' or ')}?` };
  return new ToolError('NOT_FOUND', `${spelled(given)} does not exist`, hint);
}

export function noDirectory(given: string, { hint }: ToolError): ToolError {
  return new ToolError('NOT_FOUND', `the directory of ${spelled(given)} does not exist`, hint === undefined ? {} : { hint });
}

export function isDirectory(given: string): ToolError {
  return new ToolError('IS_DIRECTORY', `${spelled(given)} is a directory`);
}

export function notDirectory(given: string): ToolError {
  return new ToolError('NOT_DIRECTORY', `${spelled(given)} is not a directory`);
}

export function notRegular(given: string): ToolError {
  return new ToolError('NOT_REGULAR_FILE', `${spelled(given)} is neither a file nor a directory`);
}

export function readOnly(given: string): ToolError {
  return new ToolError('READ_ONLY', `${spelled(given)} is in a directory that may only be read`);
}

/** @param reason what forbids it, such as `matches the pattern "*.pem"` */
export function denied(given: string, reason: string): ToolError {
  return new ToolError('DENIED_BY_POLICY', `${spelled(given)} may not be touched: it ${reason}`);
}

/** Creates the error for a change of a git directory or of its contents. */
export function gitDirectory(given: string): ToolError {
  const reason = 'it belongs to a git directory or would create one, and git runs programs that are named there';
  return new ToolError('DENIED_BY_POLICY', `${spelled(given)} may not be changed: ${reason}`, {
    hint: 'change the repository with git, or the operator allows this with --allow-git-dir',
  });
}

/** Creates the error for a change of a file that git reads as the configuration of a user. */
export function gitConfiguration(given: string): ToolError {
  const reason = "git reads a user's configuration from there and runs programs that it names";
  return new ToolError('DENIED_BY_POLICY', `${spelled(given)} may not be changed: ${reason}`, {
    hint: 'the operator allows this with --allow-git-dir',
  });
}

/** @param names the spellings that are there */
export function ambiguous(given: string, names: readonly string[]): ToolError {
  return new ToolError('AMBIGUOUS_NAME', `${spelled(given)} stands for ${names.length} names that look the same`, {
    hint: `they differ in their Unicode normal form: ${names.map((name) => escaped(name, NOT_ASCII)).join(', ')}; rename one of them`,
  });
}

export function rootUnavailable(root: string): ToolError {
  return new ToolError('ROOT_UNAVAILABLE', `the allowed directory ${spelled(root)} is not there`, {
    hint: 'it is used again as soon as it is back',
  });
}

export function rootChanged(root: string): ToolError {
  return new ToolError('ROOT_CHANGED', `the allowed directory ${spelled(root)} is another one than when the server was started`, {
    hint: 'restart the server if that was meant',
  });
}

/**
 * What the file system refused, with the path as the caller gave it: an error of `node:fs` names the resolved one.
 *
 * @returns a `ToolError` with the code that `docs/errors.md` has for it, IO for all that has none; a `ToolError` as it is
 */
export function refused(given: string, error: unknown): ToolError {
  if (ToolError.is(error)) return error;
  const known = REFUSALS[errorCode(error) ?? ''];
  if (known !== undefined) return new ToolError(known[0], `${spelled(given)} ${known[1]}`, { cause: error });
  const reason = REASONS[errorCode(error) ?? ''] ?? `the file system answered ${errorCode(error) ?? 'with an error'}`;
  return new ToolError('IO', `${spelled(given)}: ${reason}`, { cause: error });
}

/** Does something, with failures of the file system as errors for clients. */
export async function translated<Value>(shown: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw refused(shown, error);
  }
}

const REFUSALS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  ELOOP: ['SYMLINK_LOOP', 'runs in a circle of symbolic links'],
  ENAMETOOLONG: ['INVALID_PATH', 'is too long'],
  ENOENT: ['NOT_FOUND', 'does not exist'],
  ENOTDIR: ['NOT_DIRECTORY', 'is not a directory'],
  EISDIR: ['IS_DIRECTORY', 'is a directory'],
  EEXIST: ['ALREADY_EXISTS', 'exists already'],
  ENOTEMPTY: ['NOT_EMPTY', 'is a directory that is not empty'],
  ENOSPC: ['NO_SPACE', 'cannot be written: there is no space left'],
  EDQUOT: ['NO_SPACE', 'cannot be written: the quota is used up'],
  EFBIG: ['NO_SPACE', 'cannot be written: no file may become so large here'],
};

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  EXDEV: 'it would have to go to another file system',
};

function plainOrSpelled(name: string): string {
  const quoted = spelled(name);
  return quoted === `"${name}"` && !/[,()]/.test(name) ? name : quoted;
}

function escaped(text: string, characters: RegExp): string {
  return JSON.stringify(text).replaceAll(characters, (character) =>
    Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
