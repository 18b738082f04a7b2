import { LOG_FORMAT, parseLog } from '../../repository/parse/log.ts';
import { readCurrentBranch } from '../../repository/refs/head.ts';
import type { Repository } from '../../repository/repository.ts';
import { jsonContents, type Contents } from './contents.ts';

/** Reads the current branch (absent on a detached HEAD) and its commit (absent before the first commit). */
export async function readHead(repository: Repository): Promise<Contents> {
  const [branch, log] = await Promise.all([
    readCurrentBranch(repository),
    repository.read(
      ['log', '-1', '-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`, 'HEAD'],
      {
        codes: [0, 128],
      },
    ),
  ]);
  const [commit] = parseLog(log.stdout).map(({ committed: _, ...facts }) => facts);
  return jsonContents({ repository: repository.id, branch, detached: branch === undefined, commit });
}
