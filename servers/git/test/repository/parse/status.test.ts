import { describe, expect, it } from 'vitest';

import { parseStatus } from '../../../src/repository/parse/status.ts';

const ZERO = '0'.repeat(40);

function parse(lines: readonly string[]): object {
  return parseStatus(Buffer.from(lines.map((line) => `${line}\0`).join('')));
}

describe('a status', () => {
  it.each([
    ['of a detached HEAD', ['# branch.oid abc', '# branch.head (detached)'], { oid: 'abc', branch: undefined }],
    ['before the first commit', ['# branch.oid (initial)', '# branch.head main'], { oid: undefined, branch: 'main' }],
    [
      'with an upstream',
      ['# branch.upstream origin/a b', '# branch.ab +2 -13'],
      { upstream: 'origin/a b', ahead: 2, behind: 13 },
    ],
    ['of an added file', [`1 A. N... 0 1 1 ${ZERO} ${ZERO} a b`], { entries: [{ path: 'a b', staged: 'added' }] }],
    [
      'of a file changed twice',
      [`1 MM N... 1 1 1 ${ZERO} ${ZERO} a`],
      { entries: [{ path: 'a', staged: 'modified', unstaged: 'modified' }] },
    ],
    [
      'of a renamed file whose old name looks like a line',
      [`2 R. N... 1 1 1 ${ZERO} ${ZERO} R100 new`, '? old', '? other'],
      {
        entries: [
          { path: 'new', original_path: '? old', staged: 'renamed' },
          { path: 'other', untracked: true },
        ],
      },
    ],
    ['of a conflict', [`u UU N... 1 1 1 1 ${ZERO} ${ZERO} ${ZERO} a`], { entries: [{ path: 'a', conflict: true }] }],
    ['of a name with a newline', ['? a\n? b'], { entries: [{ path: 'a\n? b', untracked: true }] }],
    [
      'of a name that looks like a header',
      ['? # branch.head x'],
      { branch: undefined, entries: [{ path: '# branch.head x', untracked: true }] },
    ],
  ])('is parsed: %s', (_, lines, expected) => {
    expect(parse(lines)).toMatchObject(expected);
  });
});
