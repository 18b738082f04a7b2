import { DefinitionError } from '../errors.ts';
import type { JsonTypes } from './json-type.ts';
import type { Constructor } from './lineage.ts';
import { classNameOf } from './lineage.ts';
import { Slot } from './slot.ts';

/** What a client may assume of a tool; hints, not guarantees. */
export interface ToolHints {
  /** The tool changes nothing. Default: false. */
  readonly readOnlyHint?: boolean;
  /** The tool may overwrite or remove something. Default: true unless read-only. */
  readonly destructiveHint?: boolean;
  /** Calling again with the same arguments changes nothing more. Default: false. */
  readonly idempotentHint?: boolean;
  /** The tool reaches an open world, such as the network. Default: true. */
  readonly openWorldHint?: boolean;
}

/** An image that a client may show beside a name. */
export interface Icon {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** For instance `48x48`, or `any` for a scalable one. */
  readonly sizes?: string[];
}

/** Options of `@McpServer`; what is left out is taken from the class above. */
export interface McpServerOptions {
  /** The server's name on the wire, for instance `mcp-fs`. Required on the base-most class. */
  readonly name?: string;
  /** Required on the base-most class. */
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: Icon[];
  /** How a model should use the server. */
  readonly instructions?: string;
}

/** Options of `@Tool`. */
export interface ToolOptions<Input extends object = object, Output extends object = object> {
  readonly description?: string;
  readonly title?: string;
  /** Name on the wire, 1 to 64 of `A-Z a-z 0-9 _ - . /`. Default: the method's name in snake case. */
  readonly name?: string;
  /** Class of the arguments. Default: the first parameter's class, where the compiler emits it. */
  readonly input?: Constructor<Input>;
  /** Class of the structured content. Only its declared properties are sent. */
  readonly output?: Constructor<Output>;
  readonly annotations?: ToolHints;
  readonly icons?: Icon[];
}

interface DescribedResource {
  /** Default: the method's name in snake case. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly icons?: Icon[];
}

/** Options of `@Resource`: either a `uri` or a `uriTemplate` with the class of its variables. */
export interface ResourceOptions<Variables extends object = object> extends DescribedResource {
  readonly uri?: string;
  /** Simple `{name}` and reserved `{+name}` expressions of RFC 6570. */
  readonly uriTemplate?: string;
  /** Class of the template's variables. Default: the first parameter's class, where the compiler emits it. */
  readonly variables?: Constructor<Variables>;
}

/** Options of `@Prompt`. */
export interface PromptOptions<Arguments extends object = object> {
  readonly description?: string;
  readonly title?: string;
  /** Default: the method's name in snake case. */
  readonly name?: string;
  /** Class of the arguments. Default: the first parameter's class, where the compiler emits it. */
  readonly args?: Constructor<Arguments>;
  readonly icons?: Icon[];
}

/**
 * Options of `@Field`. A subclass's `@Field` replaces what it gives and keeps the rest.
 *
 * `type`, `oneOf` and `values` say what class-validator's rules cannot; at most one of them is given. On an array (`@IsArray()`, or
 * a rule with `{ each: true }`) they describe its elements.
 */
export interface FieldOptions {
  readonly description?: string;
  /** A short label; for a command-line option, what stands for its value in `--help`. */
  readonly title?: string;
  /**
   * Class of the nested object; goes with `@ValidateNested()`. Or JSON types, for values of mixed types (`['string', 'number']`) and
   * of any (`'any'`): `null` is then a value like any other, and no rule is needed.
   */
  readonly type?: (() => Constructor) | JsonTypes;
  /** Classes of which the nested object is one, told apart by {@link FieldOptions.discriminator}. */
  readonly oneOf?: () => readonly Constructor[];
  /** Property by which the classes of `oneOf` are told apart: each pins it by `@Equals()` or `@IsIn()`, to values of its own. */
  readonly discriminator?: string;
  /** Class, or JSON types, of the values of an object with arbitrary keys. The key `__proto__` is refused. */
  readonly values?: (() => Constructor) | JsonTypes;
  /**
   * The keyword `format` of JSON Schema, for strings. It is only advertised, and clients may take it more strictly than the rules
   * here do; `@IsUUID()` and `@IsIP('4')` give it by themselves.
   */
  readonly format?: string;
  /** Titles of the values that `@IsIn()`, `@IsEnum()` or `@Equals()` allow, by value; a value without one is its own title. */
  readonly titles?: Readonly<Record<string, string>>;
  /**
   * Name of the HTTP header, after `Mcp-Param-`, that repeats the value for proxies (`x-mcp-header`): an RFC 9110 token, unique in
   * the input whatever its case. Only for strings, integers and booleans that stand in no array, map, union or recursive class.
   */
  readonly header?: string;
}

/** Options of `@Complete`: one argument of a prompt, or one variable of a resource template. */
export interface CompleteOptions {
  /** URI template whose variable is completed. */
  readonly resource?: string;
  /** Name on the wire of the prompt whose argument is completed. */
  readonly prompt?: string;
  readonly argument: string;
}

/** One annotation of a method, as its decorator left it. */
export type MemberAnnotation =
  | { readonly kind: 'tool'; readonly options: ToolOptions }
  | { readonly kind: 'resource'; readonly options: ResourceOptions }
  | { readonly kind: 'prompt'; readonly options: PromptOptions };

export type MemberKind = MemberAnnotation['kind'];

const servers = new Slot<McpServerOptions>('server');
const members = new Slot<Map<string, MemberAnnotation[]>>('members');
const completions = new Slot<Map<string, CompleteOptions[]>>('completions');
const fields = new Slot<Map<string, FieldOptions>>('fields');

export function annotateServer(prototype: object, options: McpServerOptions): void {
  servers.write(prototype, options);
}

export function annotateMember(prototype: object, member: unknown, annotation: MemberAnnotation): void {
  const name = legacyMemberName(prototype, member, `@${annotation.kind}`);
  const own = members.open(prototype, () => new Map());
  own.set(name, [...(own.get(name) ?? []), annotation]);
}

export function annotateCompletion(prototype: object, member: unknown, options: CompleteOptions): void {
  const name = legacyMemberName(prototype, member, '@Complete');
  const own = completions.open(prototype, () => new Map());
  own.set(name, [...(own.get(name) ?? []), options]);
}

export function annotateField(prototype: object, member: unknown, options: FieldOptions): void {
  fields.open(prototype, () => new Map()).set(legacyMemberName(prototype, member, '@Field'), options);
}

export function serverAnnotation(prototype: object): McpServerOptions | undefined {
  return servers.read(prototype);
}

export function memberAnnotations(prototype: object): ReadonlyMap<string, readonly MemberAnnotation[]> {
  return members.read(prototype) ?? new Map();
}

export function completionAnnotations(prototype: object): ReadonlyMap<string, readonly CompleteOptions[]> {
  return completions.read(prototype) ?? new Map();
}

export function fieldAnnotations(prototype: object): ReadonlyMap<string, FieldOptions> {
  return fields.read(prototype) ?? new Map();
}

// A standard decorator is called with (value, context): its server would come up with no tools and no error.
function legacyMemberName(prototype: object, member: unknown, decorator: string): string {
  if (typeof member === 'string') return member;
  const place = typeof prototype === 'object' ? classNameOf(prototype) : 'a class';
  throw new DefinitionError([
    `${place}: ${decorator} stands on a member whose name is not a string; compile with "experimentalDecorators": true, ` +
      'and check that the file is included by its tsconfig',
  ]);
}
