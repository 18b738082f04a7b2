export { compileServer } from './compile/compile-server.ts';
export type {
  CompiledPrompt,
  CompiledResource,
  CompiledResourceTemplate,
  CompiledServer,
  CompiledTool,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ServerInfo,
  ToolDefinition,
} from './compile/primitives.ts';
export { Complete } from './decorators/complete.ts';
export { Field } from './decorators/field.ts';
export { McpServer } from './decorators/mcp-server.ts';
export { Prompt } from './decorators/prompt.ts';
export { Resource } from './decorators/resource.ts';
export { Tool } from './decorators/tool.ts';
export { DefinitionError, ToolError, type ToolErrorOptions } from './errors.ts';
export type {
  CompleteOptions,
  FieldOptions,
  Icon,
  McpServerOptions,
  PromptOptions,
  ResourceOptions,
  ToolHints,
  ToolOptions,
} from './metadata/annotation.ts';
export type { Constructor } from './metadata/lineage.ts';
export { nearest } from './nearest.ts';
export { Result, type Facts } from './result.ts';
export type { ClientRoot } from './runtime/client-roots.ts';
export { RequestContext } from './runtime/request-context.ts';
export type { Logger } from './runtime/logger.ts';
export { serverFactory, type FactoryContext, type ServerFactoryOptions } from './runtime/server-factory.ts';
export { Subscriptions, watcherOf, type ResourceWatcher } from './runtime/subscriptions.ts';
export { ClassSchema, type Parsed } from './schema/class-schema.ts';
export type { Issue, ReadingOptions } from './schema/instantiate.ts';
export type { JsonSchema, JsonType, JsonTypes, JsonValue, ObjectSchema } from './schema/json-schema.ts';
