import type { CompiledTool, RawSchema, ToolDefinition } from '../../compile/compiled-server.ts';
import { isScope, isSetName, isToolName } from '../../compile/names.ts';
import type { ServerPart } from '../../compile/feature-tree.ts';
import { META_CHECK, checkOptions } from '../../compile/option-checks.ts';
import { CONTRADICTION, contradictsItself } from '../../compile/tools.ts';
import { freeze } from '../../schema/json-schema.ts';
import type { RequestContext } from '../context/request-context.ts';

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

/** All tools, and the reasons why listed tools are ignored. */
interface Listing {
  readonly tools: Tools;
  readonly problems: readonly string[];
}

/** Whether a server object may have tools that its class does not declare. */
export function isToolLister(server: object): server is ToolLister {
  return 'listTools' in server && typeof server.listTools === 'function';
}

/** Returns the place of the tools that an object lists, for the log. */
export function describeLister({ object }: ServerPart): string {
  return `${object.constructor.name}.listTools`;
}

/** Returns the known tools with the tools that an object lists, and the reasons why some listed tools are ignored. */
export function compileListing(part: ServerPart, listed: readonly ListedTool[], known: Tools): Listing {
  const tools = new Map(known);
  const sets = new Set(['all', 'default', ...[...known.values()].flatMap((tool) => tool.sets)]);
  const problems: string[] = [];
  for (const tool of listed) {
    const wrong = findProblem(tool, tools, sets);
    if (wrong === undefined) tools.set(tool.definition.name, compileListedTool(part, tool));
    else problems.push(`the tool "${tool.definition.name}" is ignored: ${wrong}`);
  }
  return { tools, problems };
}

function findProblem(
  { definition, scopes = [], sets = [] }: ListedTool,
  tools: Tools,
  taken: ReadonlySet<string>,
): string | undefined {
  const { name, description = '', inputSchema, outputSchema = inputSchema, annotations, _meta } = definition;
  const [metaProblem = ''] = checkOptions(META_CHECK, { _meta });
  const problems: readonly (readonly [isProblem: boolean, message: string])[] = [
    [!isToolName(name), 'its name is not a valid tool name; use 1 to 64 characters of A-Z a-z 0-9 _ - . /'],
    [tools.has(name), 'another tool has its name'],
    [taken.has(name), 'a tool set has its name'],
    [description === '', 'it has no description; models choose tools by their descriptions'],
    [[inputSchema, outputSchema].some(({ type }) => type !== 'object'), 'its schemas must be of type "object"'],
    [!scopes.every(isScope), 'one of its scopes is not a valid OAuth scope'],
    [contradictsItself(annotations), `it ${CONTRADICTION}`],
    [metaProblem !== '', metaProblem],
    [!sets.every(isSetName), 'one of its sets does not have a valid name'],
  ];
  return problems.find(([isProblem]) => isProblem)?.[1];
}

function compileListedTool(part: ServerPart, tool: ListedTool): CompiledTool {
  const { owner, extraFeature } = part;
  const { definition, scopes = [definition.annotations?.readOnlyHint === true ? 'read' : 'write'], sets = ['default'] } = tool;
  const shown = freeze(structuredClone(definition));
  return {
    member: 'call',
    owner,
    ...(extraFeature && { extraFeature }),
    receiver: tool,
    place: `${describeLister(part)}: ${shown.name}`,
    definition: shown,
    input: { kind: 'raw', schema: shown.inputSchema },
    output: undefined,
    limits: {},
    scopes: [...scopes],
    sets: [...sets],
    app: undefined,
  };
}
