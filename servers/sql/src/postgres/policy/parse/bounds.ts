import { ToolError } from '@org/mcp-decorators';

/**
 * Rejects a text that would not arrive unchanged, or is too long.
 *
 * @throws ToolError INVALID_ARGUMENTS as `requireWellFormed`; TOO_LARGE for a text of more than `maxBytes` bytes
 */
export function requireSendable(sql: string, maxBytes: number): void {
  requireWellFormed(sql);
  const bytes = Buffer.byteLength(sql);
  if (bytes > maxBytes)
    throw tooLarge(`the statement has ${bytes} bytes; the maximum is ${maxBytes}`, '--max-statement-bytes', bytes);
}

/**
 * Rejects a text that would not arrive unchanged. The parser and the protocol end a text at NUL, and encode a lone surrogate in
 * different ways.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
export function requireWellFormed(text: string): void {
  if (!UNSENDABLE.test(text)) return;
  throw new ToolError('INVALID_ARGUMENTS', 'PostgreSQL accepts neither the character NUL nor a lone surrogate', {
    hint: 'remove the character',
  });
}

/**
 * Rejects a text with a run of operator characters that takes too long to parse, because parsing cannot be interrupted.
 *
 * @throws ToolError TOO_LARGE
 */
export function requireParsable(sql: string): void {
  const run = Math.max(0, ...(sql.match(OPERATORS) ?? []).map(({ length }) => length));
  if (run > MAX_OPERATORS)
    throw tooLarge(`the statement has ${run} operator characters in a row; the maximum is ${MAX_OPERATORS}`, '--policy off', run);
}

/** Creates the error for a statement that the parser cannot process with the available memory or stack. */
export function tooDeep(cause: Error): ToolError {
  return new ToolError('TOO_LARGE', 'the statement is nested too deeply or too large to be parsed', {
    cause,
    hint: 'write the statement with fewer levels',
    data: { rule: 'statement-size', name: 'nesting', option: '--policy off' },
  });
}

const UNSENDABLE = /\0|\p{Surrogate}/u;

// The length of a run of operator characters is limited, because PostgreSQL's lexer takes quadratic time: 1.6 s for 32,000 characters.
const OPERATORS = /[-~!@#^&|`?+*/%<>=]{64,}/g;
const MAX_OPERATORS = 256;

function tooLarge(message: string, option: string, found: number): ToolError {
  return new ToolError('TOO_LARGE', message, {
    hint: 'pass values as params, or split the statement',
    data: { rule: 'statement-size', name: String(found), option },
  });
}
