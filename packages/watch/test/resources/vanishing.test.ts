import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { directoryResource, fileResource } from '../../src/index.ts';
import { recordDirectory, recordFile, openHub, temporaryDirectory, write } from '../fixtures.ts';

interface Ground {
  readonly above: string;
  readonly root: string;
  readonly directory: string;
}

type Act = (ground: Ground) => void;

/** Each test case has a title, a function that removes or renames a directory, and a function that brings it back. */
const VANISHINGS: readonly (readonly [string, Act, Act])[] = [
  ['its root is renamed', ({ root }) => renameSync(root, `${root}.away`), ({ root }) => renameSync(`${root}.away`, root)],
  [
    'its root is deleted',
    ({ root }) => rmSync(root, { recursive: true }),
    ({ directory }) => mkdirSync(directory, { recursive: true }),
  ],
  [
    'a directory in its root is renamed',
    ({ directory }) => renameSync(path.dirname(directory), `${path.dirname(directory)}.away`),
    ({ directory }) => renameSync(`${path.dirname(directory)}.away`, path.dirname(directory)),
  ],
  [
    'what holds its root is deleted',
    ({ above }) => rmSync(above, { recursive: true }),
    ({ directory }) => mkdirSync(directory, { recursive: true }),
  ],
  [
    'what holds its root is renamed, which a sweep finds',
    ({ above }) => {
      renameSync(above, `${above}.away`);
      vi.advanceTimersByTime(30_000);
    },
    ({ above }) => {
      renameSync(`${above}.away`, above);
      vi.advanceTimersByTime(30_000);
    },
  ],
];

async function makeGround(): Promise<Ground> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const above = path.join(await temporaryDirectory(), 'above');
  const root = path.join(above, 'root');
  const directory = path.join(root, 'a/b');
  write(path.join(directory, 'c.txt'), 'old');
  return { above, root, directory };
}

describe('a watched file', () => {
  it.each(VANISHINGS)(
    'is announced as removed and as created again if %s, and then for each change',
    async (_, leave, comeBack) => {
      const ground = await makeGround();
      const file = path.join(ground.directory, 'c.txt');
      const { hub, errors } = openHub();
      const heard = recordFile(file);
      await hub.watch(fileResource(file, ground.root), heard.changed);
      for (const round of ['1', '2']) {
        leave(ground);
        await heard.until('absent');
        comeBack(ground);
        write(file, `back ${round}`);
        await heard.until(`back ${round}`);
        write(file, `changed ${round}`);
        await heard.until(`changed ${round}`);
      }
      expect(heard.seen).toEqual(['absent', 'back 1', 'changed 1', 'absent', 'back 2', 'changed 2']);
      expect(errors.seen).toEqual([]);
    },
  );
});

describe('a watched directory', () => {
  it.each(VANISHINGS)(
    'is announced as removed and as created again if %s, and then for each change of its entries',
    async (_, leave, comeBack) => {
      const ground = await makeGround();
      const { hub, errors } = openHub();
      const heard = recordDirectory(ground.directory);
      await hub.watch(directoryResource(ground.directory, ground.root), heard.changed);
      leave(ground);
      await heard.until('absent');
      comeBack(ground);
      write(path.join(ground.directory, 'c.txt'), 'old');
      await heard.until('c.txt');
      write(path.join(ground.directory, 'd.txt'), 'new');
      await heard.until('c.txt d.txt');
      expect(heard.seen).toEqual(['absent', 'c.txt', 'c.txt d.txt']);
      expect(errors.seen).toEqual([]);
    },
  );
});
