import { Result } from '@org/mcp-decorators';

/** Returns a body as text with its facts in `_meta`; with `structured`, the facts and rows as structured content instead. */
export function bodyResult(facts: object, text: string, { structured }: { readonly structured: boolean }): Result {
  return structured ? Result.of(facts, text) : Result.text(text, { facts: { ...facts } });
}
