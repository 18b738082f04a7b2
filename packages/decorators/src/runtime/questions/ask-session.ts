import type { Server, ServerContext } from '@modelcontextprotocol/server';

import { isPlainObject } from '../../schema/json-schema.ts';
import type { Question } from './question.ts';
import type { Waiting } from './questions.ts';
import { Unanswered } from './unanswered.ts';

/** From here on a field of a form may take several choices at once. */
const SEVERAL_CHOICES = '2025-11-25';

/** Asks a session's client by requests of the server's own, all at once; 2024-11-05 to 2025-11-25. Rejects if the call is cancelled. */
export async function askSession(
  waiting: ReadonlyMap<string, Waiting>,
  request: ServerContext['mcpReq'],
): Promise<Record<string, unknown>> {
  const answers = await Promise.all([...waiting].map(async ([key, each]) => [key, await send(each, request)] as const));
  request.signal.throwIfAborted();
  return Object.fromEntries(answers);
}

/** Whether a session's client can be asked. */
export function canAnswer(server: Server, question: Question<unknown>): boolean {
  const { capability } = question;
  const declared = server.getClientCapabilities()?.[capability];
  if (capability !== 'elicitation' || declared === undefined) return declared !== undefined;
  if (question.mode === 'url') return 'url' in declared;
  if ((server.getNegotiatedProtocolVersion() ?? '') < SEVERAL_CHOICES && asksForSeveral(question)) return false;
  // Forms are what was meant before there were modes; later they are named.
  return !('url' in declared) || 'form' in declared;
}

function asksForSeveral(question: Question<unknown>): boolean {
  const { params = {} } = question.request();
  const schema = 'requestedSchema' in params ? params.requestedSchema : undefined;
  const fields = isPlainObject(schema) && isPlainObject(schema['properties']) ? Object.values(schema['properties']) : [];
  return fields.some((field) => isPlainObject(field) && field['type'] === 'array');
}

async function send(
  { request: { method, params }, patienceMs: timeout, result }: Waiting,
  { send: sendRequest, signal }: ServerContext['mcpReq'],
): Promise<unknown> {
  const request = { method, ...(params !== undefined && { params }) };
  try {
    return await (result === undefined
      ? sendRequest(request, { timeout, signal })
      : sendRequest(request, result, { timeout, signal }));
  } catch (error) {
    return new Unanswered(error);
  }
}
