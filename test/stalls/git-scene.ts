import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { hostileData } from './hostile-texts.ts';
import { call, type Request } from './stalls.ts';

/**
 * Length in characters of the hostile messages of commits and tags. It exceeds that of hostile arguments, because git accepts
 * messages of any length.
 */
const MESSAGE_LENGTH = 200_000;

const PERSON = 'Ann <ann@example.com> 1767225600 +0000';

const AUTHOR = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** Creates a repository with hostile messages, files and names, and with a remote that cannot be reached. */
export async function gitScene(top: string): Promise<void> {
  git(top, ['init', '--quiet', '--initial-branch=main']);
  git(top, ['remote', 'add', 'origin', 'https://127.0.0.1:1/project']);
  await mkdir(path.join(top, 'texts'));
  await mkdir(path.join(top, 'names'));
  await writeFile(path.join(top, 'a.txt'), 'one\ntwo\n');
  for (const [index, [unit, text]] of hostileData().entries()) {
    await writeFile(path.join(top, 'texts', `${index}.txt`), text);
    const name = unit.replaceAll(/[/\0]/g, '').repeat(200);
    await writeFile(path.join(top, 'names', `${index}-${name.slice(0, 60)}`), 'x\n');
  }
  git(top, ['add', '--all']);
  git(top, ['commit', '--quiet', '--message=first']);
  const tree = git(top, ['rev-parse', 'HEAD^{tree}']);
  let parent = git(top, ['rev-parse', 'HEAD']);
  for (const [unit, text] of hostileData(MESSAGE_LENGTH)) {
    if (unit.includes('\0')) continue;
    const head = `tree ${tree}\nparent ${parent}\nauthor ${PERSON}\ncommitter ${PERSON}\n\n`;
    parent = git(top, ['hash-object', '-t', 'commit', '-w', '--stdin'], `${head}x${text}y\n`);
    const tag = `object ${parent}\ntype commit\ntag t\ntagger ${PERSON}\n\nx${text}y\n`;
    const tagged = git(top, ['hash-object', '-t', 'tag', '-w', '--stdin'], tag);
    git(top, ['update-ref', `refs/tags/t${parent}`, tagged]);
  }
  git(top, ['update-ref', 'refs/heads/main', parent]);
}

/** Returns calls that read the hostile contents of the repository. */
export async function gitReads(top: string): Promise<readonly Request[]> {
  const commits = git(top, ['rev-list', 'main']).split('\n');
  const files = git(top, ['ls-tree', '-r', '-z', '--name-only', 'main'])
    .split('\0')
    .filter((file) => file !== '');
  return [
    ...['git_tag_list', 'git_branch', 'git_status', 'git_ls_files', 'git_stash_list', 'git_conflicts'].map((name) =>
      call(name, {}),
    ),
    ...[1, 10, 100].map((max_count) => call('git_log', { max_count, stats: true })),
    call('git_reflog', { ref: 'main' }),
    call('git_diff', { target: 'main~1', base: 'main' }),
    call('git_grep', { pattern: 'a' }),
    call('git_commit', { amend: true, dry_run: true }),
    ...RESOURCES.map((uri) => resource(uri)),
    ...commits.flatMap((revision) => [
      resource(`commit/${revision}`),
      call('git_show', { revision }),
      call('git_log', { revision, max_count: 1 }),
      call('git_rev_parse', { revision: `t${revision}` }),
      call('git_show', { revision: `t${revision}` }),
      call('git_cat_file', { object: revision }),
    ]),
    ...files.flatMap((file) => [call('git_blame', { path: file }), call('git_show', { revision: 'HEAD', path: file })]),
  ];
}

const RESOURCES = ['status', 'head', 'refs', 'log', 'tree/HEAD/', 'tree/HEAD/names', 'diff/HEAD~1..HEAD', 'diff/HEAD~9..HEAD'];

/** Returns a request that reads a resource of the only repository. */
function resource(rest: string): Request {
  return {
    name: `resource ${rest}`,
    send: async ({ client }) => {
      const { structuredContent } = await client.callTool({ name: 'git_status', arguments: {} });
      const { repository } = structuredContent as { readonly repository: string };
      await client.readResource({ uri: `git://${repository}/${rest}` });
    },
  };
}

function git(directory: string, args: readonly string[], input?: string): string {
  const options = { cwd: directory, encoding: 'utf8', env: { ...process.env, ...AUTHOR }, maxBuffer: 2 ** 26 } as const;
  return execFileSync('git', args, { ...options, ...(input !== undefined && { input }) }).trim();
}
