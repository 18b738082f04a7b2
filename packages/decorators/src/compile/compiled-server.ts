import type {
  CacheHint,
  CallLimits,
  Icon,
  Meta,
  ResourceAnnotations,
  Settings,
  ToolHints,
  ToolVisibility,
} from '../metadata/options.ts';
import type { StandardSchema } from '../metadata/standard-schema.ts';
import type { ClassSchema } from '../schema/class-schema.ts';
import type { JsonValue, ObjectSchema } from '../schema/json-schema.ts';
import type { UriTemplate } from './uri-template.ts';

/** Properties that the definitions of all primitives share. */
export interface Described {
  /** Name on the wire. */
  readonly name: string;
  /** Display name. */
  readonly title?: string;
  /** Description for models and people. Every tool has a description. */
  readonly description?: string;
  /** Icons that clients may show next to the name. */
  readonly icons?: Icon[];
  /** Facts for programs rather than models, by key. */
  readonly _meta?: Meta;
}

/** A hand-written JSON Schema; sent unchanged. */
export type RawSchema = {
  readonly type: 'object';
  readonly properties?: { readonly [name: string]: JsonValue };
  readonly required?: string[];
  readonly [keyword: string]: unknown;
};

/** A tool as listed by `tools/list`. */
export interface ToolDefinition extends Described {
  /** JSON Schema of the arguments. A tool without arguments has the schema of an empty object. */
  readonly inputSchema: ObjectSchema | RawSchema;
  /** JSON Schema of the structured content. Absent if the tool has no structured content. */
  readonly outputSchema?: ObjectSchema | RawSchema;
  /** Contains only the hints that the annotation sets, without defaults. */
  readonly annotations?: ToolHints;
}

/** Properties that the definitions of resources and resource templates share. */
export interface DescribedResource extends Described {
  /** Declared media type; the content may have another one. */
  readonly mimeType?: string;
  /** Hints about the content. */
  readonly annotations?: ResourceAnnotations;
}

/** A resource as listed by `resources/list`. */
export interface ResourceDefinition extends DescribedResource {
  /** Absolute URI. */
  readonly uri: string;
}

/** A resource template as listed by `resources/templates/list`. */
export interface ResourceTemplateDefinition extends DescribedResource {
  /** URI template (RFC 6570). */
  readonly uriTemplate: string;
}

/** A prompt as listed by `prompts/list`. */
export interface PromptDefinition extends Described {
  /** Arguments in order of declaration. Absent if the prompt takes no arguments. */
  readonly arguments?: { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/** A method that the server calls. */
interface Called {
  /** Name of the method. */
  readonly member: string;
  /** Property names from the server object to the object that has the method. Empty for methods of the server object. */
  readonly owner: readonly string[];
  /** Feature that is served in addition to the server object, if the path `owner` starts at this feature. Absent if the path starts at the server object. */
  readonly extraFeature?: object;
  /** `Class.method`, for the log. */
  readonly place: string;
  /** Present for a tool that is listed at run time: the object that has the method, instead of the object at the path `owner`. */
  readonly receiver?: object;
}

/** Parameters of a method before the context. */
export type InputShape =
  /** `(input, context)` */
  | { readonly kind: 'class'; readonly schema: ClassSchema }
  /** `(arguments, context)` with the validated but otherwise unchanged arguments; only for tools. The schema is frozen. */
  | { readonly kind: 'raw'; readonly schema: RawSchema }
  /** `(arguments, context)` with the value that a Standard Schema returns; only for tools. `schema` is its JSON Schema, frozen. */
  | { readonly kind: 'standard'; readonly schema: RawSchema; readonly standard: StandardSchema }
  /** `(context)`, or no parameters */
  | { readonly kind: 'none' };

/** Schema of the structured content of a tool. */
export type OutputShape =
  | { readonly kind: 'class'; readonly schema: ClassSchema }
  /** `schema` is the JSON Schema of the Standard Schema, frozen. */
  | { readonly kind: 'standard'; readonly schema: RawSchema; readonly standard: StandardSchema };

/** Definition of a primitive and the method that implements it. */
interface Compiled<Definition> extends Called {
  /** Frozen; returned to clients without a copy. */
  readonly definition: Definition;
  /** Parameters of the method before the context. */
  readonly input: InputShape;
}

/** A compiled tool. */
export interface CompiledTool extends Compiled<ToolDefinition> {
  /** Schema of the structured content. `undefined` if the tool has none, or a hand-written one. */
  readonly output: OutputShape | undefined;
  /** Limits for calls of the tool. Without any property, calls are not limited. */
  readonly limits: CallLimits;
  /** OAuth scopes that a token needs for a call, all of them. Default: `read` for a read-only tool, otherwise `write`. */
  readonly scopes: readonly string[];
  /** Tool sets that contain the tool. Default: `default`. */
  readonly sets: readonly string[];
  /**
   * View and callers, which clients with MCP Apps get with the definition. `undefined` if the tool has no view and sets no
   * callers.
   */
  readonly app: ToolApp | undefined;
}

/** The view and the callers of a tool, as `_meta.ui` of its definition. */
export interface ToolApp {
  /** URI of the view. */
  readonly resourceUri?: string;
  /** Callers of the tool. Absent if both the model and views may call the tool. */
  readonly visibility?: readonly ToolVisibility[];
}

/** A compiled resource. */
export interface CompiledResource extends Compiled<ResourceDefinition> {
  /** Whether the resource is a view, which only clients with MCP Apps can list and read. */
  readonly isApp: boolean;
  /** Names of tools that the view calls. */
  readonly calls: readonly string[];
  /** How long clients may cache the content; `undefined` if clients must not cache the content. */
  readonly cache: CacheHint | undefined;
}

/** A compiled resource template. */
export interface CompiledResourceTemplate extends Compiled<ResourceTemplateDefinition> {
  /** How long clients may cache the content; `undefined` if clients must not cache the content. */
  readonly cache: CacheHint | undefined;
  /** Extracts the variables from a URI. */
  readonly template: UriTemplate;
}

/** A compiled prompt. */
export type CompiledPrompt = Compiled<PromptDefinition>;

/** A method that completes one argument of a prompt or one variable of a resource template. */
export type CompiledCompletion = Called;

/** Description of the server that a client gets when it connects. */
export interface ServerInfo {
  /** Name on the wire. */
  readonly name: string;
  /** Version of the server, not of the protocol. */
  readonly version: string;
  /** Display name. */
  readonly title?: string;
  /** One sentence for people that describes the server. */
  readonly description?: string;
  /** Absolute URL. */
  readonly websiteUrl?: string;
  /** Icons that clients may show next to the name. */
  readonly icons?: Icon[];
}

/** Validated result of compiling a server class, or an instance with features. */
export interface CompiledServer {
  /** Name, version and display properties of the server. */
  readonly info: ServerInfo;
  /** Server names that base classes declare and that a subclass has replaced. */
  readonly formerNames: readonly string[];
  /** Facts for programs, sent when a client connects. */
  readonly meta: Meta | undefined;
  /** Settings of supported protocol extensions, by identifier. */
  readonly extensions: Settings | undefined;
  /** Settings of capabilities outside the specification, by name. */
  readonly experimental: Settings | undefined;
  /** Instructions for the model. `undefined` if the server gives none. */
  readonly instructions: string | undefined;
  /** How long clients may cache the lists and the server's description. */
  readonly cache: CacheHint | undefined;
  /** Maximum number of entries of one list page. `undefined` means 1,000. */
  readonly pageSize: number | undefined;
  /** Tools by their name on the wire. */
  readonly tools: ReadonlyMap<string, CompiledTool>;
  /** Names of the tools that views call. */
  readonly calledByViews: ReadonlySet<string>;
  /** Resources by URI. */
  readonly resources: ReadonlyMap<string, CompiledResource>;
  /** Resource templates in order of declaration. A URI is read through the most exact template that matches: see `UriTemplate.precision`. */
  readonly templates: readonly CompiledResourceTemplate[];
  /** Prompts by their name on the wire. */
  readonly prompts: ReadonlyMap<string, CompiledPrompt>;
  /** Completions by `completionKey`. */
  readonly completions: ReadonlyMap<string, CompiledCompletion>;
}

/** Builds the key of a completion from the prompt's name or the URI template, and the argument's name. */
export function completionKey(reference: 'prompt' | 'resource', name: string, argument: string): string {
  return JSON.stringify([reference, name, argument]);
}
