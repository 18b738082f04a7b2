import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { createFixture, getOutcome, type RootFixture } from '../fixtures.ts';
import { OPERATIONS } from '../operations.ts';

/** Existing, missing and refused paths of every kind. */
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
  it('is the only open descriptor after every operation, until its disposal', async () => {
    const at = await createFixture({ guarantee: 'pinned' });
    execFileSync('mkfifo', [path.join(at.root, 'fifo')]);
    await symlink('loop', path.join(at.root, 'loop'));
    await symlink(at.outside, path.join(at.root, 'out'));
    for (const given of GIVEN) for (const operate of Object.values(OPERATIONS)) await getOutcome(operate(at.roots, given));
    expect(openBelow(at)).toEqual([at.root]);
    await at.roots[Symbol.asyncDispose]();
    expect(openBelow(at)).toEqual([]);
  });
});

/** Returns the files below the fixture that this process has open. */
function openBelow({ base }: RootFixture): readonly string[] {
  const targets = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // The descriptor of the listing itself is closed by now.
      return [];
    }
  });
  return targets.filter((target) => target.startsWith(base));
}
