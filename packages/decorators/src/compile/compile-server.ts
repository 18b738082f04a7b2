import { DefinitionError } from '../errors.ts';
import { serverAnnotation, type McpServerOptions } from '../metadata/annotation.ts';
import { lineage, type Constructor } from '../metadata/lineage.ts';
import { compileCompletions } from './completions.ts';
import type { CompiledServer, ServerInfo } from './primitives.ts';
import { compilePrompts } from './prompts.ts';
import { compileResources } from './resources.ts';
import { compileTools } from './tools.ts';

const compiled = new WeakMap<Constructor, CompiledServer>();

/**
 * Compiles an annotated class, once.
 *
 * Throws a {@link DefinitionError} with everything that is wrong with it.
 */
export function compileServer(given: Constructor|object): CompiledServer {
  const target = (typeof given === 'function' ? given : given.constructor) as Constructor;
  const known = compiled.get(target);
  if (known !== undefined) return known;
  const problems: string[] = [];
  const server = compile(target, problems);
  if (problems.length > 0) throw new DefinitionError([...new Set(problems)]);
  compiled.set(target, server);
  return server;
}

function compile(target: Constructor, problems: string[]): CompiledServer {
  const options: McpServerOptions = Object.assign({}, ...lineage(target).map(serverAnnotation));
  const tools = compileTools(target, problems);
  const { resources, templates } = compileResources(target, problems);
  const prompts = compilePrompts(target, problems);
  if (problems.length === 0 && tools.length + resources.length + templates.length + prompts.length === 0)
    problems.push(`${target.name}: has no tool, resource or prompt; was it compiled with "experimentalDecorators": true?`);
  return {
    info: serverInfo(target, options, problems),
    instructions: options.instructions, cache: options.cache, pageSize: options.pageSize,
    tools: keyed('tool', tools, ({ definition }) => definition.name, problems),
    resources: keyed('resource', resources, ({ definition }) => definition.uri, problems),
    templates,
    prompts: keyed('prompt', prompts, ({ definition }) => definition.name, problems),
    completions: compileCompletions(target, { prompts, templates }, problems),
  };
}

function serverInfo(target: Constructor, { instructions: _, cache: _c, pageSize: _p, ...options }: McpServerOptions, problems: string[]): ServerInfo {
  const { name, version } = options;
  if (name === undefined || version === undefined)
    problems.push(`${target.name}: needs a name and a version: @McpServer({ name: 'notes', version: '1.0.0' })`);
  return { ...options, name: name ?? '', version: version ?? '' };
}

interface Placed {
  readonly place: string;
}

function keyed<Primitive extends Placed>(
  kind: string,
  primitives: readonly Primitive[],
  keyOf: (primitive: Primitive) => string,
  problems: string[],
): ReadonlyMap<string, Primitive> {
  const map = new Map<string, Primitive>();
  for (const primitive of primitives) {
    const key = keyOf(primitive);
    const first = map.get(key);
    if (first !== undefined) problems.push(`${primitive.place}: the ${kind} "${key}" is already defined by ${first.place}`);
    map.set(key, primitive);
  }
  return map;
}
