import { connectProcess, ERAS, type Session } from '@org/mcp-testing';

import type { Schema } from '../../stalls/string-places.ts';
import type { FuzzedServer } from './fuzzed-servers.ts';
import { hostileText, hostileValue } from './hostile-values.ts';
import { Place } from './place.ts';
import type { Random } from '../support/random.ts';

/** Time in milliseconds after which a request without an answer is a failure. The tools of the servers have shorter timeouts. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Maximum number of requests at a time. */
const AT_ONCE = 4;

/** Number of messages or requests of a run, and descriptions of the problems that were found. */
export interface FuzzReport {
  readonly sent: number;
  readonly problems: readonly string[];
}

interface Sent {
  readonly name: string;
  readonly send: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Calls tools with hostile arguments, gets prompts, reads resources and completes arguments, several at a time, some of which are
 * cancelled. Every request that is not cancelled must be answered without an internal error. No request may stall the event loop.
 */
export async function fuzzCalls(server: FuzzedServer, random: Random, deadline: number): Promise<FuzzReport> {
  await using place = await Place.create(server);
  const era = random.pick(ERAS);
  const answers = { elicitation: random.pick([{ confirm: true }, { confirm: false }]) };
  await using session = await connectProcess(place.program(server), { era, answers });
  const create = await createRequests(session, server, random);
  const problems: string[] = [];
  let sent = 0;
  do {
    const since = Date.now();
    const requests = Array.from({ length: 1 + random.below(AT_ONCE) }, create);
    const signals = requests.map(() =>
      random.chance(0.1) ? AbortSignal.timeout(random.below(60)) : new AbortController().signal,
    );
    sent += requests.length;
    const found = await Promise.all(requests.map((request, index) => findProblem(request, signals[index] as AbortSignal)));
    const stall = await place.longestStall(since);
    problems.push(...found.filter((problem) => problem !== undefined));
    if (stall > 0) problems.push(`a stall of ${stall} ms during ${requests.map(({ name }) => name).join(' | ')}`);
  } while (performance.now() < deadline && problems.length === 0);
  await session.client.listTools().catch((error: unknown) => problems.push(`the server does not answer: ${String(error)}`));
  return { sent, problems: [...problems, ...(await place.damage())] };
}

async function createRequests({ client }: Session, { usual }: FuzzedServer, random: Random): Promise<() => Sent> {
  const [{ tools }, { prompts }, { resourceTemplates }] = await Promise.all([
    client.listTools(),
    client.listPrompts(),
    client.listResourceTemplates(),
  ]);
  const callTool = (): Sent => {
    const { name, inputSchema } = random.pick(tools);
    const value = hostileValue(inputSchema as Schema, usual, random);
    const args = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
    return { name: `${name} ${shorten(args)}`, send: (signal) => client.callTool({ name, arguments: args }, options(signal)) };
  };
  const getPrompt = (): Sent => {
    const { name, arguments: declared = [] } = random.pick(prompts);
    const args = Object.fromEntries(declared.map((argument) => [argument.name, hostileText(random)]));
    return {
      name: `prompt ${name} ${shorten(args)}`,
      send: (signal) => client.getPrompt({ name, arguments: args }, options(signal)),
    };
  };
  const readResource = (): Sent => {
    const { uriTemplate } = random.pick(resourceTemplates);
    const uri = uriTemplate.replaceAll(/\{[^{}]*\}/g, () => encodeURIComponent(Buffer.from(hostileText(random)).toString()));
    return { name: `resource ${uri}`, send: (signal) => client.readResource({ uri }, options(signal)) };
  };
  const complete = (): Sent => {
    const { uriTemplate } = random.pick(resourceTemplates);
    const [, variable = 'x'] = /\{[+?]?(\w+)/.exec(uriTemplate) ?? [];
    const params = {
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: { name: variable, value: hostileText(random) },
    } as const;
    return { name: `completion ${shorten(params)}`, send: (signal) => client.complete(params, options(signal)) };
  };
  return () => random.pick([callTool, callTool, callTool, callTool, callTool, callTool, getPrompt, readResource, complete])();
}

function options(signal: AbortSignal): { readonly signal: AbortSignal; readonly timeout: number } {
  return { signal, timeout: ANSWER_TIMEOUT_MS };
}

function shorten(value: unknown): string {
  return JSON.stringify(value).slice(0, 2000);
}

/**
 * Returns why the answer to a request is wrong. Returns `undefined` if the answer is a result, an error that is not internal, or
 * an error of a cancelled request.
 */
async function findProblem({ name, send }: Sent, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = JSON.stringify(await send(signal));
    return answer.includes('"text":"INTERNAL:') ? `INTERNAL after ${name}` : undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    // A `ProtocolError` contains an error that the server has answered. Any other error means that there was no answer, or an
    // invalid one.
    const isAnswer = error instanceof Error && error.name === 'ProtocolError' && !error.message.startsWith('INTERNAL');
    return isAnswer ? undefined : `${String(error)} after ${name}`;
  }
}
