import type { JsonTypes, JsonValue } from './json-type.ts';
import type { Constructor } from './lineage.ts';

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
  /** Default: what `src` is served as. */
  readonly mimeType?: string;
  /** For instance `48x48`, or `any` for a scalable one. */
  readonly sizes?: string[];
  /** The background it is made for. Default: either. */
  readonly theme?: 'light' | 'dark';
}

/**
 * Facts for programs rather than models, by key: JSON values. A key has a prefix that its author owns, such as
 * `com.example/name`.
 */
export type Meta = Readonly<Record<string, unknown>>;

/** Settings by the name of what they are for; `{}` for support without settings. */
export type Settings = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

/** How much a tool may be called. */
export interface CallLimits {
  /**
   * Milliseconds after which a call ends with TIMEOUT, 1 to 2,147,483,647; the time a client takes to answer a question does not
   * count. Default: none.
   */
  readonly timeoutMs?: number;
  /**
   * Calls of this tool that run concurrently in the process. At most 100 further calls of each caller wait; any more fail with
   * OVERLOADED. Callers take turns. Over HTTP, the last of several slots is reserved for a caller
   * without a slot if another caller called within the last ten minutes. Default: any
   * number.
   */
  readonly maxConcurrent?: number;
  /** Calls that one client may make in this many seconds; what comes then fails with RATE_LIMITED. Default: any number. */
  readonly rateLimit?: { readonly calls: number; readonly perSeconds: number };
}

/** How long a client may keep an answer; sent on 2026-07-28 only. Without it, nothing is kept. */
export interface CacheHint {
  /** Milliseconds; 0 is not at all. */
  readonly ttlMs?: number;
  /** `public` where the answer is the same for everyone, so that a shared cache may keep it. Default: `private`. */
  readonly cacheScope?: 'public' | 'private';
}

/** What a client may assume of a resource's content. */
export interface ResourceAnnotations {
  /** Whom it is for. */
  readonly audience?: ('user' | 'assistant')[];
  /** How much it matters: 0 (may be left out) to 1 (is effectively required). */
  readonly priority?: number;
  /** When it last changed: a date and time of ISO 8601 with its offset, for instance `2026-07-28T12:00:00Z`. */
  readonly lastModified?: string;
}

/** What a table of `@McpServer` changes of a tool. */
export type ToolOverride = CallLimits &
  Pick<ToolOptions, 'description' | 'title' | 'annotations' | 'input' | 'scopes' | 'sets' | '_meta'>;

/** What a table of `@McpServer` changes of a prompt. */
export type PromptOverride = Pick<PromptOptions, 'description' | 'title' | 'args' | '_meta'>;

/** What a table of `@McpServer` changes of a resource or a resource template. */
export type ResourceOverride = Pick<ResourceOptions, 'description' | 'title' | 'mimeType' | 'annotations' | 'cache' | '_meta'>;

/**
 * Changes to what a server class inherits or composes, by name on the wire: `false` removes, `true` brings back what a class above
 * removed, an object changes the options it gives.
 *
 * Applied after every decorator, the tables of the base-most class first. Only `true` brings back; an object does not.
 */
export type OverrideTable<Override> = Readonly<Record<string, boolean | Override>>;

/** Options of `@McpServer`; what is left out is taken from the class above. */
export interface McpServerOptions {
  /** The server's name on the wire, for instance `mcp-fs`. Required on the base-most class. */
  readonly name?: string;
  /** Required on the base-most class. */
  readonly version?: string;
  /** The server's name as people read it. */
  readonly title?: string;
  /** What the server is, in a sentence for people. */
  readonly description?: string;
  /** An absolute URL. */
  readonly websiteUrl?: string;
  /** Shown beside the server's name. */
  readonly icons?: Icon[];
  /** Sent with the result of `initialize` and `server/discover`. Merged with the inherited one key by key. */
  readonly _meta?: Meta;
  /**
   * Extensions of the protocol that the server supports, by identifier with a prefix (`com.example/name`), sent as a capability.
   * Merged with the inherited ones.
   */
  readonly extensions?: Settings;
  /** Capabilities outside the specification, by name, sent as a capability. Merged with the inherited ones. */
  readonly experimental?: Settings;
  /** How a model should use the server. */
  readonly instructions?: string;
  /** How long clients may keep its lists and what it says of itself. */
  readonly cache?: CacheHint;
  /** Entries of one page of a list. Default: 1000. */
  readonly pageSize?: number;
  /** By a tool's name; a name that no tool has is a definition error. */
  readonly tools?: OverrideTable<ToolOverride>;
  /** By a prompt's name; a name that no prompt has is a definition error. */
  readonly prompts?: OverrideTable<PromptOverride>;
  /** By the `name` of a resource or resource template; a name that none has is a definition error. */
  readonly resources?: OverrideTable<ResourceOverride>;
}

/** Options of `@Tool`. */
export interface ToolOptions<Input extends object = object, Output extends object = object> extends CallLimits {
  /** What the tool does; models choose by it. Required, on the method or on one that it overrides. */
  readonly description?: string;
  /** The tool's name as people read it. */
  readonly title?: string;
  /** Name on the wire, 1 to 64 of `A-Z a-z 0-9 _ - . /`. Default: the method's name in snake case. */
  readonly name?: string;
  /**
   * Class of the arguments; `null` for a method of `(context)` alone. Default: the first parameter's class, where the compiler
   * emits it.
   */
  readonly input?: Constructor<Input> | null;
  /**
   * JSON Schema of the arguments instead of a class, of type `object` at its root. It is sent as it is; the method gets the
   * arguments as a plain object.
   */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Class of the structured content. Only its declared properties are sent. */
  readonly output?: Constructor<Output>;
  /** On an override, merged with the inherited ones hint by hint. */
  readonly annotations?: ToolHints;
  /**
   * OAuth scopes that an access token needs for a call, all of them, where the host asks for tokens; an empty list is none. They are
   * not sent to clients. On an override, they replace the inherited ones. Default: `read` with `readOnlyHint: true`, `write`
   * without.
   */
  readonly scopes?: readonly string[];
  /**
   * Sets of tools that it belongs to, which the operator offers by name: lower-case letters, digits, `-` and `_`. What is in no set
   * is offered by its own name only. `all` is the set of all tools. On an override, they replace the inherited ones. Default: `default`,
   * the set that is offered where the operator names none.
   */
  readonly sets?: readonly string[];
  /** Shown beside the tool's name. */
  readonly icons?: Icon[];
  /** Sent with the definition in lists. On an override, merged with the inherited one key by key. */
  readonly _meta?: Meta;
}

/** What a resource and a resource template have in common. */
interface DescribedResource {
  /** Default: the method's name in snake case. */
  readonly name?: string;
  /** The name as people read it. */
  readonly title?: string;
  /** What is in it. */
  readonly description?: string;
  /** Default: by what the method returns, `text/plain`, `application/json` or `application/octet-stream`. */
  readonly mimeType?: string;
  /** Shown beside the name. */
  readonly icons?: Icon[];
  /** Sent with the definition in lists. On an override, merged with the inherited one key by key. */
  readonly _meta?: Meta;
  /** On an override, merged with the inherited ones one by one. */
  readonly annotations?: ResourceAnnotations;
  /** How long clients may keep what is read. */
  readonly cache?: CacheHint;
}

/** Options of `@Resource`: either a `uri` or a `uriTemplate` with the class of its variables. */
export interface ResourceOptions<Variables extends object = object> extends DescribedResource {
  /** The absolute URI of one resource; its method takes the context alone. */
  readonly uri?: string;
  /**
   * Simple `{name}` (one path segment) and reserved `{+name}` (anything, or nothing; at most one) expressions of RFC 6570, or `{?name,other}`
   * at its end instead of the latter (optional properties), named as the properties of the class of variables are.
   */
  readonly uriTemplate?: string;
  /** Class of the template's variables. Default: the first parameter's class, where the compiler emits it. */
  readonly variables?: Constructor<Variables>;
}

/** Options of `@Prompt`. */
export interface PromptOptions<Arguments extends object = object> {
  /** What the prompt is for. */
  readonly description?: string;
  /** The prompt's name as people read it. */
  readonly title?: string;
  /** Default: the method's name in snake case. */
  readonly name?: string;
  /**
   * Class of the arguments; `null` for a method of `(context)` alone. Default: the first parameter's class, where the compiler
   * emits it.
   */
  readonly args?: Constructor<Arguments> | null;
  /** Shown beside the prompt's name. */
  readonly icons?: Icon[];
  /** Sent with the definition in lists. On an override, merged with the inherited one key by key. */
  readonly _meta?: Meta;
}

/**
 * Options of `@Field`. A subclass's `@Field` replaces what it gives and keeps the rest.
 *
 * `type`, `oneOf` and `values` say what class-validator's rules cannot; at most one of them is given. On an array (`@IsArray()`, or
 * a rule with `{ each: true }`) they describe its elements.
 */
export interface FieldOptions {
  /** What the value is; models and `--help` show it. */
  readonly description?: string;
  /** A short label; for a command-line option, what stands for its value in `--help`. */
  readonly title?: string;
  /**
   * Class of the nested object, which is read and validated with it. Or JSON types, for values of mixed types (`['string', 'number']`) and
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
  /** Name of the argument or variable. */
  readonly argument: string;
}

/** Options of `@Feature`. */
export interface FeatureOptions<Instance extends object = object> {
  /** Class of the object that the property holds. Default: the property's declared class, where the compiler emits it. */
  readonly type?: () => Constructor<Instance>;
}
