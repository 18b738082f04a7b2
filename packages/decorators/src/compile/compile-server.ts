import { getClass, isConstructor, type Constructor, getClassName, getLineage } from '../metadata/lineage.ts';
import { readServerAnnotation } from '../metadata/annotation.ts';
import type { McpServerOptions } from '../metadata/options.ts';
import { compilePrimitives, type Primitives } from './compile-primitives.ts';
import type { CompiledResource, CompiledServer, CompiledTool, ServerInfo } from './compiled-server.ts';
import { buildFeatureTree, declaresFeatures } from './feature-tree.ts';
import { Problems } from './problems.ts';
import { findAmbiguousTemplates } from './resources.ts';
import { copyFrozen } from './definition.ts';
import { mergeOptions } from './merge-options.ts';
import { SERVER_CHECKS, checkOptions } from './option-checks.ts';
import { findNearestName } from '../text/nearest-name.ts';

/** Options for {@link compileServer}. */
export interface CompileOptions {
  /**
   * Whether the build has already compiled this server without problems. If so, input and output classes are compiled only on first
   * use. Default: false.
   */
  readonly isKnownToCompile?: boolean;
}

/** Compiled servers by class or, if the class has features, by instance. */
const compiled = new WeakMap<object, CompiledServer>();

/**
 * Compiles an annotated class or an instance of one, together with extra features. The result without the extra features is
 * cached.
 *
 * A class has the features that its properties declare. An instance has the features that its properties contain at the first
 * compilation.
 *
 * @param features objects with annotated methods that are served in addition to the methods of the server
 * @throws DefinitionError that lists every mistake, TypeError if `server` is neither a class nor an instance of one
 */
export function compileServer(server: object, features: readonly object[] = [], options: CompileOptions = {}): CompiledServer {
  const target = isConstructor(server) ? server : getClass(server);
  if (target === undefined) throw new TypeError('a server must be a class or an instance of a class');
  const own = compileOwn(server, target, options.isKnownToCompile !== true);
  return features.length === 0 ? own : addExtraFeatures(own, features);
}

function compileOwn(server: object, target: Constructor, isThorough: boolean): CompiledServer {
  const object = server === target || !declaresFeatures(target) ? undefined : server;
  const known = compiled.get(object ?? target);
  if (known !== undefined) return known;
  const result = compileOrThrow(isThorough, (problems) => {
    const primitives = compilePrimitives(buildFeatureTree(target, object, problems), problems);
    return { ...compileServerOptions(target, problems), ...indexPrimitives([primitives], problems) };
  });
  compiled.set(object ?? target, result);
  return result;
}

/**
 * Adds the primitives of extra features. The options `tools`, `prompts` and `resources` of the server's `@McpServer` do not apply
 * to these primitives.
 */
function addExtraFeatures(own: CompiledServer, features: readonly object[]): CompiledServer {
  const { tools, resources, prompts } = own;
  const first = { ...own, tools: [...tools.values()], resources: [...resources.values()], prompts: [...prompts.values()] };
  return compileOrThrow(true, (problems) => ({
    ...own,
    ...indexPrimitives([first, ...features.map((feature) => compileExtraFeature(feature, problems))], problems),
  }));
}

function compileExtraFeature(feature: object, problems: Problems): Primitives {
  const target = getClass(feature);
  if (target === undefined) throw new TypeError('a feature must be an instance of a class');
  const { tools, resources, templates, prompts, completions } = compilePrimitives(
    buildFeatureTree(target, feature, problems),
    problems,
  );
  const mark = <Primitive>(primitive: Primitive): Primitive => ({ ...primitive, extraFeature: feature });
  return {
    tools: tools.map(mark),
    resources: resources.map(mark),
    templates: templates.map(mark),
    prompts: prompts.map(mark),
    completions: new Map([...completions].map(([key, completion]) => [key, mark(completion)])),
  };
}

function compileOrThrow<Outcome>(isThorough: boolean, compile: (problems: Problems) => Outcome): Outcome {
  const problems = new Problems({ isThorough });
  const outcome = compile(problems);
  problems.assertNone();
  return outcome;
}

/**
 * Indexes tools and prompts by name, and resources by URI. Adds duplicates, ambiguous templates, tool sets with the name of a
 * tool and missing views to `problems`.
 */
function indexPrimitives(
  all: readonly Primitives[],
  problems: Problems,
): Pick<CompiledServer, 'tools' | 'calledByViews' | 'resources' | 'templates' | 'prompts' | 'completions'> {
  const tools = all.flatMap((each) => each.tools);
  const resources = all.flatMap((each) => each.resources);
  const templates = all.flatMap((each) => each.templates);
  const prompts = all.flatMap((each) => each.prompts);
  problems.push(
    ...findAmbiguousTemplates(templates),
    ...tools.flatMap((tool) => [...findSetConflicts(tool, tools), ...findMissingView(tool, resources)]),
  );
  return {
    tools: indexByKey('tool', tools, ({ definition }) => definition.name, problems),
    calledByViews: new Set(resources.flatMap(({ calls }) => calls)),
    resources: indexByKey('resource', resources, ({ definition }) => definition.uri, problems),
    templates,
    prompts: indexByKey('prompt', prompts, ({ definition }) => definition.name, problems),
    completions: new Map(all.flatMap(({ completions }) => [...completions])),
  };
}

/**
 * Returns the problems of tool sets with the name of a tool: operators select tools and tool sets by name, so the names must
 * differ.
 */
function findSetConflicts(tool: CompiledTool, tools: readonly CompiledTool[]): readonly string[] {
  const taken = tool.sets.filter((set) => tools.some(({ definition }) => definition.name === set));
  return taken.map((set) => `${describePlace(tool)}: the set "${set}" has the name of a tool; rename the set`);
}

function findMissingView(tool: CompiledTool, resources: readonly CompiledResource[]): readonly string[] {
  const uri = tool.app?.resourceUri;
  const views = resources.flatMap(({ isApp, definition }) => (isApp ? [definition.uri] : []));
  if (uri === undefined || views.includes(uri)) return [];
  const near = findNearestName(uri, views);
  const guess = near === undefined ? 'decorate a method with @App(…)' : `did you mean "${near}"?`;
  return [`${describePlace(tool)}: the view "${uri}" does not exist; ${guess}`];
}

interface Placed {
  readonly place: string;
  readonly owner: readonly string[];
}

function indexByKey<Primitive extends Placed>(
  kind: string,
  primitives: readonly Primitive[],
  keyOf: (primitive: Primitive) => string,
  problems: Problems,
): ReadonlyMap<string, Primitive> {
  const map = new Map<string, Primitive>();
  for (const primitive of primitives) {
    const key = keyOf(primitive);
    const first = map.get(key);
    if (first !== undefined)
      problems.push(
        `${describePlace(primitive)}: the ${kind} "${key}" is already defined by ${describePlace(first)}; change one of the two`,
      );
    map.set(key, primitive);
  }
  return map;
}

/**
 * Returns `Class.method` for messages, followed by the property that contains the feature, because two features may have the same
 * class.
 */
function describePlace({ place, owner }: Placed): string {
  return owner.length === 0 ? place : `${place} of the feature ${owner.join('.')}`;
}

/** Merges the options of `@McpServer` along the class hierarchy, except `tools`, `prompts` and `resources`. */
function compileServerOptions(
  target: Constructor,
  problems: Problems,
): Pick<CompiledServer, 'info' | 'formerNames' | 'meta' | 'extensions' | 'experimental' | 'instructions' | 'cache' | 'pageSize'> {
  let merged: McpServerOptions = {};
  const names = new Set<string>();
  for (const prototype of getLineage(target)) {
    const options = readServerAnnotation(prototype) ?? {};
    problems.push(...checkOptions(SERVER_CHECKS, options).map((problem) => `${getClassName(prototype)}: ${problem}`));
    merged = mergeOptions(merged, options);
    if (options.name !== undefined) names.add(options.name);
  }
  const { name, instructions, cache, pageSize, _meta, extensions, experimental } = merged;
  return {
    info: compileServerInfo(target, merged, problems),
    formerNames: [...names].filter((each) => each !== name),
    meta: _meta && copyFrozen(_meta),
    extensions: extensions && copyFrozen(extensions),
    experimental: experimental && copyFrozen(experimental),
    instructions,
    cache: cache && copyFrozen(cache),
    pageSize,
  };
}

function compileServerInfo(target: Constructor, options: McpServerOptions, problems: Problems): ServerInfo {
  const { name, version, title, description, websiteUrl, icons } = options;
  if (name === undefined || version === undefined)
    problems.push(`${target.name}: needs a name and a version: @McpServer({ name: 'notes', version: '1.0.0' })`);
  return {
    name: name ?? '',
    version: version ?? '',
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons: copyFrozen(icons) }),
  };
}
