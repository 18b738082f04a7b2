import { createHash } from 'node:crypto';

import type { InputRequest, inputResponse, StandardSchemaV1 } from '@modelcontextprotocol/server';

import type { ToolError } from '../../results/tool-error.ts';

/** Response of a client. Its kind is `missing` if the response is absent or unreadable. */
type Response = ReturnType<typeof inputResponse>;

/** The answer, or the reason why the question has to be sent again. `problem` is shown to the person who answers. */
type Reading<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'unusable'; readonly problem?: string };

/** Time in milliseconds for a person to answer. */
export const USER_TIMEOUT_MS = 600_000;

/** A question to the client while a method runs: an input request, and the code that reads the response. */
export interface Question<Answer> {
  /** Identifies the question within its call. */
  readonly key: string;
  /** Identifies a question whose message differs on each run. Default: the request identifies the question. */
  readonly identity?: string | undefined;
  /** Capability that the client must declare. */
  readonly capability: 'elicitation' | 'sampling' | 'roots';
  /** Elicitation mode that the client must declare. Default: form mode. */
  readonly mode?: 'url';
  /** Time in milliseconds that a session's client has to answer. */
  readonly timeoutMs: number;
  /** Schema of the response in a session. Default: the SDK's schema. */
  readonly result?: StandardSchemaV1;
  /** Creates the request. `problem` describes what was wrong with the previous answer. */
  request(problem?: string): InputRequest;
  read(response: Response): Reading<Answer> | Promise<Reading<Answer>>;
  /** Creates the error for a question that the client failed to answer. */
  unanswered(cause: unknown): ToolError;
}

/** Fingerprint of the request for roots, which has no parameters. */
export const ROOTS_FINGERPRINT = 'roots';

/** Fingerprint of every sampling request: an answer of the model approves nothing, and the prompt may contain changing data. */
const SAMPLING_FINGERPRINT = 'sampling';

/**
 * Returns the fingerprint of a question. For a question to the user, it is a hash of the identity or, without one, of the
 * message and the form. An answer is accepted for this fingerprint only.
 */
export function fingerprintQuestion({ identity }: Question<unknown>, { method, params }: InputRequest): string {
  if (method === 'roots/list') return ROOTS_FINGERPRINT;
  if (method === 'sampling/createMessage') return SAMPLING_FINGERPRINT;
  return createHash('sha256')
    .update(JSON.stringify([method, identity ?? params]))
    .digest('base64url');
}

/** Takes the place of an answer if the client failed to answer. */
export class MissingAnswer {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}
