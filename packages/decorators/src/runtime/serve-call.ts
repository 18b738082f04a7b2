import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';

import type { Connection } from './connection.ts';
import { Deadline } from './limits/deadline.ts';
import { Progress } from './progress.ts';
import { callStateOf, fingerprint, type CallIdentity } from './questions/call-state.ts';
import type { Questions } from './questions/question.ts';
import { RoundTrips } from './questions/round-trips.ts';
import { SessionQuestions } from './questions/session-questions.ts';
import { contextOf, type RequestContext } from './request-context.ts';
import { traced } from './tracing.ts';

/** One call of a tool, prompt or resource. */
export interface ServedCall<Outcome> extends CallIdentity {
  readonly timeoutMs?: number | undefined;
  run(context: RequestContext): Promise<Outcome>;
  /** The outcome of a call that failed, or a throw of the error it is answered with. */
  fail(error: unknown): Outcome;
}

/**
 * Runs a call with a context of its own; what it reported last is sent before its result. A call that has to wait for the
 * client's answer is left, and whatever it returns or throws after that does not count.
 */
export function serveCall<Outcome>(
  connection: Connection,
  request: ServerContext,
  call: ServedCall<Outcome>,
): Promise<Outcome | InputRequiredResult> {
  return traced(request, call, async () => {
    const questions = questionsOf(connection, request, call);
    using deadline = deadlineOf(request, call);
    const progress = new Progress(request.mcpReq);
    const context = contextOf({ connection, request, progress, questions, deadline });
    try {
      const running = call.run(context);
      const outcome = await (deadline === undefined ? running : deadline.race(running));
      return (await questions.leave()) ?? outcome;
    } catch (error) {
      return (await questions.leave()) ?? call.fail(error);
    } finally {
      progress.end();
    }
  });
}

function questionsOf(
  { era, server, served }: Connection,
  request: ServerContext,
  call: CallIdentity,
): Questions {
  const { mcpReq } = request;
  if (era === 'legacy') return new SessionQuestions(server, mcpReq);
  return new RoundTrips({
    state: callStateOf(mcpReq.requestState(), call),
    responses: mcpReq.inputResponses,
    seal: (state) => served.sealing.states.mint({ ...state, call: fingerprint(call) }, request),
  });
}

function deadlineOf({ mcpReq }: ServerContext, { timeoutMs, name }: ServedCall<unknown>): Deadline | undefined {
  return timeoutMs === undefined ? undefined : new Deadline(mcpReq.signal, timeoutMs, name);
}
