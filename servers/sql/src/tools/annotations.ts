import type { ToolOptions } from '@org/mcp-decorators';

type ToolAnnotations = NonNullable<ToolOptions['annotations']>;

/** Annotations of tools that change nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Annotations of tools that lose no data and may be repeated. */
export const SETS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Annotations of tools that may lose data. */
export const LOSES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
