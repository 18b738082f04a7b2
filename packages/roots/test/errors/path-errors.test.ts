import { describe, expect, it } from 'vitest';

import { errorCode } from '../../src/errors/error-code.ts';
import {
  createNotFoundError,
  createOutsideRootsError,
  toToolError,
  createRootsRequiredError,
} from '../../src/errors/path-errors.ts';

const REAL = '/srv/real/secret.txt';

describe('refused', () => {
  it.each([
    ['EACCES', 'IO: "notes.txt": permission denied'],
    ['EPERM', 'IO: "notes.txt": operation not permitted'],
    ['EROFS', 'IO: "notes.txt": the file system is read-only'],
    ['EMFILE', 'IO: "notes.txt": too many open files'],
    ['EIO', 'IO: "notes.txt": the file system reported EIO'],
    ['ELOOP', 'SYMLINK_LOOP: "notes.txt" is in a loop of symbolic links'],
    ['ENAMETOOLONG', 'INVALID_PATH: "notes.txt" is too long'],
  ])('does not reveal the real path: %s', (code, text) => {
    const cause = fileSystemError(code);
    expect(toToolError('notes.txt', cause)).toMatchObject({ text, cause, data: undefined });
  });

  it('omits the message of an error without a code', () => {
    expect(toToolError('notes.txt', new Error(REAL)).text).toBe('IO: "notes.txt": the file system reported an error');
    expect(toToolError('notes.txt', REAL).text).toBe('IO: "notes.txt": the file system reported an error');
  });

  it('truncates a path of more than 200 characters', () => {
    const long = 'n'.repeat(10_000);
    for (const failure of [
      toToolError(long, fileSystemError('ENAMETOOLONG')),
      createNotFoundError(long, []),
      createOutsideRootsError(long, []),
    ])
      expect(failure.message).toContain(`"${'n'.repeat(200)}"…`);
  });
});

describe('an error for a path', () => {
  it('escapes control characters of the path', () => {
    expect(createOutsideRootsError('a\nb\u001b[31m', []).message).toBe(
      String.raw`"a\nb\u001b[31m" is not inside the allowed directories`,
    );
  });

  it('suggests similar names in a question', () => {
    expect(createNotFoundError('reamde.md', ['readme.md']).text).toBe(
      'NOT_FOUND: "reamde.md" does not exist\ndid you mean "readme.md"?',
    );
    expect(createNotFoundError('x', ['a', 'b']).hint).toBe('did you mean "a" or "b"?');
    expect(createNotFoundError('x', []).hint).toBeUndefined();
  });

  it('explains what to do if no directory is allowed', () => {
    expect(createRootsRequiredError().text).toBe(
      'ROOTS_REQUIRED: no directory is allowed\nstart the server with the allowed directories',
    );
  });

  it.each([
    ['an error of node:fs', fileSystemError('EIO'), 'EIO'],
    ['an error without code', new Error('EIO'), undefined],
    ['an error whose code is a number', Object.assign(new Error('x'), { code: 5 }), undefined],
    ['no error', 'EIO', undefined],
  ])('has the code of %s', (_, error, code) => {
    expect(errorCode(error)).toBe(code);
  });
});

function fileSystemError(code: string): Error {
  return Object.assign(new Error(`${code}: open '${REAL}'`), { code, path: REAL });
}
