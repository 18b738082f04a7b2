import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ground, outcome, type Ground } from './ground.ts';
import { OPERATIONS } from './operations.ts';

/** What is there, what is not, and what is refused in every way. */
const GIVEN = [
  'ok.txt',
  'a',
  '.',
  'new',
  'a/b.txt',
  'x/y',
  'ok.txt/x',
  'fifo',
  'loop',
  'out',
  'out/secret.txt',
  '../x',
  'nul\0',
  '',
];

describe.runIf(process.platform === 'linux')('a pinned root', () => {
  it('is the only thing that stays open, whatever is done, and until it is disposed of', async () => {
    const at = await ground({ guarantee: 'pinned' });
    execFileSync('mkfifo', [path.join(at.root, 'fifo')]);
    await symlink('loop', path.join(at.root, 'loop'));
    await symlink(at.outside, path.join(at.root, 'out'));
    for (const given of GIVEN) for (const operate of Object.values(OPERATIONS)) await outcome(operate(at.roots, given));
    expect(openBelow(at)).toEqual([at.root]);
    await at.roots[Symbol.asyncDispose]();
    expect(openBelow(at)).toEqual([]);
  });
});

/** What this process has open there. */
function openBelow({ base }: Ground): readonly string[] {
  const targets = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // That of the list itself.
      return [];
    }
  });
  return targets.filter((target) => target.startsWith(base));
}
