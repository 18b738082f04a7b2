import { describe, expect, it } from 'vitest';

import { errorCode } from '../src/error-code.ts';
import { notFound, outsideRoots, refused, rootsRequired } from '../src/failures.ts';

const REAL = '/srv/real/secret.txt';

describe('what the file system refused', () => {
  it.each([
    ['EACCES', 'IO: "notes.txt": permission denied'],
    ['EPERM', 'IO: "notes.txt": operation not permitted'],
    ['EROFS', 'IO: "notes.txt": the file system is read-only'],
    ['EMFILE', 'IO: "notes.txt": too many open files'],
    ['EIO', 'IO: "notes.txt": the file system answered EIO'],
    ['ELOOP', 'SYMLINK_LOOP: "notes.txt" runs in a circle of symbolic links'],
    ['ENAMETOOLONG', 'INVALID_PATH: "notes.txt" is too long'],
  ])('is said without the real path: %s', (code, text) => {
    const cause = fileSystemError(code);
    expect(refused('notes.txt', cause)).toMatchObject({ text, cause, data: undefined });
  });

  it('is said without its message if it has no code', () => {
    expect(refused('notes.txt', new Error(REAL)).text).toBe('IO: "notes.txt": the file system answered with an error');
    expect(refused('notes.txt', REAL).text).toBe('IO: "notes.txt": the file system answered with an error');
  });

  it('repeats no more than the start of a path that is too long', () => {
    const long = 'n'.repeat(10_000);
    for (const failure of [refused(long, fileSystemError('ENAMETOOLONG')), notFound(long, []), outsideRoots(long, [])])
      expect(failure.message).toContain(`"${'n'.repeat(200)}"…`);
  });
});

describe('a failure', () => {
  it('shows control characters of the given path escaped', () => {
    expect(outsideRoots('a\nb\u001b[31m', []).message).toBe(String.raw`"a\nb\u001b[31m" is not inside the allowed directories`);
  });

  it('names the nearest names as a question', () => {
    expect(notFound('reamde.md', ['readme.md']).text).toBe('NOT_FOUND: "reamde.md" does not exist\ndid you mean "readme.md"?');
    expect(notFound('x', ['a', 'b']).hint).toBe('did you mean "a" or "b"?');
    expect(notFound('x', []).hint).toBeUndefined();
  });

  it('says what to do where no directory is allowed', () => {
    expect(rootsRequired().text).toBe(
      'ROOTS_REQUIRED: no directory is allowed\nstart the server with the directories it may touch',
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
