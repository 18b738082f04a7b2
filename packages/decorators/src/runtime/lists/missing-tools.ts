import { ToolError } from '../../results/tool-error.ts';
import type { OfferedTools } from './offered-tools.ts';

/**
 * Describes the tools that a text names although the server does not offer them, with their tool sets: `this server does not offer
 * git_rebase (tool set write)`. Returns `undefined` if the text names no such tool.
 *
 * Only names with an underscore are recognized, because a name such as `query` may be an ordinary word of the text.
 */
export function describeMissingTools(text: string, tools: OfferedTools): string | undefined {
  const words = new Set(text.match(/\w+/g)?.filter((word) => word.includes('_')));
  if (words.size === 0) return undefined;
  const missing = tools.listAll().filter((tool) => words.has(tool.definition.name) && !tools.isOffered(tool));
  if (missing.length === 0) return undefined;
  const named = missing.map(({ definition: { name }, sets }) => {
    const others = sets.filter((set) => set !== 'default');
    return others.length === 0 ? name : `${name} (tool set ${others.join(' or ')})`;
  });
  return `this server does not offer ${named.join(', ')}`;
}

/** Adds a note to the hint of a `ToolError` that names tools which are not offered. Returns any other error unchanged. */
export function addMissingTools(error: unknown, tools: OfferedTools): unknown {
  if (!ToolError.is(error) || error.hint === undefined) return error;
  const missing = describeMissingTools(error.hint, tools);
  if (missing === undefined) return error;
  const { code, message, hint, data } = error;
  return new ToolError(code, message, { hint: `${hint}; ${missing}`, cause: error, ...(data !== undefined && { data }) });
}
