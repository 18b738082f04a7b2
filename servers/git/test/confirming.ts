import { git } from './temporary.ts';

/** What a client answers that confirms everything it is asked. */
export const CONFIRMS = { answers: { elicitation: { confirm: true } } } as const;

interface Structured {
  readonly structuredContent?: unknown;
}

/** The token of a dry run. */
export function tokenOf({ structuredContent }: Structured): string {
  return textIn(structuredContent, 'confirm_token');
}

/** The command that a tool names to undo what it did. */
export function recoveryOf({ structuredContent }: Structured): string {
  return textIn(structuredContent, 'recover_with');
}

/** Does what a tool says that undoes what it did. */
export function recover(top: string, result: Structured): void {
  for (const command of recoveryOf(result).split(' && ')) git(top, command.split(' ').slice(1));
}

function textIn(structured: unknown, name: string): string {
  const entries = typeof structured === 'object' && structured !== null ? Object.entries(structured) : [];
  const [, value] = entries.find(([key]) => key === name) ?? [];
  if (typeof value !== 'string') throw new Error(`there is no ${name}`);
  return value;
}
