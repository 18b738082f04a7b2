import type { CompiledServer, CompiledTool, RawSchema, ToolDefinition } from '../../compile/compiled-server.ts';
import { isScope, isSetName, isToolName } from '../../compile/names.ts';
import { META_CHECK, checkOptions } from '../../compile/option-checks.ts';
import { freeze } from '../../schema/json-schema.ts';
import type { RequestContext } from '../context/request-context.ts';
import { type ErrorListener, getInterceptor } from '../hooks/hooks.ts';

/** A tool that may appear and disappear while the server runs, and therefore has no annotated method. */
export interface ListedTool {
  /** Definition for clients, with hand-written JSON Schemas of objects. */
  readonly definition: Omit<ToolDefinition, 'inputSchema' | 'outputSchema'> & {
    /** JSON Schema that validates the arguments. */
    readonly inputSchema: RawSchema;
    /** JSON Schema of the structured content. If present, `call` must return an object, or a `Result` with structured content. */
    readonly outputSchema?: RawSchema;
  };
  /** OAuth scopes, as for `@Tool`. Default: `read` with `readOnlyHint: true`, otherwise `write`. */
  readonly scopes?: readonly string[];
  /** Tool sets, as for `@Tool`. Default: `default`. */
  readonly sets?: readonly string[];
  /** Called with validated arguments. Results and errors are treated like the results and errors of a method with `@Tool`. */
  call(input: Readonly<Record<string, unknown>>, context: RequestContext): unknown;
}

/** Implemented by a server object that lists tools which its class does not declare. */
export interface ToolLister {
  /**
   * Returns the current additional tools, which are listed after the tools of the class and subject to the operator's selection.
   * Called for each list and each call: return the same array until something changes, because it is then compiled once. Publish
   * changes by {@link ChangeBus}. A tool without a usable definition, or with the name of another tool or of a tool set, is ignored
   * and reported to `onError`.
   */
  listTools(): readonly ListedTool[];
}

type Tools = ReadonlyMap<string, CompiledTool>;

interface Listing {
  readonly tools: Tools;
  /** Reasons why tools are ignored; empty once they were reported. */
  problems: readonly string[];
}

/** Listings by compiled server and by the array that `listTools` returned. */
const listings = new WeakMap<CompiledServer, WeakMap<readonly ListedTool[], Listing>>();

/** Returns the tools of a server by name: the tools of its class, then the tools that the server object currently lists. */
export function collectTools(server: object, compiled: CompiledServer, onError?: ErrorListener): Tools {
  if (!isToolLister(server)) return compiled.tools;
  const place = `${server.constructor.name}.listTools`;
  try {
    const listing = getListing(server, compiled, place);
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

/** Properties of {@link ServerRuntime} that the functions below need. */
interface ToolSource {
  readonly server: object;
  readonly compiled: CompiledServer;
  readonly isToolEnabled: ((tool: CompiledTool) => boolean) | undefined;
  readonly onError: ErrorListener;
}

/** Returns the enabled tool of a name, or `undefined`. */
export function findTool({ server, compiled, isToolEnabled, onError }: ToolSource, name: string): CompiledTool | undefined {
  const tool = compiled.tools.get(name) ?? collectTools(server, compiled, onError).get(name);
  return tool !== undefined && isToolEnabled?.(tool) !== false ? tool : undefined;
}

/** Whether the server has tools, or may list some while it runs. */
export function mayHaveTools({ server, compiled }: Pick<ToolSource, 'server' | 'compiled'>): boolean {
  return compiled.tools.size > 0 || isToolLister(server);
}

/** Whether a server object may have tools that its class does not declare. */
export function isToolLister(server: object): server is ToolLister {
  return 'listTools' in server && typeof server.listTools === 'function';
}

function getListing(server: ToolLister, compiled: CompiledServer, place: string): Listing {
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
    const wrong = findProblem(tool, tools, sets);
    if (wrong === undefined) tools.set(tool.definition.name, compileListedTool(server, tool, place));
    else problems.push(`the tool "${tool.definition.name}" is ignored: ${wrong}`);
  }
  return { tools, problems };
}

function findProblem(
  { definition, scopes = [], sets = [] }: ListedTool,
  tools: Tools,
  taken: ReadonlySet<string>,
): string | undefined {
  const { name, description = '', inputSchema, outputSchema = inputSchema, _meta } = definition;
  const [metaProblem = ''] = checkOptions(META_CHECK, { _meta });
  const problems: readonly (readonly [isProblem: boolean, message: string])[] = [
    [!isToolName(name), 'its name is not a valid tool name; use 1 to 64 characters of A-Z a-z 0-9 _ - . /'],
    [tools.has(name), 'another tool has its name'],
    [taken.has(name), 'a tool set has its name'],
    [description === '', 'it has no description; models choose tools by their descriptions'],
    [[inputSchema, outputSchema].some(({ type }) => type !== 'object'), 'its schemas must be of type "object"'],
    [!scopes.every(isScope), 'one of its scopes is not a valid OAuth scope'],
    [metaProblem !== '', metaProblem],
    [!sets.every(isSetName), 'one of its sets does not have a valid name'],
  ];
  return problems.find(([isProblem]) => isProblem)?.[1];
}

function compileListedTool(server: object, tool: ListedTool, place: string): CompiledTool {
  const { definition, scopes = [definition.annotations?.readOnlyHint === true ? 'read' : 'write'], sets = ['default'] } = tool;
  const shown = freeze(structuredClone(definition));
  const intercept = getInterceptor(server);
  const call = (input: Readonly<Record<string, unknown>>, context: RequestContext): unknown => tool.call(input, context);
  return {
    member: 'call',
    owner: [],
    // The server object's own interceptor applies to listed tools, as it does to features.
    extraFeature: { call, ...(intercept && { intercept }) },
    place: `${place}: ${shown.name}`,
    definition: shown,
    input: { kind: 'raw', schema: shown.inputSchema },
    output: undefined,
    limits: {},
    scopes: [...scopes],
    sets: [...sets],
  };
}
