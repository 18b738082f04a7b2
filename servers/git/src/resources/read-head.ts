import { LOG_FORMAT, parseLog } from '../repository/parse/log.ts';
import type { Repository } from '../repository/repository.ts';
import { json, type Contents } from './contents.ts';

/** The current branch, unless HEAD is detached, and the commit it is at, unless there is none yet. */
export async function readHead(repository: Repository): Promise<Contents> {
  const [symbolic, log] = await Promise.all([
    repository.read(['symbolic-ref', '--quiet', 'HEAD'], { codes: [0, 1] }),
    repository.read(
      ['log', '-1', '-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`, 'HEAD'],
      {
        codes: [0, 128],
      },
    ),
  ]);
  const branch = symbolic.code === 0 ? symbolic.stdout.toString('utf8').trim().replace('refs/heads/', '') : undefined;
  const [commit] = parseLog(log.stdout).map(({ committed: _, ...facts }) => facts);
  return json({ repository: repository.id, branch, detached: branch === undefined, commit });
}
