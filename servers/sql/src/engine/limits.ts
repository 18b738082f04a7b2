import { ToolError } from '@org/mcp-decorators';
import { getUsableResultBytes } from '@org/mcp-host';

import { rowsText } from '../rows/size-text.ts';

/** The options of the operator that limit the calls for a database. */
export interface CallOptions {
  /** Maximum number of rows that a call returns. */
  readonly maxRows: number;
  /** Maximum number of bytes of each part of a result: text, structured content and `_meta`. */
  readonly maxBytes: number;
  /** Maximum time of a statement that reads, and default time of every call, in ms. */
  readonly statementTimeout: number;
  /** Maximum time of a call that writes, in ms. A value below `statementTimeout` has no effect. */
  readonly writeTimeout: number;
}

/** The limits of the calls for a database. */
export interface CallLimits extends CallOptions {
  /** Maximum number of bytes of the rows or items of a result, without its notes. The number is less than `maxResultBytes`. */
  readonly maxBytes: number;
  /** Maximum number of bytes of each part of a result: text, structured content and `_meta`. */
  readonly maxResultBytes: number;
}

/** Something that has limits, such as a database. */
interface Limited {
  readonly limits: CallLimits;
}

/** Adds `maxResultBytes` to options, and reduces `maxBytes` to the bytes that remain for the rows or items of a result. */
export function limitCalls<Options extends CallOptions>(options: Options): Options & CallLimits {
  return { ...options, maxBytes: getUsableResultBytes(options.maxBytes), maxResultBytes: options.maxBytes };
}

/** Returns the time that a call may take, in ms: the requested time, up to `statementTimeout`, which is also the default. */
export function timeoutFor(
  { limits }: Limited,
  { timeout_ms = limits.statementTimeout }: { readonly timeout_ms?: number },
): number {
  return Math.min(timeout_ms, limits.statementTimeout);
}

/**
 * Returns the time that a call that writes may take, in ms: the requested time, up to the larger of `statementTimeout` and
 * `writeTimeout`. Without a requested time, returns `statementTimeout`.
 */
export function writeTimeoutFor(
  { limits }: Limited,
  { timeout_ms = limits.statementTimeout }: { readonly timeout_ms?: number },
): number {
  return Math.min(timeout_ms, Math.max(limits.statementTimeout, limits.writeTimeout));
}

/** Rejects a statement that affects more rows than its caller allows. @throws ToolError TOO_LARGE */
export function limitAffected(affected: number | undefined, maxAffected: number | undefined): void {
  if (affected === undefined || maxAffected === undefined || affected <= maxAffected) return;
  throw new ToolError('TOO_LARGE', `the statement affects ${rowsText(affected)}, more than max_affected`, {
    hint: 'narrow the statement, or raise max_affected',
    data: { affected, max_affected: maxAffected, committed: false },
  });
}
