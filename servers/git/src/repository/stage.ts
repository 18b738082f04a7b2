import { lstat } from 'node:fs/promises';

import { pathList } from './path-bytes.ts';
import { onDisk } from './paths.ts';
import type { CommandOptions, Repository } from './repository.ts';

/**
 * Takes files into the index as they are in the work tree, deleted ones too; those in conflict are resolved by that.
 *
 * Not by `git add`: where there is a submodule it starts another git in it, and nobody looked at the configuration there.
 */
export async function stage(repository: Repository, files: readonly string[], env: CommandOptions['env'] = {}): Promise<void> {
  const replaced = await replacedByDirectories(repository, files);
  await updateIndex(repository, ['--force-remove'], [...replaced], env);
  const others = files.filter((file) => !replaced.has(file));
  await updateIndex(repository, ['--add', '--remove', '--replace'], others, env);
}

async function updateIndex(
  repository: Repository,
  flags: readonly string[],
  files: readonly string[],
  env: NonNullable<CommandOptions['env']>,
): Promise<void> {
  if (files.length === 0) return;
  await repository.write(['update-index', ...flags, '-z', '--stdin'], { input: pathList(files), env });
}

/** Files whose place a directory has taken, other than that of a submodule. */
async function replacedByDirectories(repository: Repository, files: readonly string[]): Promise<ReadonlySet<string>> {
  const replaced = new Set<string>();
  for (const file of files) {
    const facts = await lstat(onDisk(repository, file)).catch(() => undefined);
    if (facts?.isDirectory() !== true) continue;
    const inside = await lstat(Buffer.concat([onDisk(repository, file), Buffer.from('/.git')])).catch(() => undefined);
    if (inside === undefined) replaced.add(file);
  }
  return replaced;
}
