import path from 'node:path';

import { decodeList } from './parse/fields.ts';
import type { Repository } from './repository.ts';

const NAMED = /^submodule\.(.+)\.[^.]+$/s;

/**
 * Configuration under which git takes a submodule for its commit alone. A merge puts local changes aside first, and a pick that is
 * empty lists what there is: for both, git starts another git in every submodule, and no option keeps it from doing so.
 */
export async function closedSubmodules(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const sources = [`--file=${path.join(repository.ground.top, '.gitmodules')}`, '--blob=:.gitmodules'];
  const lists = await Promise.all(
    sources.map((source) =>
      repository.read(['config', '--no-includes', source, '--list', '--name-only', '-z'], { codes: [0, 1, 128] }),
    ),
  );
  const names = lists.flatMap(({ stdout }) => decodeList(stdout)).flatMap((key) => NAMED.exec(key)?.[1] ?? []);
  return Object.fromEntries([['diff.ignoreSubmodules', 'dirty'], ...names.map((name) => [`submodule.${name}.ignore`, 'dirty'])]);
}
