import { inputRequired, SdkError, SdkErrorCode, type StandardSchemaV1 } from '@modelcontextprotocol/server';

import { ToolError } from '../../errors.ts';
import { isPlainObject } from '../../schema/json-schema.ts';
import type { Question } from './question.ts';

/** A directory that the client allows, as a `file:` URI. */
export interface ClientRoot {
  /** As the client wrote it: not checked, and perhaps of nothing that exists. */
  readonly uri: string;
  /** As people read it. */
  readonly name?: string | undefined;
}

/** How the client is asked for its roots. */
export interface RootsQuestion {
  /** Milliseconds that the client of a session has to answer, 1 to 2,147,483,647. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** Longer than this a program is not waited for that only has to look up what it knows. */
const PATIENCE_MS = 10_000;

/** As many folders as nobody has open: each costs looks at the disk, call by call. */
const MAX_ROOTS = 1000;

/** Characters: no path is longer, every byte of it escaped. */
const MAX_URI = 16_384;

export const CLIENT_ROOTS_KEY = 'client_roots';

/** That of the SDK refuses all roots for the sake of one that is no `file:` URI, which counts for nothing. */
const ANY_ROOTS: StandardSchemaV1<unknown, { readonly roots: readonly unknown[] }> = {
  '~standard': {
    version: 1,
    vendor: '@org/mcp-decorators',
    validate: (value) =>
      isPlainObject(value) && Array.isArray(value['roots'])
        ? { value: { roots: value['roots'] } }
        : { issues: [{ message: 'there is no list of roots' }] },
  },
};

/** Asks the client for its roots. */
export function clientRoots({ timeoutMs = PATIENCE_MS }: RootsQuestion = {}): Question<readonly ClientRoot[]> {
  return {
    key: CLIENT_ROOTS_KEY,
    capability: 'roots',
    patienceMs: timeoutMs,
    result: ANY_ROOTS,
    request: () => inputRequired.listRoots(),
    read: (response) =>
      response.kind === 'roots' ? { kind: 'answer', answer: readRoots(response.roots) } : { kind: 'unusable' },
    unanswered: (cause) =>
      new ToolError('NO_ANSWER', `the client ${failure(cause, timeoutMs)} which directories it allows`, { cause }),
  };
}

/** @throws ToolError INVALID_ANSWER for a list in which nothing is a root: it must not pass for an empty one */
function readRoots(listed: readonly unknown[]): readonly ClientRoot[] {
  const roots = listed.slice(0, MAX_ROOTS).flatMap(readRoot);
  if (roots.length === 0 && listed.length > 0)
    throw new ToolError('INVALID_ANSWER', 'the client listed roots without a usable uri');
  return roots;
}

/** What of an answer is a root; on 2026-07-28 nobody else checks what the client sent. */
function readRoot(root: unknown): readonly ClientRoot[] {
  if (!isPlainObject(root)) return [];
  const { uri, name } = root;
  if (typeof uri !== 'string' || uri.length > MAX_URI) return [];
  return [{ uri, ...(typeof name === 'string' && { name }) }];
}

function failure(cause: unknown, timeoutMs: number): string {
  const isLate = cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout;
  return isLate ? `did not say within ${timeoutMs} ms` : 'failed to say';
}

/** Milliseconds for which the roots of a session are remembered if its client does not announce changes: about one turn of a model. */
const UNANNOUNCED_MS = 5000;

/**
 * The roots of a session. On 2026-07-28 no roots are remembered: a connection is no session there, and requests on it may come from
 * several clients.
 */
export class KnownRoots {
  readonly #now: () => number;
  #roots: readonly ClientRoot[] | undefined;
  #until = 0;
  #changes = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get roots(): readonly ClientRoot[] | undefined {
    return this.#now() < this.#until ? this.#roots : undefined;
  }

  /** How often they have changed; what was asked for before the last change is out of date. */
  get changes(): number {
    return this.#changes;
  }

  /** @param isAnnounced whether the client announces changes; otherwise the roots are remembered for 5 seconds */
  keep(roots: readonly ClientRoot[], isAnnounced: boolean): void {
    this.#roots = roots;
    this.#until = isAnnounced ? Infinity : this.#now() + UNANNOUNCED_MS;
  }

  forget(): void {
    this.#roots = undefined;
    this.#changes += 1;
  }
}
