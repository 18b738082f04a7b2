import { inputRequired, ProtocolError, type InputRequiredResult, type ServerContext } from '@modelcontextprotocol/server';

import type { Connection } from './connection.ts';
import { Deadline } from './limits/deadline.ts';
import { ASKED, outcomeOfError, outcomeOfResult, PROTOCOL_ERROR, type ObservedCall } from './observer.ts';
import { Progress } from './progress.ts';
import { askSession } from './questions/ask-session.ts';
import { fingerprint, NO_STATE, resumeCall, type CallIdentity } from './questions/call-state.ts';
import { Questions } from './questions/questions.ts';
import { contextOf, type ContextParts, type RequestContext } from './request-context.ts';
import { ownerOf } from './principal.ts';
import { singleUse } from './spent-seals.ts';
import { traced } from './tracing.ts';

/** One call of a method: of a tool, prompt or resource, or of a completion. */
export interface ServedCall<Outcome> extends CallIdentity {
  readonly observed: ObservedCall;
  /** Its own limit, in place of that of all calls. */
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

// Few functions that wait, and no `using`: every call passes here, and each costs a measurable part of it.
async function serve<Outcome>(
  connection: Connection,
  request: ServerContext,
  call: ServedCall<Outcome>,
): Promise<Outcome | InputRequiredResult> {
  const deadline = deadlineOf(connection, request, call);
  const progress = new Progress(request.mcpReq);
  const rootsChanges = connection.knownRoots.changes;
  const end = connection.served.observer?.(call.observed);
  // Before the first round only a state can be refused that the client brought along.
  let outcome = PROTOCOL_ERROR;
  try {
    const begun = beginsAnew(connection, request, call)
      ? firstQuestions(connection, request, call)
      : await resume(connection, request, call);
    if (begun instanceof Refused) {
      outcome = outcomeOfError(call.observed, begun.reason);
      return call.fail(begun.reason);
    }
    let questions = begun;
    for (;;) {
      const round = await runRound(call, { connection, request, name: call.name, progress, questions, deadline, rootsChanges });
      outcome = round.outcome;
      if (round.left === undefined) return round.settle();
      if (connection.era === 'modern') return await askByResult(connection, request, { call, questions: round.left });
      questions = await askedInSession(round.left, request, deadline);
    }
  } finally {
    end?.(request.mcpReq.signal.aborted ? 'cancelled' : outcome);
    progress.end();
    deadline?.[Symbol.dispose]();
  }
}

/** What came of a round: questions that have to be answered first, or its result, which a failure throws. */
type Round<Outcome> = { readonly outcome: string } & (
  | { readonly left: Questions }
  | { readonly left?: undefined; readonly settle: () => Outcome }
);

async function runRound<Outcome>(call: ServedCall<Outcome>, parts: ContextParts): Promise<Round<Outcome>> {
  const { deadline, questions } = parts;
  try {
    const running = call.run(contextOf(parts));
    const result = await (deadline === undefined ? running : deadline.race(running));
    if (questions?.suspension !== undefined) return { left: questions, outcome: ASKED };
    refuseUnawaited(questions);
    return { settle: () => result, outcome: outcomeOfResult(result) };
  } catch (error) {
    // A method that neither leaves nor ends must not have its client asked when its time is over.
    const isOver = questions?.suspension === undefined || deadline?.signal.aborted === true;
    return isOver
      ? { settle: () => call.fail(error), outcome: outcomeOfError(call.observed, error) }
      : { left: questions, outcome: ASKED };
  }
}

/** In a session, a single request runs all rounds of its call. */
function beginsAnew({ era }: Connection, { mcpReq }: ServerContext, { method }: CallIdentity): boolean {
  return era === 'legacy' || method === 'completion/complete' || mcpReq.requestState() === undefined;
}

/** On 2026-07-28 a completion cannot request input from the client. */
function firstQuestions({ era }: Connection, { mcpReq }: ServerContext, { method }: CallIdentity): Questions | undefined {
  if (era === 'legacy') return new Questions(NO_STATE);
  return method === 'completion/complete' ? undefined : new Questions(NO_STATE, mcpReq.inputResponses);
}

/** A call that does not run again, because its state was used before or made by another process. */
class Refused {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Creates the questions of a later round. @throws ProtocolError for a state of another call */
async function resume(
  { served: { spent } }: Connection,
  request: ServerContext,
  call: CallIdentity,
): Promise<Questions | Refused> {
  const { requestState, inputResponses } = request.mcpReq;
  try {
    return new Questions(await resumeCall(requestState(), call, { spent, owner: ownerOf(request) }), inputResponses);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return new Refused(error);
  }
}

async function askedInSession(
  questions: Questions,
  { mcpReq }: ServerContext,
  deadline: Deadline | undefined,
): Promise<Questions> {
  const asking = askSession(questions.waiting, mcpReq);
  return new Questions(questions.state, await (deadline === undefined ? asking : deadline.pauseFor(asking)));
}

/** Its result was made without the answer that it asked for. */
function refuseUnawaited(questions: Questions | undefined): void {
  const key = questions?.unanswered;
  if (key !== undefined) throw new TypeError(`the method returned before the answer to "${key}" was there; await it`);
}

async function askByResult(
  { served }: Connection,
  request: ServerContext,
  { call, questions: { waiting, state } }: { readonly call: ServedCall<unknown>; readonly questions: Questions },
): Promise<InputRequiredResult> {
  const requests = Object.fromEntries([...waiting].map(([key, each]) => [key, each.request]));
  // Roots alone leave nothing to remember: every call asks for them anew.
  const remember =
    call.counted === true ||
    Object.keys(state.answers).length > 0 ||
    Object.values(requests).some(({ method }) => method !== 'roots/list');
  if (!remember) return inputRequired({ inputRequests: requests });
  const sealed = { ...state, call: fingerprint(call), ...singleUse(served.spent) };
  const requestState = await served.sealing.states.mint(sealed, request);
  return inputRequired({ inputRequests: requests, requestState });
}

function deadlineOf({ served }: Connection, { mcpReq }: ServerContext, call: ServedCall<unknown>): Deadline | undefined {
  const { name, timeoutMs = served.timeoutMs } = call;
  return timeoutMs === undefined ? undefined : new Deadline(mcpReq.signal, timeoutMs, name);
}
