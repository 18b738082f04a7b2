import { inputRequired, type CreateMessageRequest, type CreateMessageResult } from '@modelcontextprotocol/server';

import { ToolError } from '../../errors.ts';
import { PERSON_MS, type Question } from './question.ts';

/** What the client's model is asked: `messages`, `maxTokens` and the options of `sampling/createMessage`. */
export type SamplingRequest = CreateMessageRequest['params'];

/** What the client's model answered. */
export type SamplingResult = CreateMessageResult;

/** Asks the client's model. */
export function sampling(key: string, params: SamplingRequest): Question<SamplingResult> {
  return {
    key,
    capability: 'sampling',
    patienceMs: PERSON_MS,
    request: () => inputRequired.createMessage(params),
    read: (response) =>
      response.kind === 'sampling' && isMessage(response.result)
        ? { kind: 'answer', answer: response.result }
        : { kind: 'unusable' },
    unanswered: (cause) => new ToolError('NO_ANSWER', "the client's model did not answer", { cause }),
  };
}

/** A result with tools may have several blocks; only requests that offer tools get one. */
function isMessage(result: { readonly content: unknown }): result is CreateMessageResult {
  return !Array.isArray(result.content);
}
