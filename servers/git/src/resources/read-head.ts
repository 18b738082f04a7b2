import { currentBranch } from '../repository/head.ts';
import { LOG_FORMAT, parseLog } from '../repository/parse/log.ts';
import type { Repository } from '../repository/repository.ts';
import { json, type Contents } from './contents.ts';

/** The current branch, unless HEAD is detached, and the commit it is at, unless there is none yet. */
export async function readHead(repository: Repository): Promise<Contents> {
  const [branch, log] = await Promise.all([
    currentBranch(repository),
    repository.read(
      ['log', '-1', '-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`, 'HEAD'],
      {
        codes: [0, 128],
      },
    ),
  ]);
  const [commit] = parseLog(log.stdout).map(({ committed: _, ...facts }) => facts);
  return json({ repository: repository.id, branch, detached: branch === undefined, commit });
}
