import { appendFile, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { FUZZED_SERVERS, type FuzzedServer } from '../fuzz/fuzzed-servers.ts';
import type { Random } from '../support/random.ts';

/** The name of a tool, and the arguments of a call. */
type SoakCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** A server with its calls, and with disturbances from outside. */
export interface SoakedServer extends FuzzedServer {
  readonly calls: (random: Random) => SoakCall;
  /** A call that takes long enough to be cancelled. */
  readonly slow: SoakCall;
  /** URI of a resource that changes with each `disturb`; absent if the server publishes no updates. */
  readonly watched?: (directory: string) => string | undefined;
  /** Changes files in the directory, or kills a process of the database. */
  readonly disturb: (directory: string, pid: number) => Promise<void>;
  /** Codes of errors that a disturbance may cause. */
  readonly tolerated: RegExp;
}

function find(name: string): FuzzedServer {
  const found = FUZZED_SERVERS.find((server) => server.name === name);
  if (found === undefined) throw new Error(`${name} is unknown`);
  return found;
}

/** Number of files in a burst of changes. */
const BURST = 50;

/** Creates many files, appends to another file, and removes the created files. */
async function burst(directory: string): Promise<void> {
  const files = Array.from({ length: BURST }, (_, number) => path.join(directory, `burst-${number}.txt`));
  await Promise.all(files.map((file) => writeFile(file, 'x')));
  await appendFile(path.join(directory, 'sub/b.md'), 'line\n');
  await Promise.all(files.map((file) => unlink(file)));
}

/** Kills a process of PostgreSQL that serves a connection, as a crash does. PostgreSQL then ends all connections and recovers. */
async function crashDatabase(pid: number): Promise<void> {
  for (const child of await listDescendants(pid)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (/^postgres: .*mcp_ro/.test(command) && kill(child)) return;
  }
}

/** Kills a process. Returns whether the process still existed. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Lists all descendants of a process. */
export async function listDescendants(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')));
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  return [...children, ...(await Promise.all(children.map(listDescendants))).flat()];
}

export const SOAKED_SERVERS: readonly SoakedServer[] = [
  {
    ...find('fs'),
    calls: (random) =>
      random.pick<SoakCall>([
        ['read_text_file', { path: 'a.txt' }],
        ['list_directory', { path: '.' }],
        ['search_content', { path: '.', pattern: 'Title' }],
        ['search_files', { path: '.', pattern: '**/*.md' }],
        ['write_file', { path: `own-${random.below(20)}.txt`, content: 'text\n'.repeat(random.below(200)) }],
        ['append_file', { path: 'sub/deep/c.bin', content: 'line\n' }],
        ['get_file_info', { path: 'sub/deep/c.bin' }],
        ['list_changes', {}],
      ]),
    slow: ['search_content', { path: '.', pattern: '(x+x+)+y', regex: true }],
    watched: (directory) => `file://${directory}/root/sub/b.md`,
    disturb: (directory) => burst(path.join(directory, 'root')),
    tolerated: /NOT_FOUND|CONFLICT|OVERLOADED|TIMEOUT/,
  },
  {
    ...find('git'),
    calls: (random) =>
      random.pick<SoakCall>([
        ['git_status', {}],
        ['git_log', {}],
        ['git_diff_unstaged', {}],
        ['git_show', { revision: 'HEAD' }],
        ['git_blame', { path: 'a.txt' }],
        ['git_add', { files: ['a.txt'] }],
        ['git_commit', { message: 'Soak', allow_empty: true }],
        ['git_branch', { branch_type: 'all' }],
      ]),
    slow: ['git_log', { pickaxe: 'three' }],
    disturb: (directory) => burst(path.join(directory, 'root')),
    tolerated: /LOCKED|CONFLICT|NOTHING_TO_COMMIT/,
  },
  {
    ...find('sql'),
    calls: (random) =>
      random.pick<SoakCall>([
        ['query', { sql: 'select * from shop.orders limit 20' }],
        ['query', { sql: 'select count(*) from shop.orders' }],
        ['explain', { sql: 'select * from shop.orders where id = 5' }],
        ['list_databases', {}],
        ['search_objects', { pattern: 'orders' }],
        ['query', { sql: 'select generate_series(1, 5000)' }],
      ]),
    slow: ['query', { sql: 'select pg_sleep(1)' }],
    disturb: (_, pid) => crashDatabase(pid),
    tolerated: /CONNECTION|CANCELLED|QUERY_FAILED|OVERLOADED/,
  },
];
