import type { CacheHint, CallLimits, Icon, ToolHints } from '../metadata/annotation.ts';
import type { ClassSchema } from '../schema/class-schema.ts';
import type { ObjectSchema } from '../schema/json-schema.ts';
import type { InputShape } from './input-schema.ts';
import type { UriTemplate } from './uri-template.ts';

/** What every primitive shows of itself. */
export interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: Icon[];
}

/** A tool as `tools/list` shows it. */
export interface ToolDefinition extends Described {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: ToolHints;
}

/** A resource as `resources/list` shows it. */
export interface ResourceDefinition extends Described {
  readonly uri: string;
  readonly mimeType?: string;
}

/** A resource template as `resources/templates/list` shows it. */
export interface ResourceTemplateDefinition extends Described {
  readonly uriTemplate: string;
  readonly mimeType?: string;
}

/** A prompt as `prompts/list` shows it. */
export interface PromptDefinition extends Described {
  readonly arguments?: { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

interface Compiled<Definition> {
  /** The method that is called, by name. */
  readonly member: string;
  /** `Class.method`, for the log. */
  readonly place: string;
  /** Properties that lead from the server object to the one whose method is called; empty for the server itself. */
  readonly owner: readonly string[];
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
  readonly template: UriTemplate;
  readonly cache: CacheHint | undefined;
}

/** A prompt, checked, and the method behind it. */
export type CompiledPrompt = Compiled<PromptDefinition>;

/** A method that completes one argument of a prompt or one variable of a resource template. */
export interface CompiledCompletion {
  readonly member: string;
  readonly place: string;
  readonly owner: readonly string[];
}

/** What a server says of itself when a client connects. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: Icon[];
}

/** A server class, compiled: everything its annotations say, checked. */
export interface CompiledServer {
  readonly info: ServerInfo;
  readonly instructions: string | undefined;
  readonly cache: CacheHint | undefined;
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
