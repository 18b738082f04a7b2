import { randomUUID } from 'node:crypto';

import { inputRequired, type InputRequiredResult, type ServerContext } from '@modelcontextprotocol/server';

import type { Connection } from './connection.ts';
import { Deadline } from './limits/deadline.ts';
import { Progress } from './progress.ts';
import { askSession } from './questions/ask-session.ts';
import { callStateOf, fingerprint, NO_STATE, type CallIdentity } from './questions/call-state.ts';
import { Questions } from './questions/questions.ts';
import { contextOf, type ContextParts, type RequestContext } from './request-context.ts';
import { traced } from './tracing.ts';

/** One call of a tool, prompt or resource. */
export interface ServedCall<Outcome> extends CallIdentity {
  readonly timeoutMs?: number | undefined;
  /** Its later rounds are told from new calls, whatever they ask for. */
  readonly counted?: boolean;
  run(context: RequestContext): Promise<Outcome>;
  /** The outcome of a call that failed, or a throw of the error it is answered with. */
  fail(error: unknown): Outcome;
}

/**
 * Runs a call with a context of its own; what it reported last is sent before its result. A call that has to wait for the
 * client's answer is left, and whatever it returns or throws after that does not count: a session's client is asked at once
 * and the call runs again, on 2026-07-28 the client finds out and calls again.
 */
export function serveCall<Outcome>(
  connection: Connection,
  request: ServerContext,
  call: ServedCall<Outcome>,
): Promise<Outcome | InputRequiredResult> {
  return traced(request, call, () => serve(connection, request, call));
}

async function serve<Outcome>(
  connection: Connection,
  request: ServerContext,
  call: ServedCall<Outcome>,
): Promise<Outcome | InputRequiredResult> {
  const { mcpReq } = request;
  const { timeoutMs, name } = call;
  const deadline = timeoutMs === undefined ? undefined : new Deadline(mcpReq.signal, timeoutMs, name);
  const progress = new Progress(mcpReq);
  const parts = { connection, request, progress, deadline, rootsChanges: connection.knownRoots.changes };
  // By hand, because `using` is costly where it is lowered, and every call passes here.
  try {
    if (connection.era === 'legacy') return await serveSession(call, parts);
    const questions = new Questions(callStateOf(mcpReq.requestState(), call), mcpReq.inputResponses);
    const outcome = await runRound(call, { ...parts, questions });
    return outcome.left ? await askByResult(connection, request, { call, questions }) : outcome.value;
  } finally {
    progress.end();
    deadline?.[Symbol.dispose]();
  }
}

/** Runs a call in a session, as often as it has something to ask first. */
export async function serveSession<Outcome>(call: ServedCall<Outcome>, parts: Omit<ContextParts, 'questions'>): Promise<Outcome> {
  const { deadline, request } = parts;
  let questions = new Questions(NO_STATE);
  for (;;) {
    const outcome = await runRound(call, { ...parts, questions });
    if (!outcome.left) return outcome.value;
    const asking = askSession(questions.requests, request.mcpReq);
    questions = new Questions(questions.state, await (deadline === undefined ? asking : deadline.pauseFor(asking)));
  }
}

type Round<Outcome> = { readonly left: true } | { readonly left: false; readonly value: Outcome };

async function runRound<Outcome>(
  call: ServedCall<Outcome>,
  parts: ContextParts & { readonly questions: Questions },
): Promise<Round<Outcome>> {
  const { deadline, questions } = parts;
  try {
    const running = call.run(contextOf(parts));
    const value = await (deadline === undefined ? running : deadline.race(running));
    return questions.suspension === undefined ? { left: false, value } : { left: true };
  } catch (error) {
    // A method that neither leaves nor ends must not have its client asked when its time is over.
    const isOver = questions.suspension === undefined || deadline?.signal.aborted === true;
    return isOver ? { left: false, value: call.fail(error) } : { left: true };
  }
}

async function askByResult(
  { served }: Connection,
  request: ServerContext,
  { call, questions: { requests, state } }: { readonly call: ServedCall<unknown>; readonly questions: Questions },
): Promise<InputRequiredResult> {
  // Roots alone leave nothing to remember: every call asks for them anew.
  const remember =
    call.counted === true ||
    Object.keys(state.answers).length > 0 ||
    Object.values(requests).some(({ method }) => method !== 'roots/list');
  if (!remember) return inputRequired({ inputRequests: requests });
  const requestState = await served.sealing.states.mint({ ...state, call: fingerprint(call), round: randomUUID() }, request);
  return inputRequired({ inputRequests: requests, requestState });
}
