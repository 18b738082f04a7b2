import type { ToolOptions } from '@org/mcp-decorators';

type ToolAnnotations = NonNullable<ToolOptions['annotations']>;

/** Tools that change nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Tools whose second call with the same arguments changes nothing more. */
export const SETS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Tools that may lose something, once that is confirmed. */
export const LOSES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };
