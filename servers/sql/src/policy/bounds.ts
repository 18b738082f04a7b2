import { ToolError } from '@org/mcp-decorators';

/**
 * Refuses a text that would not arrive as it is, or is too long.
 *
 * @throws ToolError INVALID_ARGUMENTS or TOO_LARGE
 */
export function requireSendable(sql: string, maxBytes: number): void {
  requireWellFormed(sql);
  const bytes = Buffer.byteLength(sql);
  if (bytes > maxBytes)
    throw tooLarge(`the statement has ${bytes} bytes; at most ${maxBytes} are taken`, '--max-statement', bytes);
}

/**
 * Rejects a text that would not arrive unchanged. The parser and the protocol end a text at NUL, and encode a lone surrogate in
 * different ways.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
export function requireWellFormed(text: string): void {
  if (!UNSENDABLE.test(text)) return;
  throw new ToolError('INVALID_ARGUMENTS', 'PostgreSQL takes neither the character NUL nor half a surrogate pair', {
    hint: 'remove the character',
  });
}

/**
 * Refuses a text that takes long to read, which nothing can interrupt.
 *
 * @throws ToolError TOO_LARGE
 */
export function requireParsable(sql: string): void {
  const run = Math.max(0, ...(sql.match(OPERATORS) ?? []).map(({ length }) => length));
  if (run > MAX_OPERATORS)
    throw tooLarge(
      `the statement has ${run} operator characters in a row; at most ${MAX_OPERATORS} are taken`,
      '--policy off',
      run,
    );
}

/** What a statement ends with that there is no memory or stack for. */
export function tooDeep(cause: Error): ToolError {
  return new ToolError('TOO_LARGE', 'the statement is nested too deeply or too large to be parsed', {
    cause,
    hint: 'write it with fewer levels',
    data: { rule: 'statement-size', name: 'nesting', option: '--policy off' },
  });
}

const UNSENDABLE = /\0|\p{Surrogate}/u;

// PostgreSQL's lexer reads the rest of a run anew for each character of it: 32,000 of them hold it up for 1.6 s.
const OPERATORS = /[-~!@#^&|`?+*/%<>=]{64,}/g;
const MAX_OPERATORS = 256;

function tooLarge(message: string, option: string, found: number): ToolError {
  return new ToolError('TOO_LARGE', message, {
    hint: 'give values as params, or split the statement',
    data: { rule: 'statement-size', name: String(found), option },
  });
}
