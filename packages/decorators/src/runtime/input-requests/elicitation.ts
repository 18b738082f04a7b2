import { ToolError } from '../../results/tool-error.ts';
import { isPlainObject } from '../../schema/json-schema.ts';
import type { Form } from './form.ts';
import { USER_TIMEOUT_MS, type Question } from './question.ts';

/** Answer to a question to the user: the filled-in form, a refusal, or a dialogue that the user closed without a choice. */
export type ElicitOutcome<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Options for a question to the user. */
export interface ElicitOptions {
  /**
   * Identifies the question if its message differs on each run of the method, for instance because it contains a time. An answer is
   * accepted only for a question with the same identity. Default: the message and the form.
   */
  readonly identity?: string;
}

/** A question to the user. */
interface FormQuestion extends ElicitOptions {
  readonly key: string;
  readonly message: string;
}

/** Creates the question to fill in a form. */
export function createFormQuestion<Content>(
  { key, message, identity }: FormQuestion,
  form: Form<Content>,
): Question<ElicitOutcome<Content>> {
  return {
    key,
    identity,
    capability: 'elicitation',
    timeoutMs: USER_TIMEOUT_MS,
    request: (problem) => form.request(problem === undefined ? message : `${message}\n${problem}`),
    read: async (response) => {
      if (response.kind !== 'elicit') return { kind: 'unusable' };
      if (response.action !== 'accept') return { kind: 'answer', answer: { action: response.action } };
      const read = await form.read(isPlainObject(response.content) ? response.content : {});
      if ('problem' in read) return { kind: 'unusable', problem: read.problem };
      return { kind: 'answer', answer: { action: 'accept', content: read.content } };
    },
    unanswered: (cause) => new ToolError('NO_ANSWER', 'the user did not answer', { cause }),
  };
}
