import type { JsonTypes, JsonValue } from './json-type.ts';
import type { Constructor } from './lineage.ts';
import type { StandardSchema } from './standard-schema.ts';

/** Hints about the behaviour of a tool; not guarantees. */
export interface ToolHints {
  /** The tool changes nothing. Default: false. */
  readonly readOnlyHint?: boolean;
  /** The tool may overwrite or remove something. Default: true unless read-only. */
  readonly destructiveHint?: boolean;
  /** A second call with the same arguments has no further effect. Default: false. */
  readonly idempotentHint?: boolean;
  /** The tool reaches an open world, such as the network. Default: true. */
  readonly openWorldHint?: boolean;
}

/** An image that a client may show next to a name. */
export interface Icon {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  /** Media type of the image. Default: the media type that `src` is served with. */
  readonly mimeType?: string;
  /** Sizes of the image, for instance `48x48`, or `any` for a scalable image. */
  readonly sizes?: string[];
  /** Background that the icon is designed for. Default: the icon suits light and dark backgrounds. */
  readonly theme?: 'light' | 'dark';
}

/**
 * Facts for programs rather than models: JSON values by key. A key has a prefix that its author owns, such as `com.example/name`.
 */
export type Meta = Readonly<Record<string, unknown>>;

/** Settings of extensions or capabilities by their names; `{}` declares support without settings. */
export type Settings = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

/** Limits for calls of a tool. */
export interface CallLimits {
  /**
   * Time limit of a call in milliseconds, 1 to 2,147,483,647; the call then fails with TIMEOUT. Time that the client takes to
   * answer a question does not count. Default: no limit.
   */
  readonly timeoutMs?: number;
  /**
   * Maximum number of concurrent calls of this tool in the process. At most 100 further calls of each caller wait; any more fail
   * with OVERLOADED. Callers take turns. Over HTTP, the last of several slots is reserved for a caller without a slot if another
   * caller called within the last ten minutes. Default: no limit.
   */
  readonly maxConcurrent?: number;
  /**
   * Rate limit for each caller (token bucket): a burst of `calls`, and then `calls` per `perSeconds` on average; any more fail with
   * RATE_LIMITED. Default: no limit.
   */
  readonly rateLimit?: { readonly calls: number; readonly perSeconds: number };
}

/** How long a client may cache a result; sent on 2026-07-28 only. Without this hint, clients must not cache the result. */
export interface CacheHint {
  /** Time in milliseconds during which a client may cache the result; 0 disables caching. */
  readonly ttlMs?: number;
  /** `public` if the result is the same for all users, so that a shared cache may keep it. Default: `private`. */
  readonly cacheScope?: 'public' | 'private';
}

/** Hints about the content of a resource. */
export interface ResourceAnnotations {
  /** Intended readers. */
  readonly audience?: ('user' | 'assistant')[];
  /** Importance, from 0 (optional) to 1 (effectively required). */
  readonly priority?: number;
  /** Time of the last change: an ISO 8601 date and time with offset, for instance `2026-07-28T12:00:00Z`. */
  readonly lastModified?: string;
}

/** Changes of a tool, as an entry of the option `tools` of `@McpServer`. */
export type ToolOverride = CallLimits &
  Pick<ToolOptions, 'description' | 'title' | 'annotations' | 'input' | 'scopes' | 'sets' | 'app' | '_meta'>;

/** Changes of a prompt, as an entry of the option `prompts` of `@McpServer`. */
export type PromptOverride = Pick<PromptOptions, 'description' | 'title' | 'args' | '_meta'>;

/**
 * Changes of a resource or resource template, as an entry of the option `resources` of `@McpServer`. Only a resource template may
 * get another `uriTemplate`, with the same variables; completions that name the old template apply to the new one.
 */
export type ResourceOverride = Pick<
  ResourceOptions,
  'uriTemplate' | 'description' | 'title' | 'mimeType' | 'annotations' | 'cache' | '_meta'
>;

/**
 * Changes of inherited or composed members, by name on the wire. `false` removes a member, `true` restores a member that a base
 * class removed, and an object changes options. An object does not restore a removed member.
 *
 * These changes apply after all decorators, and the changes of base classes apply first.
 */
export type OverrideTable<Override> = Readonly<Record<string, boolean | Override>>;

/** Options for `@McpServer`. Omitted options are inherited from the base class. */
export interface McpServerOptions {
  /**
   * Name on the wire, for instance `mcp-fs`. Required on the base class. A program of `@org/mcp-host` derives the names of its
   * environment variables from this name (`MCP_FS_READ_ONLY`), so a subclass with another name has other variables.
   */
  readonly name?: string;
  /** Version of the server. Required on the base class. */
  readonly version?: string;
  /** Display name. */
  readonly title?: string;
  /** One sentence for people that describes the server. */
  readonly description?: string;
  /** Absolute URL of the server's website. */
  readonly websiteUrl?: string;
  /** Icons that clients may show next to the server's name. */
  readonly icons?: Icon[];
  /** Metadata that is sent with the result of `initialize` and `server/discover`. Merged with the inherited `_meta` key by key. */
  readonly _meta?: Meta;
  /**
   * Supported protocol extensions, by identifier with a prefix (`com.example/name`); sent as capabilities. Merged with the
   * inherited extensions.
   */
  readonly extensions?: Settings;
  /** Capabilities outside the specification, by name; sent as capabilities. Merged with the inherited settings. */
  readonly experimental?: Settings;
  /** Instructions for the model. */
  readonly instructions?: string;
  /** How long clients may cache the lists and the server's description. The list of tools is `private`, because it depends on the token. */
  readonly cache?: CacheHint;
  /** Maximum number of entries of one list page. Default: 1,000. */
  readonly pageSize?: number;
  /** Changes of tools, by the tool's name on the wire; an unknown name is a definition error. */
  readonly tools?: OverrideTable<ToolOverride>;
  /** Changes of prompts, by the prompt's name on the wire; an unknown name is a definition error. */
  readonly prompts?: OverrideTable<PromptOverride>;
  /** Changes of resources and templates, by their `name`; an unknown name is a definition error. */
  readonly resources?: OverrideTable<ResourceOverride>;
}

/** Options for `@Tool`. */
export interface ToolOptions<Input extends object = object, Output extends object = object> extends CallLimits {
  /** Description of the tool for the model. Required on the method, or on a method that it overrides. */
  readonly description?: string;
  /** Display name. */
  readonly title?: string;
  /** Name on the wire: 1 to 64 characters of `A-Z a-z 0-9 _ - . /`. Default: the method's name in snake case. */
  readonly name?: string;
  /**
   * Class or Standard Schema of the arguments; `null` for a method that takes only `(context)`. With a schema, the method gets the
   * value that the schema returns. Default: the class of the first parameter, if the compiler emits it.
   */
  readonly input?: Constructor<Input> | StandardSchema<Input> | null;
  /**
   * JSON Schema of the arguments instead of a class, of type `object` at its root. Sent unchanged; the method gets the arguments
   * as a plain object.
   */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Class of the structured content, of which only the declared properties are sent, or a Standard Schema, whose value is sent. */
  readonly output?: Constructor<Output> | StandardSchema<Output>;
  /** Hints about the behaviour of the tool. On an override, merged with the inherited hints one by one. */
  readonly annotations?: ToolHints;
  /**
   * OAuth scopes that an access token needs for a call, all of them, if the host requires tokens. An empty list requires no
   * scope. Scopes are not sent to clients. On an override, the scopes replace the inherited ones. Default:
   * `read` with `readOnlyHint: true`, otherwise `write`.
   */
  readonly scopes?: readonly string[];
  /**
   * Tool sets that contain the tool; operators enable sets by name (lower-case letters, digits, `-` and `_`). The set `all`
   * contains all tools. A tool in no other set is enabled only by its own name or by `all`. On an override, the sets replace the
   * inherited ones. Default: `default`, the set that is enabled if the operator names none.
   */
  readonly sets?: readonly string[];
  /** Icons that clients may show next to the tool's name. */
  readonly icons?: Icon[];
  /**
   * URI of the view that a client with MCP Apps shows for calls of the tool: the `uri` of an `@App` method. Other clients get the same
   * definition and the same results as without this option.
   */
  readonly app?: string;
  /**
   * The callers of the tool: the model, views or both. Only clients with MCP Apps have a tool that the model does not call, and they do not
   * show it to the model. Default: both.
   */
  readonly visibility?: readonly ToolVisibility[];
  /** Metadata that is sent with the definition in lists. On an override, merged with the inherited `_meta` key by key. */
  readonly _meta?: Meta;
}

/** Caller of a tool: the model, or a view of MCP Apps. */
export type ToolVisibility = 'model' | 'app';

/** Origins that a view may reach, such as `https://api.example.com`. Without an origin, a view has no network. */
export interface AppPolicy {
  /** Origins for `fetch` and WebSocket. */
  readonly connectDomains?: readonly string[];
  /** Origins of scripts, styles, images, fonts and media. */
  readonly resourceDomains?: readonly string[];
  /** Origins of nested frames. */
  readonly frameDomains?: readonly string[];
  /** Origins that the document may use as its base URI. */
  readonly baseUriDomains?: readonly string[];
}

/** Devices that a view may use if the client and the user agree. */
export type AppPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** The settings with which a client shows a view. */
export interface AppSettings {
  /** Origins that the view may reach. Default: none. */
  readonly csp?: AppPolicy;
  /** Devices that the view may use. Default: none. */
  readonly permissions?: readonly AppPermission[];
  /** Whether the client draws a border around the view. Default: the client decides. */
  readonly prefersBorder?: boolean;
}

/** The options of a view in addition to those of a resource. */
export interface ViewOptions extends AppSettings {
  /**
   * Names of tools that the view calls. If the operator's selection includes the set `default`, views may call these tools
   * even if the tools are not in this set. Default: none; a view can call every offered tool.
   */
  readonly calls?: readonly string[];
}

/** Options for `@App`. */
export interface AppOptions extends ViewOptions, Omit<DescribedResource, 'mimeType' | 'annotations'> {
  /** URI of the view, which begins with `ui://`: `ui://mcp-notes/board`. Required on the method, or on a method that it overrides. */
  readonly uri?: string;
}

/** Options that resources and resource templates share. */
interface DescribedResource {
  /** Name on the wire. Default: the method's name in snake case. */
  readonly name?: string;
  /** Display name. */
  readonly title?: string;
  /** Describes the content. */
  readonly description?: string;
  /** Media type of the content. Default: `text/plain` for text, `application/octet-stream` for bytes, otherwise `application/json`. */
  readonly mimeType?: string;
  /** Icons that clients may show next to the name. */
  readonly icons?: Icon[];
  /** Metadata that is sent with the definition in lists. On an override, merged with the inherited `_meta` key by key. */
  readonly _meta?: Meta;
  /** Hints about the content. On an override, merged with the inherited annotations one by one. */
  readonly annotations?: ResourceAnnotations;
  /** How long clients may cache the content. */
  readonly cache?: CacheHint;
}

/** Options for `@Resource`: either a `uri`, or a `uriTemplate` with the class of its variables. */
export interface ResourceOptions<Variables extends object = object> extends DescribedResource {
  /** Absolute URI of one resource; its method takes only the context. */
  readonly uri?: string;
  /**
   * URI template of RFC 6570 with simple expressions `{name}` (one path segment) and at most one reserved expression
   * `{+name}` (any text, may be empty). Instead of `{+name}`, the template may end with `{?name,other}`, whose
   * properties are optional. The class of variables has a property for each name.
   */
  readonly uriTemplate?: string;
  /** Class of the template's variables. Default: the class of the first parameter, if the compiler emits it. */
  readonly variables?: Constructor<Variables>;
}

/** Options for `@Prompt`. */
export interface PromptOptions<Arguments extends object = object> {
  /** Describes the purpose of the prompt. */
  readonly description?: string;
  /** Display name. */
  readonly title?: string;
  /** Name on the wire. Default: the method's name in snake case. */
  readonly name?: string;
  /**
   * Class of the arguments; `null` for a method that takes only `(context)`. Default: the class of the first parameter, if the
   * compiler emits it.
   */
  readonly args?: Constructor<Arguments> | null;
  /** Icons that clients may show next to the prompt's name. */
  readonly icons?: Icon[];
  /** Metadata that is sent with the definition in lists. On an override, merged with the inherited `_meta` key by key. */
  readonly _meta?: Meta;
}

/**
 * Options for `@Field`. A subclass's `@Field` replaces the given options and inherits the rest.
 *
 * `type`, `oneOf` and `values` express what class-validator's rules cannot; at most one of them is allowed. On an array
 * (`@IsArray()`, or a rule with `{ each: true }`) they describe its elements.
 */
export interface FieldOptions {
  /** Describes the value to models, and in `--help`. */
  readonly description?: string;
  /** A short label. For a command-line option: the placeholder of its value in `--help`. */
  readonly title?: string;
  /**
   * Class of the nested object, which is validated too. Or JSON types, for values of mixed types (`['string', 'number']`) or of
   * any type (`'any'`): no rule is then needed, and `null` is an ordinary value.
   */
  readonly type?: (() => Constructor) | JsonTypes;
  /** Classes of a union; {@link FieldOptions.discriminator} selects the class of a value. */
  readonly oneOf?: () => readonly Constructor[];
  /** Property that distinguishes the classes of `oneOf`: each class pins it to its own values by `@Equals()` or `@IsIn()`. */
  readonly discriminator?: string;
  /** Class or JSON types of the values of an object with arbitrary keys. The key `__proto__` is rejected. */
  readonly values?: (() => Constructor) | JsonTypes;
  /**
   * Keyword `format` of JSON Schema, for strings. The server does not enforce the format, and a client may enforce it more strictly
   * than the rules of the property. `@IsUUID()` and `@IsIP('4')` set the format.
   */
  readonly format?: string;
  /**
   * Titles of the values that `@IsIn()`, `@IsEnum()` or `@Equals()` allow, by value. Default for each value: the value itself.
   */
  readonly titles?: Readonly<Record<string, string>>;
  /**
   * Name of the HTTP header, after `Mcp-Param-`, that repeats the value for proxies (`x-mcp-header`): an RFC 9110 token, unique
   * in the input regardless of case. Only for strings, integers and booleans outside arrays, maps, unions and recursive classes.
   */
  readonly header?: string;
}

/** Options for `@Complete`: one argument of a prompt, or one variable of a resource template. */
export interface CompleteOptions {
  /** URI template whose variable is completed. */
  readonly resource?: string;
  /** Wire name of the prompt whose argument is completed. */
  readonly prompt?: string;
  /** Name of the argument or variable. */
  readonly argument: string;
}

/** Options for `@Feature`. */
export interface FeatureOptions<Instance extends object = object> {
  /** Class of the object in the property. Default: the declared class of the property, if the compiler emits it. */
  readonly type?: () => Constructor<Instance>;
}
