import { existsSync } from 'node:fs';
import { appendFile, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git } from '../fixtures/temporary.ts';
import { scene } from '../fixtures/attacks/scene.ts';

/** A byte that is not a valid UTF-8 character. */
const BYTE = '\xE9';

describe('bytes that are not valid UTF-8', () => {
  it('in a command of the configuration do not hide the command', async () => {
    const { root, top } = await scene();
    const marker = path.join(root, 'executed');
    await appendFile(
      path.join(top, '.git/config'),
      Buffer.from(`[filter "x"]\n\tclean = "touch ${marker}; cat; : ${BYTE}"\n`, 'latin1'),
    );
    await appendFile(path.join(top, '.git/info/attributes'), '* filter=x\n');
    await appendFile(path.join(top, 'a.txt'), 'more\n');
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_diff_unstaged')).toMatch(/^REPO_UNTRUSTED: .*filter\.x\.clean/);
    expect(existsSync(marker)).toBe(false);
  });

  it.each([
    ['an include', 'include.path', /^REPO_UNTRUSTED/],
    ['a list of commits to ignore', 'blame.ignoreRevsFile', /^REPO_UNTRUSTED/],
    ['an alternate', undefined, /^PATH_OUTSIDE_ROOTS/],
  ])('do not hide that %s resolves to a path outside', async (_, key, message) => {
    const { root, top, outside } = await scene();
    const place = Buffer.from(`${top}/link${BYTE}`, 'latin1');
    const target = key === undefined ? path.join(outside, '.git/objects') : path.join(outside, 'secret.txt');
    await symlink(target, place);
    const [section, variable] = key?.split('.') ?? [];
    await (key === undefined
      ? appendFile(path.join(top, '.git/objects/info/alternates'), Buffer.concat([place, Buffer.from('\n')]))
      : appendFile(
          path.join(top, '.git/config'),
          Buffer.concat([Buffer.from(`[${section}]\n\t${variable} = `), place, Buffer.from('\n')]),
        ));
    await using session = await connectGit({ directories: [root] });
    const secret = git(outside, ['rev-parse', 'HEAD']).trim();
    expect(await session.fails('git_show', { revision: secret })).toMatch(message);
  });
});
