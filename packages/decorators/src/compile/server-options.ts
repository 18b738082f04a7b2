import { serverAnnotation } from '../metadata/annotation.ts';
import type { McpServerOptions } from '../metadata/options.ts';
import { classNameOf, lineage, type Constructor } from '../metadata/lineage.ts';
import { frozenCopy } from './described.ts';
import { mergeOptions } from './merge-options.ts';
import { optionProblems, SERVER_CHECKS } from './option-checks.ts';
import type { CompiledServer, ServerInfo } from './primitives.ts';
import type { Problems } from './problems.ts';

/** What the `@McpServer` of a class and of those above it say together, its tables apart. */
export function serverOptions(
  target: Constructor,
  problems: Problems,
): Pick<CompiledServer, 'info' | 'meta' | 'extensions' | 'experimental' | 'instructions' | 'cache' | 'pageSize'> {
  let merged: McpServerOptions = {};
  for (const prototype of lineage(target)) {
    const options = serverAnnotation(prototype) ?? {};
    problems.push(...optionProblems(SERVER_CHECKS, options).map((problem) => `${classNameOf(prototype)}: ${problem}`));
    merged = mergeOptions(merged, options);
  }
  const { instructions, cache, pageSize, _meta, extensions, experimental } = merged;
  return {
    info: serverInfo(target, merged, problems),
    meta: _meta && frozenCopy(_meta),
    extensions: extensions && frozenCopy(extensions),
    experimental: experimental && frozenCopy(experimental),
    instructions,
    cache: cache && frozenCopy(cache),
    pageSize,
  };
}

function serverInfo(target: Constructor, options: McpServerOptions, problems: Problems): ServerInfo {
  const { name, version, title, description, websiteUrl, icons } = options;
  if (name === undefined || version === undefined)
    problems.push(`${target.name}: needs a name and a version: @McpServer({ name: 'notes', version: '1.0.0' })`);
  return {
    name: name ?? '',
    version: version ?? '',
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons: frozenCopy(icons) }),
  };
}
