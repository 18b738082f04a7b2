import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess, type Session, type SessionOptions } from '@org/mcp-testing';

import { program, run } from '../support/attacker.ts';
import type { Arguments, Question } from './questions.ts';

/** Starts mcp-git on a repository with branches, changes of every kind and a remote. */
export async function startGit(directory: string, options: SessionOptions, origin: string): Promise<Session> {
  const top = topIn(directory);
  await mkdir(top, { recursive: true });
  run(top, 'init', '--quiet', '--initial-branch=main');
  for (const [key, value] of Object.entries({ 'user.name': 'Ann', 'user.email': 'ann@example.com', 'test.origin': origin }))
    run(top, 'config', key, value);
  await commit(top, 'Begin', { 'a.txt': 'one\n' });
  await branch(top, 'other', { Other: { 'b.txt': 'b\n' } });
  await branch(top, 'topic', { Topic: { 'a.txt': 'topic\n' }, More: { 'c.txt': 'c\n' } });
  await commit(top, 'Main', { 'a.txt': 'main\n' });
  await branch(top, 'ahead', { Ahead: { 'd.txt': 'd\n' } });
  run(top, 'clone', '--quiet', '--bare', '.', path.join(directory, 'host', 'project.git'));
  run(path.join(directory, 'host', 'project.git'), 'config', 'http.receivepack', 'true');
  run(top, 'tag', '-m', 'Tag', 'v0', 'HEAD~1');
  const long = 'a line\n'.repeat(4000);
  const files = {
    'data.json': '[1, 2]\n',
    'empty.txt': '',
    'long.txt': long,
    'binary.bin': 'x\0',
    '.gitignore': 'ignored.txt\n',
  };
  await commit(top, 'Add files', files);
  await write(top, { 'ignored.txt': 'x', 'staged.txt': 'staged\n' });
  run(top, 'add', 'staged.txt');
  await write(top, { 'a.txt': 'changed\n', 'new.txt': 'new\n' });
  const served = path.dirname(top);
  return connectProcess(program('git', '--tools', 'all', '--structured', 'always', '--remote-hosts', origin, served), options);
}

const PATCH = 'diff --git a/added.txt b/added.txt\nnew file mode 100644\n--- /dev/null\n+++ b/added.txt\n@@ -0,0 +1 @@\n+added\n';

const READING: readonly Question[] = [
  { tool: 'git_list_repositories', facts: [/roots\/project/, /main/] },
  { tool: 'git_status', facts: [/main/, /staged\.txt/, /new\.txt/, /a\.txt/, /added/, /untracked/, /modified/] },
  { tool: 'git_log', facts: [/Add files/, /Ann/, /ann@example\.com/] },
  { tool: 'git_log', args: { max_count: 1 }, facts: [/Add files/, /cursor/] },
  { tool: 'git_log', args: { stats: true, max_count: 1 }, facts: [/Add files/, /4002/] },
  { tool: 'git_log', args: { revision: 'main', grep: 'no such words' }, facts: [/No commits|"commits":\[\]/] },
  { tool: 'git_show', args: { revision: 'HEAD~1' }, facts: [/Author: Ann/, /\+main/] },
  { tool: 'git_show', args: { revision: 'v0' }, facts: [/tag v0/, /Begin/] },
  { tool: 'git_show', args: { revision: 'HEAD', path: 'data.json' }, facts: [/data\.json, [0-9a-f]{12}, 7 bytes/, /\[1, 2\]/] },
  { tool: 'git_show', args: { revision: 'HEAD', path: 'empty.txt' }, facts: [/empty/] },
  { tool: 'git_show', args: { revision: 'HEAD', path: 'binary.bin' }, facts: [/[Bb]inary, 2 bytes/, /git:\/\//] },
  { tool: 'git_show', args: { revision: 'HEAD', path: 'long.txt' }, facts: [/a line/, /continue with cursor \w+/] },
  { tool: 'git_show', args: { revision: 'HEAD', path: '.' }, facts: [/long\.txt 28000 bytes/] },
  { tool: 'git_diff', args: { target: 'HEAD~1' }, facts: [/ignored/, /Not shown: added long\.txt/, /Continue with cursor \w+/] },
  { tool: 'git_diff', args: { target: 'HEAD~1', paths: ['long.txt'] }, facts: [/a line/, /Continue with cursor \w+/] },
  { tool: 'git_diff', args: { target: 'HEAD~1', mode: 'stat' }, facts: [/long\.txt \+4000/, /7 files/] },
  { tool: 'git_diff_unstaged', facts: [/\+changed/] },
  { tool: 'git_diff_staged', facts: [/\+staged/] },
  { tool: 'git_blame', args: { path: 'a.txt', revision: 'HEAD' }, facts: [/Ann/, /main/, /Main/] },
  { tool: 'git_branch', facts: [/topic/, /main/] },
  { tool: 'git_branch', args: { branch_type: 'all', contains: 'topic' }, facts: [/topic/] },
  { tool: 'git_grep', args: { pattern: 'line', limit: 2 }, facts: [/long\.txt/, /a line/, /cursor/] },
  { tool: 'git_grep', args: { pattern: 'no such words' }, facts: [/No lines|"files":\[\]/] },
  { tool: 'git_reflog', facts: [/HEAD@\{0\}/, /Add files/] },
  { tool: 'git_graph', facts: [/HEAD -> main/, /topic/] },
  { tool: 'git_line_history', args: { path: 'a.txt', start_line: 1, end_line: 1 }, facts: [/\+main/, /Begin/] },
  { tool: 'git_shortlog', facts: [/Ann/, /ann@example\.com/] },
  { tool: 'git_hunks', facts: [/a\.txt/, /\+changed/] },
  { tool: 'git_stage_hunks', args: hunksOf('a.txt', false), facts: [/a\.txt/, /\b1\b/] },
  { tool: 'git_unstage_hunks', args: hunksOf('a.txt', true), facts: [/a\.txt/, /\b1\b/] },
  { tool: 'git_discard_hunks', args: discardedHunksOf('a.txt'), facts: [/a\.txt/, /\+1 -\d/] },
  { tool: 'git_format_patch', args: { revisions: 'topic~1..topic' }, facts: [/\+c/, /Subject: .*More/] },
  { tool: 'git_apply', args: { patch: PATCH, check: true }, facts: [/added\.txt/, /\b1\b/] },
  { tool: 'git_ls_files', facts: [/a\.txt/, /data\.json/] },
  { tool: 'git_ls_files', args: { limit: 1 }, facts: [/cursor/] },
  { tool: 'git_cat_file', args: { object: 'HEAD:data.json' }, facts: [/blob [0-9a-f]{12}/, /\[1, 2\]/] },
  { tool: 'git_cat_file', args: { object: 'HEAD:empty.txt' }, facts: [/empty/] },
  { tool: 'git_cat_file', args: { object: 'HEAD:long.txt' }, facts: [/a line/, /continue with offset \d+/] },
  { tool: 'git_rev_parse', args: { revision: 'v0' }, facts: [/tag/, /refs\/tags\/v0/] },
  { tool: 'git_compare', args: { base: 'topic' }, facts: [/Main/, /More/, /2/] },
];

const CHANGING: readonly Question[] = [
  { tool: 'git_stash_push', args: { untracked: true, message: 'Aside' }, facts: [/Aside|stash@\{0\}/] },
  { tool: 'git_stash_list', facts: [/[0-9a-f]{12}/, /Aside/] },
  { tool: 'git_stash_apply', args: { index: true }, facts: [/[0-9a-f]{12}/, /Aside/] },
  { tool: 'git_stash_drop', args: { dry_run: true }, facts: [/Aside/, /[Nn]othing was|dry_run/] },
  { tool: 'git_stash_drop', facts: [/Aside/, /[0-9a-f]{12}/, /git_stash_push/] },
  { tool: 'git_add', args: { files: ['a.txt', 'ignored.txt'] }, facts: [/a\.txt/, /ignored/] },
  { tool: 'git_commit', args: { message: 'Change' }, facts: [/Change/, /main/, /2/] },
  { tool: 'git_commit', args: { message: 'Changed', amend: true }, facts: [/Changed/, /main/, /git_reset/] },
  { tool: 'git_mv', args: { source: 'staged.txt', destination: 'moved.txt' }, facts: [/moved\.txt/] },
  { tool: 'git_rm', args: { paths: ['data.json'] }, facts: [/data\.json/] },
  { tool: 'git_reset', args: { paths: ['data.json'] }, facts: [/data\.json/] },
  { tool: 'git_restore', args: { paths: ['data.json'] }, facts: [/data\.json/] },
  { tool: 'git_clean', args: { ignored: true, dry_run: true }, facts: [/ignored\.txt/, /new\.txt/] },
  { tool: 'git_clean', args: { ignored: true }, facts: [/ignored\.txt/, /new\.txt/] },
  { tool: 'git_reset', args: { mode: 'hard', target: 'HEAD', dry_run: true }, facts: [/moved\.txt/] },
  { tool: 'git_reset', args: { mode: 'hard', target: 'HEAD~1' }, facts: [/moved\.txt|[0-9a-f]{12}/] },
  { tool: 'git_create_branch', args: { branch_name: 'made' }, facts: [/made/, /[0-9a-f]{12}/] },
  { tool: 'git_checkout', args: { branch_name: 'made' }, facts: [/made/, /[0-9a-f]{12}/] },
  { tool: 'git_rename_branch', args: { branch_name: 'made', new_name: 'renamed' }, facts: [/made/, /renamed/] },
  { tool: 'git_checkout', args: { branch_name: 'main' }, facts: [/main/] },
  { tool: 'git_delete_branch', args: { branch_name: 'renamed' }, facts: [/renamed/, /[0-9a-f]{12}/] },
  { tool: 'git_tag_create', args: { name: 'v1', message: 'One' }, facts: [/v1/, /[0-9a-f]{12}/] },
  { tool: 'git_tag_list', facts: [/v0/, /v1/, /Tag/, /[0-9a-f]{12}/] },
  { tool: 'git_verify_commits', facts: [/none/, /[0-9a-f]{12}/] },
  { tool: 'git_notes', args: { action: 'add', message: 'Checked' }, facts: [/[0-9a-f]{12}/, /git_notes/] },
  { tool: 'git_notes', args: { action: 'show' }, facts: [/Checked/, /[0-9a-f]{12}/] },
  { tool: 'git_tag_verify', args: { name: 'v1' }, facts: [/v1|signature|unsigned/] },
  { tool: 'git_tag_delete', args: { name: 'v1' }, facts: [/v1/, /[0-9a-f]{12}/] },
];

const JOINING: readonly Question[] = [
  { tool: 'git_conflicts', facts: [/No conflicts|"total":0/] },
  { tool: 'git_bisect', args: { action: 'start', bad: 'topic', good: ['topic~2'] }, facts: [/[0-9a-f]{12}/, /Topic/] },
  { tool: 'git_bisect', args: { action: 'status' }, facts: [/[0-9a-f]{12}/, /Topic/] },
  { tool: 'git_bisect', args: { action: 'reset' }, facts: [/main|ended|none/] },
  { tool: 'git_edit_history', args: { base: 'HEAD~1', autosquash: true, dry_run: true }, facts: [/[0-9a-f]{12}/] },
  { tool: 'git_merge', args: { revision: 'other', ff: 'never' }, facts: [/[Mm]erged/, /main/, /[0-9a-f]{12}/] },
  { tool: 'git_merge', args: { revision: 'topic' }, facts: [] },
  { tool: 'git_conflicts', facts: [/merge/, /a\.txt/, /both modified/, /git_continue/, /git_abort/] },
  { tool: 'git_abort', facts: [/[Aa]borted/, /main/] },
  { tool: 'git_cherry_pick', args: { revisions: ['topic~1', 'topic'] }, facts: [] },
  { tool: 'git_continue', args: resolve, facts: [/[Ff]inished/, /main/, /[0-9a-f]{12}/] },
  { tool: 'git_cherry_pick', args: { revisions: ['ahead'] }, facts: [/[Pp]icked/, /main/] },
  { tool: 'git_revert', args: { revisions: ['HEAD'] }, facts: [/[Rr]everted/, /main/] },
  { tool: 'git_checkout', args: { branch_name: 'topic' }, facts: [/topic/] },
  { tool: 'git_rebase', args: { upstream: 'ahead' }, facts: [] },
  { tool: 'git_skip', facts: [/[Ff]inished|progress/, /topic/] },
  { tool: 'git_rebase', args: { upstream: 'other' }, facts: [/[Rr]ebased/, /topic/] },
  { tool: 'git_checkout', args: { branch_name: 'main' }, facts: [/main/] },
  { tool: 'git_worktree_add', args: { path: 'linked', branch: 'ahead' }, facts: [/linked/, /ahead/, /[0-9a-f]{12}/] },
  { tool: 'git_worktree_list', args: { repo_path: 'project' }, facts: [/linked/, /ahead/, /roots\/project/] },
  { tool: 'git_submodules', args: { repo_path: 'project' }, facts: [/No submodules|"submodules":\[\]/] },
  {
    tool: 'git_sparse_checkout',
    args: { repo_path: 'project', action: 'set', directories: [] },
    facts: [/top|"directories":0/, /disable/],
  },
  { tool: 'git_sparse_checkout', args: { repo_path: 'project', action: 'disable' }, facts: [/All files|"kind":"all"/] },
  { tool: 'git_overlap', args: { repo_path: 'project', paths: ['d.txt'] }, facts: [/ahead|No other|overlaps/, /\d+/] },
  { tool: 'git_worktree_remove', args: { repo_path: 'project', path: 'linked' }, facts: [/linked/] },
  { tool: 'git_worktree_prune', args: { repo_path: 'project' }, facts: [/\b0\b|\[\]/] },
];

const REMOTE: readonly Question[] = [
  { tool: 'git_remote_list', facts: [/No remotes|"remotes":\[\]/] },
  { tool: 'git_remote_add', args: remote('project', { name: 'origin' }), facts: [/origin/, /127\.0\.0\.1/] },
  { tool: 'git_remote_list', facts: [/origin/, /127\.0\.0\.1/] },
  { tool: 'git_fetch', facts: [/new/, /refs\/remotes\/origin\/main/] },
  { tool: 'git_fetch', facts: [/No new commits|"updated":\[\]/, /origin/] },
  { tool: 'git_push', args: { set_upstream: true }, facts: [/main/, /origin/, /[0-9a-f]{12}/] },
  { tool: 'git_pull', facts: [/main/, /origin/] },
  { tool: 'git_remote_set_url', args: remote('elsewhere', { name: 'origin' }), facts: [/origin/, /elsewhere/] },
  { tool: 'git_remote_remove', args: { name: 'origin' }, facts: [/origin/] },
  { tool: 'git_clone', args: remote('project', { path: 'copy' }), facts: [/copy/, /main/, /[0-9a-f]{12}/] },
  { tool: 'git_submodule_update', args: { repo_path: 'project' }, facts: [/No submodules|"submodules":\[\]/] },
  { tool: 'git_init', args: { repo_path: 'fresh' }, facts: [/fresh/, /main/] },
  { tool: 'git_list_repositories', facts: [/copy/, /fresh/] },
];

export const GIT_QUESTIONS: readonly Question[] = [...READING, ...CHANGING, ...JOINING, ...REMOTE];

function topIn(directory: string): string {
  return path.join(directory, 'roots', 'project');
}

type Files = Readonly<Record<string, string>>;

async function write(top: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(top, name), content);
}

async function commit(top: string, message: string, files: Files): Promise<void> {
  await write(top, files);
  run(top, 'add', '--all');
  run(top, 'commit', '--quiet', `--message=${message}`);
}

async function branch(top: string, name: string, commits: Readonly<Record<string, Files>>): Promise<void> {
  run(top, 'checkout', '--quiet', '-b', name);
  for (const [message, files] of Object.entries(commits)) await commit(top, message, files);
  run(top, 'checkout', '--quiet', 'main');
}

async function resolve(_: Session, directory: string): Promise<Arguments> {
  await write(topIn(directory), { 'a.txt': 'both\n' });
  run(topIn(directory), 'add', 'a.txt');
  return {};
}

function hunksOf(file: string, staged: boolean): (session: Session) => Promise<Arguments> {
  return async (session) => {
    const { _meta } = await session.call('git_hunks', { staged, paths: [file] });
    const { hunks } = _meta as { readonly hunks: readonly { readonly id: string }[] };
    return { hunks: hunks.map(({ id }) => id) };
  };
}

function discardedHunksOf(file: string): (session: Session) => Promise<Arguments> {
  return async (session) => ({ ...(await hunksOf(file, false)(session)), dry_run: true });
}

function remote(name: string, args: Arguments): (session: Session, directory: string) => Promise<Arguments> {
  return (_, directory) => {
    const origin = run(topIn(directory), 'config', 'test.origin').trim();
    return Promise.resolve({ ...args, url: `${origin}/${name}.git` });
  };
}
