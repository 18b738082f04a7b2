import { isScope } from '../scope.ts';
import { freeze } from '../schema/json-schema.ts';
import { isSetName, isToolName } from '../compile/names.ts';
import { META_CHECK, optionProblems } from '../compile/option-checks.ts';
import type { CompiledServer, CompiledTool, RawSchema, ToolDefinition } from '../compile/primitives.ts';
import type { ErrorListener } from './failure.ts';
import { interceptorOf } from './interceptor.ts';
import type { RequestContext } from './request-context.ts';

/** A tool that no method stands for, because it comes and goes while the server runs. */
export interface ListedTool {
  /** What clients see; its schemas are JSON Schemas of objects. */
  readonly definition: Omit<ToolDefinition, 'inputSchema' | 'outputSchema'> & {
    /** The arguments are validated by it. */
    readonly inputSchema: RawSchema;
    /** With it, `call` returns an object, or a `Result` with one. */
    readonly outputSchema?: RawSchema;
  };
  /** As of `@Tool`. Default: `read` with `readOnlyHint: true`, `write` without. */
  readonly scopes?: readonly string[];
  /** As of `@Tool`. Default: `default`. */
  readonly sets?: readonly string[];
  /** Called as a method with what the input schema allows; what it returns and throws is treated as that of a method with `@Tool`. */
  call(input: Readonly<Record<string, unknown>>, context: RequestContext): unknown;
}

/** What a server object implements so that tools are offered which its class does not know. */
export interface ToolLister {
  /**
   * Tools that there are now; they are listed after those of the class, and offered as the operator chose. Asked at each list and
   * call: the same array until something changes, so that it is looked at once. Who changes the answer tells the clients by
   * `Changes`. A tool with the name of another, of a set of tools or without a usable definition is not offered, and why is told to
   * `onError`.
   */
  listTools(): readonly ListedTool[];
}

type Tools = ReadonlyMap<string, CompiledTool>;

interface Listing {
  readonly tools: Tools;
  /** Why some are not offered, until somebody was told. */
  problems: readonly string[];
}

/** By what was compiled, and by the list. */
const listings = new WeakMap<CompiledServer, WeakMap<readonly ListedTool[], Listing>>();

/** The tools of a server by name: those of its class, then those that the server object lists now. */
export function toolsOf(server: object, compiled: CompiledServer, onError?: ErrorListener): Tools {
  if (!isToolLister(server)) return compiled.tools;
  const place = `${server.constructor.name}.listTools`;
  try {
    const listing = listingOf(server, compiled, place);
    if (onError !== undefined) {
      const { problems } = listing;
      listing.problems = [];
      for (const problem of problems) onError(new TypeError(problem), place);
    }
    return listing.tools;
  } catch (error) {
    onError?.(error, place);
    return compiled.tools;
  }
}

/** Whether a server object may have other tools than its class. */
export function isToolLister(server: object): server is ToolLister {
  return 'listTools' in server && typeof server.listTools === 'function';
}

function listingOf(server: ToolLister, compiled: CompiledServer, place: string): Listing {
  const listed = server.listTools();
  const known = listings.get(compiled) ?? new WeakMap<readonly ListedTool[], Listing>();
  listings.set(compiled, known);
  const listing = known.get(listed) ?? compileListing(server, compiled, { listed, place });
  known.set(listed, listing);
  return listing;
}

function compileListing(
  server: object,
  compiled: CompiledServer,
  { listed, place }: { readonly listed: readonly ListedTool[]; readonly place: string },
): Listing {
  const tools = new Map(compiled.tools);
  const sets = new Set(['all', 'default', ...[...compiled.tools.values()].flatMap((tool) => tool.sets)]);
  const problems: string[] = [];
  for (const tool of listed) {
    const wrong = problemOf(tool, tools, sets);
    if (wrong === undefined) tools.set(tool.definition.name, compileListed(server, tool, place));
    else problems.push(`the tool "${tool.definition.name}" is not offered: ${wrong}`);
  }
  return { tools, problems };
}

function problemOf(
  { definition, scopes = [], sets = [] }: ListedTool,
  tools: Tools,
  taken: ReadonlySet<string>,
): string | undefined {
  const { name, description = '', inputSchema, outputSchema = inputSchema, _meta } = definition;
  const [metaProblem = ''] = optionProblems(META_CHECK, { _meta });
  const problems: readonly (readonly [isProblem: boolean, message: string])[] = [
    [!isToolName(name), 'its name is none; use 1 to 64 of A-Z a-z 0-9 _ - . /'],
    [tools.has(name), 'another tool has its name'],
    [taken.has(name), 'a set of tools has its name'],
    [description === '', 'it has no description; models choose by it'],
    [[inputSchema, outputSchema].some(({ type }) => type !== 'object'), 'its schemas must be of type "object"'],
    [!scopes.every(isScope), 'one of its scopes is none'],
    [metaProblem !== '', metaProblem],
    [!sets.every(isSetName), 'one of its sets has no name of a set'],
  ];
  return problems.find(([isProblem]) => isProblem)?.[1];
}

function compileListed(server: object, tool: ListedTool, place: string): CompiledTool {
  const { definition, scopes = [definition.annotations?.readOnlyHint === true ? 'read' : 'write'], sets = ['default'] } = tool;
  const shown = freeze(structuredClone(definition));
  const intercept = interceptorOf(server);
  const call = (input: Readonly<Record<string, unknown>>, context: RequestContext): unknown => tool.call(input, context);
  return {
    member: 'call',
    owner: [],
    // The server object's own interceptor stands around it, as around the methods of features.
    besides: { call, ...(intercept && { intercept }) },
    place: `${place}: ${shown.name}`,
    definition: shown,
    input: { kind: 'raw', schema: shown.inputSchema },
    output: undefined,
    limits: {},
    scopes: [...scopes],
    sets: [...sets],
  };
}
