import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { Roots } from '@org/mcp-roots';
import { connect } from '@org/mcp-testing';

import { table } from '../measuring/table.mjs';
import { openArena } from './arena.mjs';
import { naiveAttempts } from './naive-attempts.mjs';
import { INTERNAL, race } from './race.mjs';
import { rootsAttempts } from './roots-attempts.mjs';
import { serverAttempts } from './server-attempts.mjs';

/** Attempts without a bar of leaks are made less often, because an approximate rate is enough. */
const SHARE_WITHOUT_BAR = 0.1;

/**
 * Runs every operation while another process exchanges two paths as fast as possible. The paths are a directory or a file and a
 * link to outside, or the root and a directory outside.
 * @param attempts minimum number of attempts per operation
 */
export async function races({ attempts }) {
  const few = Math.ceil(attempts * SHARE_WITHOUT_BAR);
  const rows = [
    ...(await raced('naive', ({ root }) => ({ table: naiveAttempts(root) }), few)),
    ...(await raced('rechecked', rootsHeldAs('rechecked'), few)),
    ...(await raced('pinned', rootsHeldAs('pinned'), attempts)),
    ...(await raced('server', joinedClient, attempts)),
  ];
  return {
    title: 'Paths that are exchanged with links to outside, again and again, while they are used: leaks',
    body: table(['', '', 'attempts', 'exchanges', 'leaks', '%', 'allowed', 'refused as'], rows.map(cellsOf)),
    bars: [barOfNaive(rows), ...['pinned', 'server'].map((how) => barOfLeaks(rows, how)), barOfRaces(rows), barOfErrors(rows)],
  };
}

/** Makes all attempts of a subject in one arena of its own. */
async function raced(how, open, least) {
  const rows = [];
  const arena = openArena();
  const { table: attempts, opened } = await open(arena);
  try {
    for (const [what, attempt] of Object.entries(attempts)) rows.push({ how, what, ...(await race(attempt, arena, least)) });
  } finally {
    await opened?.[Symbol.asyncDispose]();
    arena.remove();
  }
  return rows;
}

function rootsHeldAs(guarantee) {
  return async ({ root }) => {
    const opened = await Roots.open([root], { guarantee });
    return { table: rootsAttempts(opened), opened };
  };
}

async function joinedClient({ root }) {
  const options = Object.assign(new FilesystemOptions(), { directories: [root] });
  const opened = await connect(new FilesystemServer(options));
  return { table: serverAttempts(opened, root), opened };
}

function cellsOf({ how, what, attempts, exchanges, leaks, outcomes }) {
  const { allowed = 0, ...refused } = outcomes;
  const codes = Object.entries(refused).map(([code, times]) => `${code} ${times}`);
  const share = ((100 * leaks) / attempts).toFixed(1);
  return [how, what, ...[attempts, exchanges, leaks].map(String), share, String(allowed), codes.join(', ')];
}

function barOfNaive(rows) {
  const leaks = rows.filter(({ how }) => how === 'naive').map((row) => row.leaks);
  return { text: `the usual naive code leaks, each way: ${leaks.join(' and ')}`, met: leaks.every((each) => each > 0) };
}

function barOfLeaks(rows, how) {
  const own = rows.filter((row) => row.how === how);
  const [leaks, attempts] = ['leaks', 'attempts'].map((name) => own.reduce((total, row) => total + row[name], 0));
  return { text: `${how}: nothing leaks in ${attempts} attempts: ${leaks}`, met: leaks === 0 };
}

function barOfRaces(rows) {
  const calm = rows.filter(({ wasRaced }) => !wasRaced).map(({ how, what }) => `${how} ${what}`);
  return {
    text: `for each operation, exchanges disturbed some attempts and not others: ${calm.join(', ') || 'all'}`,
    met: calm.length === 0,
  };
}

function barOfErrors(rows) {
  const unforeseen = rows.filter(({ outcomes }) => outcomes[INTERNAL] > 0).map(({ how, what }) => `${how} ${what}`);
  return {
    text: `every error has a code of a ToolError: ${unforeseen.join(', ') || 'all'}`,
    met: unforeseen.length === 0,
  };
}
