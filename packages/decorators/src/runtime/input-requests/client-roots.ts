import { inputRequired, SdkError, SdkErrorCode, type StandardSchemaV1 } from '@modelcontextprotocol/server';

import { ToolError } from '../../results/tool-error.ts';
import { isPlainObject } from '../../schema/json-schema.ts';
import type { Question } from './question.ts';

/** A directory that the client allows, as a `file:` URI. */
export interface ClientRoot {
  /** The URI that the client sent: unchecked, and possibly of a directory that does not exist. */
  readonly uri: string;
  /** Display name. */
  readonly name?: string | undefined;
}

/** Options for requesting the client's roots. */
export interface RootsOptions {
  /** Time that the client of a session has to answer, in milliseconds, 1 to 2,147,483,647. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** Default time limit for the answer in milliseconds. It is short, because the client looks up its roots without a person. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** Limit for the number of roots, because each root costs disk accesses in every call. */
const MAX_ROOTS = 1000;

/** Maximum length of a URI in characters. This is enough for the longest possible path, percent-encoded. */
const MAX_URI = 16_384;

export const CLIENT_ROOTS_KEY = 'client_roots';

/**
 * Accepts a list of roots with any entries. The SDK's schema rejects the whole list because of one entry that is not a
 * `file:` URI, although such an entry grants nothing.
 */
const ANY_ROOTS: StandardSchemaV1<unknown, { readonly roots: readonly unknown[] }> = {
  '~standard': {
    version: 1,
    vendor: '@org/mcp-decorators',
    validate: (value) =>
      isPlainObject(value) && Array.isArray(value['roots'])
        ? { value: { roots: value['roots'] } }
        : { issues: [{ message: 'roots must be a list' }] },
  },
};

/** Creates the question for the client's roots. */
export function createRootsQuestion({ timeoutMs = DEFAULT_TIMEOUT_MS }: RootsOptions = {}): Question<readonly ClientRoot[]> {
  return {
    key: CLIENT_ROOTS_KEY,
    capability: 'roots',
    timeoutMs,
    result: ANY_ROOTS,
    request: () => inputRequired.listRoots(),
    read: (response) =>
      response.kind === 'roots' ? { kind: 'answer', answer: readRoots(response.roots) } : { kind: 'unusable' },
    unanswered: (cause) => new ToolError('NO_ANSWER', `the client ${describeFailure(cause, timeoutMs)}`, { cause }),
  };
}

/** @throws ToolError INVALID_ANSWER if no entry of a non-empty list is a root: the list must not pass for an empty one */
function readRoots(listed: readonly unknown[]): readonly ClientRoot[] {
  const roots = listed.slice(0, MAX_ROOTS).flatMap(readRoot);
  if (roots.length === 0 && listed.length > 0)
    throw new ToolError('INVALID_ANSWER', "none of the client's roots has a usable uri");
  return roots;
}

/** Returns a list with the root, or an empty list if the entry is not a root. On 2026-07-28 nothing else checks the response. */
function readRoot(root: unknown): readonly ClientRoot[] {
  if (!isPlainObject(root)) return [];
  const { uri, name } = root;
  if (typeof uri !== 'string' || uri.length > MAX_URI) return [];
  return [{ uri, ...(typeof name === 'string' && { name }) }];
}

function describeFailure(cause: unknown, timeoutMs: number): string {
  const isLate = cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout;
  return isLate ? `did not report its roots within ${timeoutMs} ms` : 'failed to report its roots';
}

/** Lifetime of a session's roots in milliseconds if the client does not announce changes: about one turn of a model. */
const UNANNOUNCED_MS = 5000;

/**
 * Remembers the roots of a session. On 2026-07-28 no roots are remembered: a connection is not a session there, and its requests
 * may come from several clients.
 */
export class KnownRoots {
  readonly #now: () => number;
  #roots: readonly ClientRoot[] | undefined;
  #until = 0;

  /** @param now returns the milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get roots(): readonly ClientRoot[] | undefined {
    return this.#now() < this.#until ? this.#roots : undefined;
  }

  /** @param isAnnounced whether the client announces changes; otherwise the roots are remembered for 5 seconds */
  keep(roots: readonly ClientRoot[], isAnnounced: boolean): void {
    this.#roots = roots;
    this.#until = isAnnounced ? Infinity : this.#now() + UNANNOUNCED_MS;
  }
}
