import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import type { Repository } from './repository.ts';

/** Does what receives objects; where that fails or is cancelled, what git leaves unfinished goes. */
export async function withoutUnfinishedPacks<Outcome>({ ground }: Repository, work: () => Promise<Outcome>): Promise<Outcome> {
  const packs = path.join(ground.commonDir, 'objects/pack');
  const before = await unfinishedIn(packs);
  try {
    return await work();
  } catch (error) {
    const left = (await unfinishedIn(packs)).filter((name) => !before.includes(name));
    await Promise.all(left.map((name) => rm(path.join(packs, name), { force: true })));
    throw error;
  }
}

async function unfinishedIn(packs: string): Promise<readonly string[]> {
  const names = await readdir(packs).catch(() => []);
  return names.filter((name) => name.startsWith('tmp_'));
}
