import { ToolError } from '@org/mcp-decorators';

import { quoteInput } from './visible.ts';

const TRAILER = /^[A-Za-z0-9][A-Za-z0-9-]*: ?\S/;
const CONTROL = /\p{Cc}/u;
const AUTHOR = /^([^<>\p{Cc}]*) <[^<>\p{Cc}\s]+>$/u;
const MAX_AUTHOR = 500;

/**
 * Appends trailers to a message: to its last paragraph if that paragraph consists of trailers, otherwise as a new paragraph.
 * Does not use `git interpret-trailers`, which runs programs that the repository configures.
 *
 * @throws ToolError INVALID_ARGUMENTS for an empty message, a message with NUL, or an invalid trailer
 */
export function formatCommitMessage(message: string, trailers: readonly string[] = []): string {
  requireMessage(message);
  if (trailers.length === 0) return message;
  for (const trailer of trailers)
    if (!TRAILER.test(trailer) || CONTROL.test(trailer))
      throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(trailer)} is not a valid trailer`, {
        hint: 'use a form such as "Reviewed-by: Ann <ann@example.com>"',
      });
  const body = message.trimEnd();
  const last = body
    .slice(body.lastIndexOf('\n\n') + 1)
    .trim()
    .split('\n');
  const joined = body.includes('\n\n') && last.every((line) => TRAILER.test(line));
  return `${body}${joined ? '\n' : '\n\n'}${trailers.join('\n')}\n`;
}

/** @throws ToolError INVALID_ARGUMENTS if the message is empty or contains a NUL character */
export function requireMessage(message: string | undefined): void {
  if (message !== undefined && (message.trim() === '' || message.includes('\0')))
    throw new ToolError('INVALID_ARGUMENTS', 'the message is empty or contains a NUL character');
}

/**
 * Requires that an author has the form `Name <email>`. For any other text, git would search for a commit with a matching author.
 *
 * @throws ToolError INVALID_ARGUMENTS for another form, or more than 500 characters
 */
export function requireAuthor(author: string): void {
  if (author.length > MAX_AUTHOR)
    throw new ToolError('INVALID_ARGUMENTS', `the author has ${author.length} characters; at most ${MAX_AUTHOR} are accepted`, {
      hint: 'shorten the name or the email address',
    });
  const [, name = ''] = AUTHOR.exec(author) ?? [];
  if (name.trim() === '')
    throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(author)} is not a valid author`, {
      hint: 'use the form "Name <email>"',
    });
}
