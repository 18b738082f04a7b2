import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Text is handed on in pieces of this size. */
const PIECE = 1_048_576;

/** Runs git in a directory, free of the user's own configuration; returns what it printed. */
export function git(directory, ...args) {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('git', args, { cwd: directory, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Makes a repository of what a generator says in the language of `git fast-import`; nothing is checked out. */
export async function importRepository(directory, commands) {
  git('/', 'init', '--quiet', '--initial-branch=main', directory);
  const child = spawn('git', ['fast-import', '--quiet'], { cwd: directory, stdio: ['pipe', 'inherit', 'inherit'] });
  const closed = once(child, 'close');
  await pipeline(Readable.from(pieces(commands)), child.stdin);
  const [code] = await closed;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/**
 * A commit for `git fast-import`, a minute after the one before it. `files` are names and contents; what `from` and `merged` name
 * are marks, and without `from` it is the child of the branch's last one.
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

/** Seconds since 1970, in 1986: commits a minute apart, a million of them, are all in the past. */
const FIRST_SECOND = 500_000_000;

/** Everything is ASCII: as many bytes as characters. */
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
