import type { CacheHint, CallLimits, Icon, ResourceAnnotations, ToolHints } from '../metadata/annotation.ts';
import type { ClassSchema } from '../schema/class-schema.ts';
import type { JsonValue, ObjectSchema } from '../schema/json-schema.ts';
import type { InputShape } from './input-schema.ts';
import type { UriTemplate } from './uri-template.ts';

/** What every primitive shows of itself. */
export interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: Icon[];
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
  readonly inputSchema: ObjectSchema | RawSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: ToolHints;
}

/** What resources and resource templates show of themselves. */
export interface DescribedResource extends Described {
  readonly mimeType?: string;
  readonly annotations?: ResourceAnnotations;
}

/** A resource as `resources/list` shows it. */
export interface ResourceDefinition extends DescribedResource {
  readonly uri: string;
}

/** A resource template as `resources/templates/list` shows it. */
export interface ResourceTemplateDefinition extends DescribedResource {
  readonly uriTemplate: string;
}

/** A prompt as `prompts/list` shows it. */
export interface PromptDefinition extends Described {
  readonly arguments?: { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

interface Called {
  /** The method that is called, by name. */
  readonly member: string;
  /** The properties that lead from the server object to the object whose method it is; none for the server's own. */
  readonly owner: readonly string[];
  /** `Class.method`, for the log. */
  readonly place: string;
}

interface Compiled<Definition> extends Called {
  /** Frozen; handed out as it is. */
  readonly definition: Definition;
  readonly input: InputShape;
}

/** A tool, checked, and the method behind it. */
export interface CompiledTool extends Compiled<ToolDefinition> {
  readonly output: ClassSchema | undefined;
  readonly limits: CallLimits;
}

/** A resource, checked, and the method behind it. */
export interface CompiledResource extends Compiled<ResourceDefinition> {
  readonly cache: CacheHint | undefined;
}

/** A resource template, checked, and the method behind it. */
export interface CompiledResourceTemplate extends Compiled<ResourceTemplateDefinition> {
  readonly cache: CacheHint | undefined;
  readonly template: UriTemplate;
}

/** A prompt, checked, and the method behind it. */
export type CompiledPrompt = Compiled<PromptDefinition>;

/** A method that completes one argument of a prompt or one variable of a resource template. */
export type CompiledCompletion = Called;

/** What a server says of itself when a client connects. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: Icon[];
}

/** A server class, or an object with features, compiled: everything the annotations say, checked. */
export interface CompiledServer {
  readonly info: ServerInfo;
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
