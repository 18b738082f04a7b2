import type { CacheHint, CallLimits, Icon, Meta, ResourceAnnotations, Settings, ToolHints } from '../metadata/options.ts';
import type { ClassSchema } from '../schema/class-schema.ts';
import type { JsonValue, ObjectSchema } from '../schema/json-schema.ts';
import type { InputShape } from './input-schema.ts';
import type { UriTemplate } from './uri-template.ts';

/** What every primitive shows of itself. */
export interface Described {
  /** The name on the wire. */
  readonly name: string;
  /** The name as people read it. */
  readonly title?: string;
  /** What it does or holds; of a tool always there. */
  readonly description?: string;
  /** Shown beside the name. */
  readonly icons?: Icon[];
  /** Facts for programs, by key. */
  readonly _meta?: Meta;
}

/** A JSON Schema that was written by hand, as it is sent. */
export type RawSchema = {
  readonly type: 'object';
  readonly properties?: { readonly [name: string]: JsonValue };
  readonly required?: string[];
  readonly [keyword: string]: unknown;
};

/** A tool as `tools/list` shows it. */
export interface ToolDefinition extends Described {
  /** JSON Schema of the arguments; an empty object's for a tool that takes none. */
  readonly inputSchema: ObjectSchema | RawSchema;
  /** JSON Schema of the structured content; absent where the tool has none. */
  readonly outputSchema?: ObjectSchema | RawSchema;
  /** The hints that were given, without defaults. */
  readonly annotations?: ToolHints;
}

/** What resources and resource templates show of themselves. */
export interface DescribedResource extends Described {
  /** As declared; what is read may have another. */
  readonly mimeType?: string;
  /** What a client may assume of the content. */
  readonly annotations?: ResourceAnnotations;
}

/** A resource as `resources/list` shows it. */
export interface ResourceDefinition extends DescribedResource {
  /** Absolute, as it is read. */
  readonly uri: string;
}

/** A resource template as `resources/templates/list` shows it. */
export interface ResourceTemplateDefinition extends DescribedResource {
  /** As it was declared; RFC 6570. */
  readonly uriTemplate: string;
}

/** A prompt as `prompts/list` shows it. */
export interface PromptDefinition extends Described {
  /** In order of declaration; absent for a prompt that takes none. */
  readonly arguments?: { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/** A method that the server calls. */
interface Called {
  /** The method that is called, by name. */
  readonly member: string;
  /** The properties that lead from the server object to the object whose method it is; none for the server's own. */
  readonly owner: readonly string[];
  /** The object that they lead from instead: a feature that is served besides. */
  readonly besides?: object;
  /** `Class.method`, for the log. */
  readonly place: string;
}

/** What is shown of a primitive, and the method behind it. */
interface Compiled<Definition> extends Called {
  /** Frozen; handed out as it is. */
  readonly definition: Definition;
  /** What stands before the context in the method's parameters. */
  readonly input: InputShape;
}

/** A tool, checked, and the method behind it. */
export interface CompiledTool extends Compiled<ToolDefinition> {
  /** Of the structured content; `undefined` where there is none, or no class of it. */
  readonly output: ClassSchema | undefined;
  /** Empty where calls are not limited. */
  readonly limits: CallLimits;
  /** Those that an access token needs for a call, all of them; what was not given is `read` or `write`. */
  readonly scopes: readonly string[];
  /** The sets of tools that it is in; what was not given is `default`. */
  readonly sets: readonly string[];
}

/** A resource, checked, and the method behind it. */
export interface CompiledResource extends Compiled<ResourceDefinition> {
  /** How long clients may keep what is read; `undefined`: not at all. */
  readonly cache: CacheHint | undefined;
}

/** A resource template, checked, and the method behind it. */
export interface CompiledResourceTemplate extends Compiled<ResourceTemplateDefinition> {
  /** How long clients may keep what is read; `undefined`: not at all. */
  readonly cache: CacheHint | undefined;
  /** Tells the variables of a URI. */
  readonly template: UriTemplate;
}

/** A prompt, checked, and the method behind it. */
export type CompiledPrompt = Compiled<PromptDefinition>;

/** A method that completes one argument of a prompt or one variable of a resource template. */
export type CompiledCompletion = Called;

/** What a server says of itself when a client connects. */
export interface ServerInfo {
  /** The name on the wire. */
  readonly name: string;
  /** The server's own, not the protocol's. */
  readonly version: string;
  /** The name as people read it. */
  readonly title?: string;
  /** What the server is, in a sentence for people. */
  readonly description?: string;
  /** An absolute URL. */
  readonly websiteUrl?: string;
  /** Shown beside the name. */
  readonly icons?: Icon[];
}

/** A server class, or an object with features, compiled: everything the annotations say, checked. */
export interface CompiledServer {
  /** Its name, version and how it is shown. */
  readonly info: ServerInfo;
  /** Facts about the server for programs, sent when a client connects. */
  readonly meta: Meta | undefined;
  /** Settings of the extensions that the server supports, by identifier. */
  readonly extensions: Settings | undefined;
  /** Settings of capabilities outside the specification, by name. */
  readonly experimental: Settings | undefined;
  /** How a model should use it; `undefined` where it does not say. */
  readonly instructions: string | undefined;
  /** How long clients may keep the lists and what the server says of itself. */
  readonly cache: CacheHint | undefined;
  /** Entries of one page of a list; `undefined` for the default. */
  readonly pageSize: number | undefined;
  /** By name on the wire. */
  readonly tools: ReadonlyMap<string, CompiledTool>;
  /** By URI. */
  readonly resources: ReadonlyMap<string, CompiledResource>;
  /** In order of declaration: the first that matches a URI answers. */
  readonly templates: readonly CompiledResourceTemplate[];
  /** By name on the wire. */
  readonly prompts: ReadonlyMap<string, CompiledPrompt>;
  /** By what is completed, as `completionKey` puts it. */
  readonly completions: ReadonlyMap<string, CompiledCompletion>;
}

/** What an argument is completed for: a prompt's name or a URI template, and the argument's name. */
export function completionKey(reference: 'prompt' | 'resource', name: string, argument: string): string {
  return JSON.stringify([reference, name, argument]);
}
