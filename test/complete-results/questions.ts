import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Session } from '@org/mcp-testing';

export type Arguments = Readonly<Record<string, unknown>>;

/** A call of a tool, and what its result has to answer. */
export interface Question {
  readonly tool: string;
  /** Default: none. A function may make calls and change files first. */
  readonly args?: Arguments | ((session: Session, directory: string) => Promise<Arguments>);
  /** Patterns of the facts that a model needs; each matches the text, and also the structured content if there is any. */
  readonly facts: readonly RegExp[];
}

/** What a model reads in a host that gives it only the text. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** What a model reads in a host that gives it the structured content in place of the text. */
export function structureOf(result: CallToolResult): string {
  const { structuredContent } = result;
  return structuredContent === undefined ? textOf(result) : JSON.stringify(structuredContent);
}

/** A number, a path, a name with `_` or `.`, or a hash: what a program could not have guessed. */
const VALUE = /[\p{L}\p{N}]*(?:\p{N}|[\p{L}\p{N}][_./:][\p{L}\p{N}])[\p{L}\p{N}_./:-]*/gu;

/** Values of the text that neither the structured content nor what the model knows contains: arguments, and names of tools. */
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

/** The lengths of all lists: a text may count what the structured content lists. */
function lengthsIn(value: unknown): readonly number[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(lengthsIn);
  return Array.isArray(value) ? [value.length, ...inside] : inside;
}
