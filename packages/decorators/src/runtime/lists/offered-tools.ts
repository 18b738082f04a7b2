import type { CompiledServer, CompiledTool, ToolDefinition } from '../../compile/compiled-server.ts';
import { listServerParts, type ServerPart } from '../../compile/feature-tree.ts';
import { findNearestName } from '../../text/nearest-name.ts';
import type { ErrorListener } from '../hooks/hooks.ts';
import { compileListing, describeLister, isToolLister, type ListedTool, type ToolLister } from './listed-tools.ts';

/** The operator's selection of tools. */
export interface ToolSelection {
  /**
   * Names of tools and tool sets that are offered. `all` selects every tool. Default: the selection of the server object, or
   * `['default']`.
   */
  readonly tools?: readonly string[] | undefined;
  /** Names of tools and tool sets that are not offered, even if `tools` selects them. Default: none. */
  readonly disableTools?: readonly string[] | undefined;
  /** Whether only tools are offered that have `readOnlyHint: true` and do not need the scope `write`. Default: false. */
  readonly readOnly?: boolean | undefined;
  /**
   * Whether a selected tool is offered. Called for each list and each call. Publish changes by {@link ChangeBus}. Default: every
   * selected tool is offered.
   */
  readonly isToolEnabled?: ((tool: CompiledTool) => boolean) | undefined;
}

/** Implemented by a server object or a feature whose options contain the operator's selection of its tools. */
export interface ToolSelector {
  /** The selection. The options of the factory can select other tools, but not undo `disableTools` and `readOnly`. */
  readonly toolSelection: Pick<ToolSelection, 'tools' | 'disableTools' | 'readOnly'>;
}

/** Implemented by a server object or a feature that does not always offer all its tools. */
export interface ToolOfferer {
  /**
   * Whether a tool is offered with the object's options. Called for each list and each call of a tool of the object or of its
   * features, but not for a tool that the operator did not select, unless a view calls the tool. Publish changes by {@link
   * ChangeBus}.
   */
  offers(tool: ToolDefinition): boolean;
}

/** A server object, its compiled members and the features that are served in addition. */
export interface ServedObject {
  readonly server: object;
  readonly compiled: CompiledServer;
  /** Features that are served in addition to the server object. Default: none. */
  readonly features?: readonly object[] | undefined;
  /** Receives the errors of `listTools`. Default: these errors are ignored. */
  readonly onError?: ErrorListener | undefined;
}

/** An object that lists tools at run time. */
interface Lister {
  readonly part: ServerPart;
  readonly lister: ToolLister;
}

/** The tools that an object listed. */
interface Listed {
  readonly part: ServerPart;
  readonly tools: readonly ListedTool[];
}

/** Whether the operator selected a tool, and the objects whose method `offers` may exclude the tool. */
interface Choice {
  readonly isSelected: boolean;
  /** Whether a view calls the tool, and the selection includes the default tools. */
  readonly isForViews: boolean;
  readonly offerers: readonly ToolOfferer[];
}

/** The tools that a server currently offers: those that the operator selected and the server object and its features offer. */
export class OfferedTools {
  readonly #compiled: CompiledServer;
  readonly #parts: readonly ServerPart[];
  readonly #listers: readonly Lister[];
  readonly #selection: ToolSelection;
  readonly #onError: ErrorListener;
  readonly #choices = new WeakMap<CompiledTool, Choice>();
  /**
   * The arrays that the listers returned last, and all tools. The tools are compiled again when a lister returns another array.
   */
  #known: { readonly listed: readonly Listed[]; readonly tools: ReadonlyMap<string, CompiledTool> } | undefined;

  /**
   * @throws RangeError if the selection contains a name that is neither a tool nor a tool set. If the server lists tools at
   * run time, the constructor throws only for a name that resembles an existing one.
   */
  constructor({ server, compiled, features, onError = () => undefined }: ServedObject, selection: ToolSelection = {}) {
    this.#compiled = compiled;
    this.#parts = listServerParts(server, features);
    this.#listers = this.#parts.flatMap((part) => (isToolLister(part.object) ? [{ part, lister: part.object }] : []));
    this.#selection = mergeSelections(getSelection(server), selection);
    this.#onError = onError;
    for (const each of [this.#selection, ...this.#parts.map(({ object }) => getSelection(object))]) {
      const problem = findUnknownName(each, compiled, this.#listers.length > 0);
      if (problem !== undefined) throw new RangeError(problem);
    }
  }

  /** Whether the server has tools, or may list some while it runs. */
  get mayExist(): boolean {
    return this.#compiled.tools.size > 0 || this.#listers.length > 0;
  }

  /** Lists the tools that are offered to models, in the order of {@link OfferedTools.listAll}. */
  list(): readonly CompiledTool[] {
    return this.listAll().filter((tool) => this.isOffered(tool) && !isForViewsOnly(tool));
  }

  /** Lists the tools that are offered to models or to views, in the order of {@link OfferedTools.listAll}. */
  listServed(): readonly CompiledTool[] {
    return this.listAll().filter((tool) => this.isOffered(tool) || this.isOfferedToViews(tool));
  }

  /**
   * Lists all tools, including those that are not offered: the tools of classes, then the tools that objects list at run time.
   */
  listAll(): readonly CompiledTool[] {
    return [...this.#collect().values()];
  }

  /** Whether a tool is offered. */
  readonly isOffered = (tool: CompiledTool): boolean => this.#choiceOf(tool).isSelected && this.#isEnabled(tool);

  /**
   * Whether views may call a tool that the operator may not have selected: a view calls it, and the selection includes the
   * default tools.
   */
  isOfferedToViews(tool: CompiledTool): boolean {
    return this.#choiceOf(tool).isForViews && this.#isEnabled(tool);
  }

  /** Whether a client has a tool. Clients without MCP Apps do not have the tools that only views call. */
  isServed(tool: CompiledTool, hasApps: boolean): boolean {
    if (this.isOffered(tool)) return hasApps || !isForViewsOnly(tool);
    return hasApps && this.isOfferedToViews(tool);
  }

  /** Returns the tool with this name if it is offered to models or to views, otherwise `undefined`. */
  find(name: string): CompiledTool | undefined {
    const tool = this.#compiled.tools.get(name) ?? (this.#listers.length > 0 ? this.#collect().get(name) : undefined);
    return tool !== undefined && (this.isOffered(tool) || this.isOfferedToViews(tool)) ? tool : undefined;
  }

  #isEnabled(tool: CompiledTool): boolean {
    const { offerers } = this.#choiceOf(tool);
    return offerers.every((each) => each.offers(tool.definition)) && this.#selection.isToolEnabled?.(tool) !== false;
  }

  #choiceOf(tool: CompiledTool): Choice {
    const known = this.#choices.get(tool);
    if (known !== undefined) return known;
    const [, ...features] = this.#parts;
    const holders = features.filter((part) => contains(part, tool)).map(({ object }) => object);
    const selections = [this.#selection, ...holders.map(getFeatureSelection)];
    const isCalled = this.#compiled.calledByViews.has(tool.definition.name);
    const choice = {
      isSelected: selections.every((each) => isSelected(each, tool)),
      isForViews: isCalled && selections.every((each) => includesDefault(each, tool)),
      offerers: [...this.#parts.slice(0, 1).map(({ object }) => object), ...holders].filter(isOfferer),
    };
    this.#choices.set(tool, choice);
    return choice;
  }

  #collect(): ReadonlyMap<string, CompiledTool> {
    const listed = this.#listers.flatMap((part) => this.#callLister(part));
    const isUnchanged =
      this.#known?.listed.length === listed.length &&
      this.#known.listed.every(({ part, tools }, index) => part === listed[index]?.part && tools === listed[index].tools);
    if (!isUnchanged) this.#known = { listed, tools: this.#compile(listed) };
    return this.#known?.tools ?? this.#compiled.tools;
  }

  #callLister({ lister, part }: Lister): readonly Listed[] {
    try {
      return [{ part, tools: lister.listTools() }];
    } catch (error) {
      this.#onError(error, describeLister(part));
      return [];
    }
  }

  #compile(listed: readonly Listed[]): ReadonlyMap<string, CompiledTool> {
    let { tools } = this.#compiled;
    for (const { part, tools: added } of listed) {
      const listing = compileListing(part, added, tools);
      tools = listing.tools;
      for (const problem of listing.problems) this.#onError(new TypeError(problem), describeLister(part));
    }
    return tools;
  }
}

/** Whether a tool belongs to a feature or to one of its features. */
function contains({ owner, extraFeature }: ServerPart, tool: CompiledTool): boolean {
  return extraFeature === tool.extraFeature && owner.every((name, index) => name === tool.owner[index]);
}

function getSelection(object: object): ToolSelection {
  return isSelector(object) ? object.toolSelection : {};
}

/** Returns the selection of a feature. Without a selection of tools, a feature offers what the server selects. */
function getFeatureSelection(object: object): ToolSelection {
  const selection = getSelection(object);
  return { ...selection, tools: selection.tools ?? ['all'] };
}

function isSelector(object: object): object is ToolSelector {
  return 'toolSelection' in object && typeof object.toolSelection === 'object' && object.toolSelection !== null;
}

function mergeSelections(own: ToolSelection, given: ToolSelection): ToolSelection {
  return {
    tools: given.tools ?? own.tools,
    disableTools: [...(own.disableTools ?? []), ...(given.disableTools ?? [])],
    readOnly: own.readOnly === true || given.readOnly === true,
    isToolEnabled: given.isToolEnabled,
  };
}

function isOfferer(object: object): object is ToolOfferer {
  return 'offers' in object && typeof object.offers === 'function';
}

function isSelected({ tools = ['default'], ...selection }: ToolSelection, tool: CompiledTool): boolean {
  return isIn(tools, tool) && isAllowed(selection, tool);
}

/**
 * Whether a selection offers a tool to the views that call it. The selection must include the tool or the set `default`, and must
 * not exclude the tool.
 */
function includesDefault({ tools = ['default'], ...selection }: ToolSelection, tool: CompiledTool): boolean {
  return (tools.includes('default') || isIn(tools, tool)) && isAllowed(selection, tool);
}

function isAllowed({ disableTools = [], readOnly = false }: ToolSelection, tool: CompiledTool): boolean {
  const isReading = tool.definition.annotations?.readOnlyHint === true && !tool.scopes.includes('write');
  return !isIn(disableTools, tool) && (!readOnly || isReading);
}

function isIn(names: readonly string[], { definition, sets }: CompiledTool): boolean {
  return names.some((name) => name === 'all' || name === definition.name || sets.includes(name));
}

/** Returns a message about a name that is neither a tool nor a tool set, or `undefined`. */
function findUnknownName(
  { tools = [], disableTools = [] }: ToolSelection,
  compiled: CompiledServer,
  mayBeListed: boolean,
): string | undefined {
  const names = [...tools, ...disableTools];
  if (names.length === 0) return undefined;
  const known = [...compiled.tools.keys(), ...groupToolsBySet(compiled).keys()];
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = findNearestName(name, known);
    if (mayBeListed && near === undefined && name !== '') continue;
    return `unknown tool "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  }
  return undefined;
}

/** Whether only views call a tool, so that clients without MCP Apps do not have it. */
function isForViewsOnly({ app }: CompiledTool): boolean {
  return app?.visibility?.includes('model') === false;
}

/**
 * Returns the names of the tools in each set: first `default` and `all`, then the other sets in the order of the tools. Tools that only
 * views call are left out.
 */
export function groupToolsBySet({ tools }: Pick<CompiledServer, 'tools'>): ReadonlyMap<string, readonly string[]> {
  const sets = new Map<string, string[]>([
    ['default', []],
    ['all', [...tools].flatMap(([name, tool]) => (isForViewsOnly(tool) ? [] : [name]))],
  ]);
  for (const [name, tool] of tools) {
    if (isForViewsOnly(tool)) continue;
    for (const set of tool.sets) sets.set(set, [...(sets.get(set) ?? []), name]);
  }
  return sets;
}
