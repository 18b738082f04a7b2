import { startProgram, type RunningProgram } from '@org/mcp-testing';

import { within } from '../support/within.ts';
import type { FuzzReport } from './fuzz-calls.ts';
import type { FuzzedServer } from './fuzzed-servers.ts';
import { hostileMessage } from './hostile-messages.ts';
import { Place } from './place.ts';
import type { Random } from '../support/random.ts';

const ANSWER_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 20_000;

/** Maximum number of hostile messages between two valid requests, which must be answered. */
const BETWEEN = 20;

const VALID = {
  initialize: {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
  },
  discover: {
    method: 'server/discover',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
      },
    },
  },
  ping: { method: 'ping' },
} as const;

/**
 * Writes messages that may break the protocol to the standard input of a server. Every valid request between these messages must
 * be answered exactly once, and the server must end by itself when its input ends.
 */
export async function fuzzBytes(server: FuzzedServer, random: Random, deadline: number): Promise<FuzzReport> {
  await using place = await Place.create(server);
  await using program = startProgram(place.program(server));
  const isModern = random.chance(0.5);
  const problems: string[] = [];
  const ids: string[] = [];
  let sent = 0;
  const since = Date.now();
  const ask = async (request: object): Promise<void> => {
    const id = `valid-${ids.length}`;
    ids.push(id);
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    const answered = program.stdout.next((line) => line.includes(`"id":"${id}"`));
    if ((await within(answered, ANSWER_TIMEOUT_MS)) === undefined) problems.push(`no answer to ${id}, after ${sent} messages`);
  };
  await ask(isModern ? VALID.discover : VALID.initialize);
  do {
    const messages = Array.from({ length: 1 + random.below(BETWEEN) }, () => hostileMessage(random));
    sent += messages.length;
    for (const message of messages) program.stdin.write(Buffer.concat([message, Buffer.from('\n')]));
    await ask(isModern ? VALID.discover : VALID.ping);
    const stall = await place.longestStall(since);
    if (stall > 0)
      problems.push(
        `a stall of ${stall} ms during ${messages.map((message) => message.toString('latin1').slice(0, 300)).join(' | ')}`,
      );
  } while (performance.now() < deadline && problems.length === 0);
  return { sent, problems: [...problems, ...(await findWrongEnd(program, ids)), ...(await place.damage())] };
}

/** Ends the input, and returns what is wrong with the end of the program and with its answers. */
async function findWrongEnd(program: RunningProgram, ids: readonly string[]): Promise<readonly string[]> {
  program.stdin.end();
  const end = await within(program.ended, END_TIMEOUT_MS);
  if (end === undefined) return ['the server does not end after its input'];
  const lines = end.stdout.split('\n').filter(Boolean);
  const answers = new Map<string, number>();
  for (const [, id = ''] of end.stdout.matchAll(/"id":"(valid-\d+)"/g)) answers.set(id, (answers.get(id) ?? 0) + 1);
  const repeated = ids.filter((id) => answers.get(id) !== 1);
  return [
    ...(end.code === 0 ? [] : [`the server ended with code ${end.code}: ${end.stderr.slice(-1000)}`]),
    ...(lines.every(isJson) ? [] : ['the server wrote a line that is not JSON']),
    ...repeated.map((id) => `${id} was not answered exactly once`),
    ...(/ error /.test(end.stderr) ? [`the server logged ${end.stderr.slice(0, 2000)}`] : []),
  ];
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
