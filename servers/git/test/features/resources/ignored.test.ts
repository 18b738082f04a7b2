import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, emptyRepository, git, writeIn } from '../../fixtures/temporary.ts';
import { watchedRepository, WatchedStatus } from './watched.ts';

/** Returns the number of file system watches of this process. */
async function systemWatches(): Promise<number> {
  const directory = '/proc/self/fdinfo';
  const texts = await Promise.all(
    (await readdir(directory)).map((name) => readFile(path.join(directory, name), 'utf8').catch(() => '')),
  );
  return texts.join('').match(/^inotify /gm)?.length ?? 0;
}

describe.runIf(process.platform === 'linux')('a subscribed status', () => {
  it('watches no ignored directory, even if it was created later', async () => {
    const top = await watchedRepository();
    const many = Array.from({ length: 30 }, (_, index) => `d${index}`);
    for (const name of many) await writeIn(top, `ignored/${name}/file`, 'x');
    const nested = await emptyRepository(path.join(top, 'nested'));
    for (const name of many) await writeIn(nested, `${name}/file`, 'x');
    await using session = await connectGit({ directories: [top] });
    await session.call('git_status');
    const before = await systemWatches();
    await using status = await WatchedStatus.of(session, top);
    const ready = await systemWatches();
    expect(ready - before).toBeLessThan(20);
    for (const name of many) await writeIn(top, `later/ignored/${name}/file`, 'x');
    await writeIn(top, 'later/on/file', 'x');
    await status.next();
    await status.rest();
    expect((await systemWatches()) - ready).toBe(2);
    expect(status.count).toBe(1);
  });

  it('watches an ignored directory that contains tracked files', async () => {
    const top = await watchedRepository();
    await writeIn(top, 'ignored/kept/file', 'x');
    await mkdir(path.join(top, ':(exclude)*'));
    await writeIn(top, ':(exclude)*/file', 'x');
    git(top, ['add', '--force', '.']);
    commitAt(top, 'Keep', 1);
    await using session = await connectGit({ directories: [top] });
    await using status = await WatchedStatus.of(session, top);
    for (const [position, name] of ['ignored/kept/file', ':(exclude)*/file'].entries()) {
      await writeIn(top, name, 'changed');
      await status.next();
      expect(status.count, name).toBe(position + 1);
    }
  });
});
