import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Size in bytes of the chunks that are written to git. */
const PIECE = 1_048_576;

/** Runs git in a directory without the configuration of the user. Returns its output. */
export function git(directory, ...args) {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('git', args, { cwd: directory, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Creates a repository from commands of `git fast-import` that a generator returns; does not check out files. */
export async function importRepository(directory, commands) {
  git('/', 'init', '--quiet', '--initial-branch=main', directory);
  const child = spawn('git', ['fast-import', '--quiet'], { cwd: directory, stdio: ['pipe', 'inherit', 'inherit'] });
  const closed = once(child, 'close');
  await pipeline(Readable.from(pieces(commands)), child.stdin);
  const [code] = await closed;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/**
 * Returns a commit for `git fast-import`, one minute after the previous commit. `files` contains names and contents.
 * `from` and `merged` are marks; without `from`, the parent is the last commit of the branch.
 */
export function commitOf(number, message, files, { branch = 'main', from, merged } = {}) {
  const when = `${FIRST_SECOND + number * 60} +0000`;
  return [
    `commit refs/heads/${branch}\nmark :${number}\n`,
    `author Ann Bench <ann@example.com> ${when}\ncommitter Ann Bench <ann@example.com> ${when}\n`,
    dataOf(message),
    ...(from === undefined ? [] : [`from :${from}\n`]),
    ...(merged === undefined ? [] : [`merge :${merged}\n`]),
    ...Object.entries(files).map(([name, content]) => `M 100644 inline ${name}\n${dataOf(content)}`),
  ].join('');
}

/**
 * Time of the first commit in seconds since 1970 (1985): a million commits, one per minute, are then all in the past.
 */
const FIRST_SECOND = 500_000_000;

/** Returns the command `data` for `git fast-import`. The text is ASCII, so its length is its number of bytes. */
function dataOf(text) {
  return `data ${text.length}\n${text}\n`;
}

function* pieces(commands) {
  let piece = '';
  for (const command of commands) {
    piece += command;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
