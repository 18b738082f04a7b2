import { inputRequired, type CreateMessageRequest, type CreateMessageResult } from '@modelcontextprotocol/server';

import { ToolError } from '../../results/tool-error.ts';
import { USER_TIMEOUT_MS, type Question } from './question.ts';

/** Request to the client's model: `messages`, `maxTokens` and the options of `sampling/createMessage`. */
export type SamplingRequest = CreateMessageRequest['params'];

/** Answer of the client's model. */
export type SamplingResult = CreateMessageResult;

/** Creates a question to the client's model. */
export function createSamplingQuestion(key: string, params: SamplingRequest): Question<SamplingResult> {
  return {
    key,
    capability: 'sampling',
    timeoutMs: USER_TIMEOUT_MS,
    request: () => inputRequired.createMessage(params),
    read: (response) =>
      response.kind === 'sampling' && isMessage(response.result)
        ? { kind: 'answer', answer: response.result }
        : { kind: 'unusable' },
    unanswered: (cause) => new ToolError('NO_ANSWER', "the client's model did not answer", { cause }),
  };
}

/**
 * Whether a result has only one block. Only requests that offer tools may get several blocks, and these requests offer no
 * tools.
 */
function isMessage(result: { readonly content: unknown }): result is CreateMessageResult {
  return !Array.isArray(result.content);
}
