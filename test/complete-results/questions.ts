import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Session } from '@org/mcp-testing';

export type Arguments = Readonly<Record<string, unknown>>;

/** A call of a tool, and the facts that its result must contain. */
export interface Question {
  readonly tool: string;
  /** Arguments of the call; default: none. A function may make calls and change files before it returns the arguments. */
  readonly args?: Arguments | ((session: Session, directory: string) => Promise<Arguments>);
  /** Patterns of the facts that a model needs; each matches the text, and also the structured content if there is any. */
  readonly facts: readonly RegExp[];
}

/** Returns the text that a model reads in a host that passes only text. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Returns the text that a model reads in a host that passes the structured content, if there is any, instead of the text. */
export function structureOf(result: CallToolResult): string {
  const { structuredContent } = result;
  return structuredContent === undefined ? textOf(result) : JSON.stringify(structuredContent);
}

/** Matches a number, a path, a name with `_` or `.`, or a hash: facts that cannot be guessed. */
const VALUE = /[\p{L}\p{N}]*(?:\p{N}|[\p{L}\p{N}][_./:][\p{L}\p{N}])[\p{L}\p{N}_./:-]*/gu;

/**
 * Returns facts of the text that are neither in the structured content nor known to the model (arguments and tool names). Returns
 * an empty list if the result has no structured content.
 */
export function valuesOnlyInText(result: CallToolResult, known: readonly unknown[]): readonly string[] {
  const { structuredContent } = result;
  if (structuredContent === undefined) return [];
  const all = JSON.stringify([structuredContent, lengthsIn(structuredContent), known]);
  const isKnown = (value: string): boolean => all.includes(value) || value.split(/[.-]/).every((part) => all.includes(part));
  const values = new Set(
    textOf(result)
      .match(VALUE)
      ?.map((value) => value.replace(/[.:/-]+$/, '')),
  );
  return [...values].filter((value) => !isKnown(value));
}

/** Returns the lengths of all lists, because a text may contain the number of items in the structured content. */
function lengthsIn(value: unknown): readonly number[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(lengthsIn);
  return Array.isArray(value) ? [value.length, ...inside] : inside;
}
