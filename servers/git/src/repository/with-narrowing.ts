import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

/** What may fail only because the client's roots leave out a part of a repository. */
const CODES: ReadonlySet<string> = new Set(['NOT_A_REPO', 'PATH_OUTSIDE_ROOTS']);

/** An error of a repository, with the client's roots as its cause if they narrow the directories. */
export function withNarrowing(error: unknown, { narrowing }: Roots): unknown {
  if (narrowing === undefined || narrowing.outcome === 'kept' || !ToolError.is(error) || !CODES.has(error.code)) return error;
  const { code, message, hint = '', data } = error;
  if (hint.includes(narrowing.text)) return error;
  return new ToolError(code, message, { hint: [hint, narrowing.text].join('\n'), cause: error, ...(data && { data }) });
}
