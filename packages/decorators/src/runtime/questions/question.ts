import { createHash } from 'node:crypto';

import type { InputRequest, inputResponse, StandardSchemaV1 } from '@modelcontextprotocol/server';

import type { ToolError } from '../../errors.ts';

/** A client's answer, told apart by its form; `missing` if there is none, or none that can be read. */
type Response = ReturnType<typeof inputResponse>;

/** The answer as the method gets it, or why the question has to be asked again; `problem` is shown to whoever answers. */
type Reading<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'unusable'; readonly problem?: string };

/** A person may take so long to answer. */
export const PERSON_MS = 600_000;

/** Something the client is asked while a method runs. */
export interface Question<Answer> {
  /** Names the question within its call. */
  readonly key: string;
  /** Identifies the question if its message differs on each run. Default: the request. */
  readonly identity?: string | undefined;
  /** What a client has to declare to be asked. */
  readonly capability: 'elicitation' | 'sampling' | 'roots';
  /** The mode of an elicitation that the client has to declare. Default: a form. */
  readonly mode?: 'url';
  /** Milliseconds that a session's client has to answer. */
  readonly patienceMs: number;
  /** What a session's client may answer, if that is not what the protocol says. */
  readonly result?: StandardSchemaV1;
  /** What is sent; `problem` is what was wrong with the answer before. */
  request(problem?: string): InputRequest;
  read(response: Response): Reading<Answer> | Promise<Reading<Answer>>;
  /** The error of a question that got no answer. */
  unanswered(cause: unknown): ToolError;
}

/** Fingerprint of the request for roots, which has no parameters. */
export const ROOTS_MARK = 'roots';

/** Fingerprint of every prompt: an answer of the model approves nothing, and a prompt may contain the time or other changing data. */
const SAMPLING_MARK = 'sampling';

/** Fingerprint of a question; for a user, its message and form. An answer is accepted for this fingerprint only. */
export function markOf({ identity }: Question<unknown>, { method, params }: InputRequest): string {
  if (method === 'roots/list') return ROOTS_MARK;
  if (method === 'sampling/createMessage') return SAMPLING_MARK;
  return createHash('sha256')
    .update(JSON.stringify([method, identity ?? params]))
    .digest('base64url');
}
