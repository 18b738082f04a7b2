import type { Server, ServerContext } from '@modelcontextprotocol/server';

import { isPlainObject } from '../../schema/json-schema.ts';
import type { PendingQuestion } from './input-requests.ts';
import { MissingAnswer, type Question } from './question.ts';

/** Protocol version that introduced fields with several choices. */
const MULTIPLE_CHOICE_SINCE = '2025-11-25';

/**
 * Sends all questions to the client of a session at once, as requests of the server; for revisions 2024-11-05 to
 * 2025-11-25. Rejects if the call is cancelled.
 */
export async function requestFromSession(
  pending: ReadonlyMap<string, PendingQuestion>,
  request: ServerContext['mcpReq'],
): Promise<Record<string, unknown>> {
  const answers = await Promise.all([...pending].map(async ([key, question]) => [key, await send(question, request)] as const));
  request.signal.throwIfAborted();
  return Object.fromEntries(answers);
}

/** Whether a session's client can answer a question. */
export function supportsQuestion(server: Server, question: Question<unknown>): boolean {
  const { capability } = question;
  const declared = server.getClientCapabilities()?.[capability];
  if (capability !== 'elicitation' || declared === undefined) return declared !== undefined;
  if (question.mode === 'url') return 'url' in declared;
  if ((server.getNegotiatedProtocolVersion() ?? '') < MULTIPLE_CHOICE_SINCE && hasMultipleChoice(question)) return false;
  // A client that declares no modes supports forms.
  return !('url' in declared) || 'form' in declared;
}

function hasMultipleChoice(question: Question<unknown>): boolean {
  const { params = {} } = question.request();
  const schema = 'requestedSchema' in params ? params.requestedSchema : undefined;
  const fields = isPlainObject(schema) && isPlainObject(schema['properties']) ? Object.values(schema['properties']) : [];
  return fields.some((field) => isPlainObject(field) && field['type'] === 'array');
}

async function send(
  { request: { method, params }, timeoutMs: timeout, result }: PendingQuestion,
  { id: relatedRequestId, send: sendRequest, signal }: ServerContext['mcpReq'],
): Promise<unknown> {
  const request = { method, ...(params !== undefined && { params }) };
  const options = { relatedRequestId, timeout, signal };
  try {
    return await (result === undefined ? sendRequest(request, options) : sendRequest(request, result, options));
  } catch (error) {
    return new MissingAnswer(error);
  }
}
