import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const FILE = 'src/area-0/part-0.ts';

/**
 * Counts the git processes of each reading tool for a known repository, with a wrapper named `git` that precedes git in
 * the PATH.
 */
export async function processRows({ startOurs, startTheirs }, ground) {
  const counted = mkdtempSync(join(tmpdir(), 'mcp-bench-counted-'));
  try {
    const runs = plantCounter(counted);
    const options = { env: { ...process.env, PATH: `${counted}${delimiter}${process.env.PATH}` } };
    const [ours, theirs] = [await startOurs(options), await startTheirs(options)];
    const rows = [];
    for (const { name, own, other } of await readings(ours, theirs, ground))
      rows.push({ name, own: await runs(own), other: other && (await runs(other)) });
    const more = rows.filter(({ own }) => own > 1).map(({ name, own }) => `${name} ${own}`);
    return {
      heading: 'Processes of git for one call',
      header: ['', 'mcp-git', 'reference'],
      rows: rows.map(({ name, own, other = '' }) => [name, String(own), String(other)]),
      bars: [{ text: `each reading takes one process of git at most: ${more.join(', ') || 'all do'}`, met: more.length === 0 }],
    };
  } finally {
    rmSync(counted, { recursive: true });
  }
}

/**
 * Writes the wrapper into a directory. Returns a function that runs work twice and resolves to the number of processes of
 * the second run.
 */
function plantCounter(directory) {
  const log = join(directory, 'log');
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const counter = join(directory, 'git');
  writeFileSync(counter, `#!/bin/sh\necho "$1" >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(counter, 0o755);
  return async (work) => {
    await work();
    writeFileSync(log, '');
    await work();
    return readFileSync(log, 'utf8').split('\n').length - 1;
  };
}

async function readings(ours, theirs, { history, differences }) {
  const status = await ours.call('git_status', { repo_path: history });
  const uri = `git://${status.result.structuredContent.repository}/blob/main/${FILE}`;
  const reading = (tool, args, theirArgs) => ({
    name: tool,
    own: () => ours.call(tool, args),
    other: theirArgs && (() => theirs.call(theirArgs.tool ?? tool, theirArgs.args)),
  });
  return [
    reading('git_status', { repo_path: history }, { args: { path: history } }),
    reading('git_log', { repo_path: history }, { args: { path: history } }),
    reading('git_branch', { repo_path: history }, { args: { path: history } }),
    reading('git_diff_unstaged', { repo_path: differences }, { tool: 'git_diff', args: { path: differences } }),
    reading('git_diff_staged', { repo_path: differences }, { tool: 'git_diff', args: { path: differences, staged: true } }),
    reading(
      'git_diff',
      { repo_path: history, target: 'HEAD~1..HEAD' },
      { args: { path: history, source: 'HEAD~1', target: 'HEAD' } },
    ),
    reading('git_show', { repo_path: history, revision: 'HEAD' }, { args: { path: history, object: 'HEAD' } }),
    reading('git_blame', { repo_path: history, path: FILE }, { args: { path: history, filePath: FILE } }),
    { name: 'a blob as a resource', own: () => ours.ask('resources/read', { uri }) },
  ];
}
