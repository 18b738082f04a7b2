import type { ToolDefinition, ToolHints } from '@org/mcp-decorators';

import { compareSchemas } from './compare-schemas.ts';

interface HintMeaning {
  /** What a client has to assume without it. */
  readonly unset: boolean;
  /** The value that promises something. */
  readonly promise: boolean;
}

const HINTS: Readonly<Record<keyof ToolHints, HintMeaning>> = {
  readOnlyHint: { unset: false, promise: true },
  destructiveHint: { unset: true, promise: false },
  idempotentHint: { unset: false, promise: true },
  openWorldHint: { unset: true, promise: false },
};

/** What a tool that changes nothing promises besides. */
const READ_ONLY: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** In which ways a tool breaks clients that know it as it was. */
export function compareTools(before: ToolDefinition, after: ToolDefinition): readonly string[] {
  return [
    ...compareSchemas(before.inputSchema, after.inputSchema, 'input'),
    ...compareOutputs(before.outputSchema, after.outputSchema),
    ...compareHints(before.annotations ?? {}, after.annotations ?? {}),
  ];
}

function compareOutputs(before: ToolDefinition['outputSchema'], after: ToolDefinition['outputSchema']): readonly string[] {
  if (before === undefined) return [];
  return after === undefined ? ['the result has no structured content any more'] : compareSchemas(before, after, 'output');
}

function compareHints(before: ToolHints, after: ToolHints): readonly string[] {
  const now = after.readOnlyHint === true ? { ...after, ...READ_ONLY } : after;
  return Object.entries(HINTS)
    .map(([name, meaning]) => ({ name, ...meaning, was: Reflect.get(before, name) ?? meaning.unset }))
    .map((hint) => ({ ...hint, is: Reflect.get(now, hint.name) ?? hint.unset }))
    .filter(({ was, is, promise }) => was === promise && is !== promise)
    .map(({ name, was, is }) => `${name} was ${String(was)}, is ${String(is)}`);
}
