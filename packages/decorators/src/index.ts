export { compileServer, type CompileOptions } from './compile/compile-server.ts';
export type {
  CompiledCompletion,
  CompiledPrompt,
  CompiledResource,
  CompiledResourceTemplate,
  CompiledServer,
  CompiledTool,
  PromptDefinition,
  RawSchema,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ServerInfo,
  ToolDefinition,
} from './compile/primitives.ts';
export { confirm, outdated, type Confirmable, type Risk } from './confirm/confirm.ts';
export { confirmedResult } from './confirm/confirmed-result.ts';
export { isPreview, type Loss, type Preview } from './confirm/loss.ts';
export { spelledOut, visibleName } from './confirm/visible-name.ts';
export { Complete, type Candidates } from './decorators/complete.ts';
export { Disabled } from './decorators/disabled.ts';
export { Feature } from './decorators/feature.ts';
export { Field } from './decorators/field.ts';
export {
  Flag,
  Integer,
  ListOf,
  ObjectOf,
  OneOf,
  Text,
  TextList,
  type IntegerFieldOptions,
  type ListFieldOptions,
  type TextFieldOptions,
  type TextListFieldOptions,
  type TypedField,
} from './decorators/fields.ts';
export { McpServer } from './decorators/mcp-server.ts';
export { Prompt } from './decorators/prompt.ts';
export { Resource } from './decorators/resource.ts';
export { Tool } from './decorators/tool.ts';
export { DefinitionError, ToolError, type ToolErrorOptions } from './errors.ts';
export type {
  CacheHint,
  CallLimits,
  CompleteOptions,
  FeatureOptions,
  FieldOptions,
  Icon,
  McpServerOptions,
  Meta,
  PromptOptions,
  PromptOverride,
  ResourceAnnotations,
  ResourceOptions,
  ResourceOverride,
  OverrideTable,
  Settings,
  ToolHints,
  ToolOptions,
  ToolOverride,
} from './metadata/options.ts';
export type { Constructor } from './metadata/lineage.ts';
export { nearest } from './nearest.ts';
export { Result, type Facts, type ResourceLink, type TextOptions } from './result.ts';
export { callerBehind, setCaller, type Caller, type ClientDescription } from './runtime/caller.ts';
export { Changes, type ListKind } from './runtime/changes.ts';
export type { InterceptedCall, Intercepting, Interceptor } from './runtime/interceptor.ts';
export { Shares, type Shortage } from './runtime/limits/shares.ts';
export type { CallObserver, ObservedCall } from './runtime/observer.ts';
export type { ResourceLister } from './runtime/listed-resources.ts';
export { FairSlots, type FairSlotsOptions, type WaitOptions } from './runtime/limits/fair-slots.ts';
export { isToolLister, toolsOf, type ListedTool, type ToolLister } from './runtime/listed-tools.ts';
export type { ClientRoot, RootsQuestion } from './runtime/questions/client-roots.ts';
export type { Elicited, ElicitOptions } from './runtime/questions/elicitation.ts';
export type { ElicitedUrl, UrlElicited } from './runtime/questions/url-elicitation.ts';
export type { FormSchema } from './runtime/questions/form.ts';
export type { SamplingRequest, SamplingResult } from './runtime/questions/sampling.ts';
export { Suspension } from './runtime/questions/suspension.ts';
export type { ConfirmPolicy, Consent } from './runtime/consent.ts';
export { RequestContext, type OnceOptions } from './runtime/request-context.ts';
export { principalOf } from './runtime/principal.ts';
export { openCursor, sealCursor } from './runtime/sealed-cursor.ts';
export type { Logger } from './runtime/logger.ts';
export { sendChange } from './runtime/send-change.ts';
export { serverFactory, type FactoryContext, type ServerFactoryOptions } from './runtime/server-factory.ts';
export { withoutOutputSchema, type StructuredMode } from './runtime/structured.ts';
export { SEAL_LIFETIME_MS, type SingleUse, type SpentSeals, type Wording } from './runtime/spent-seals.ts';
export { Subscriptions, type ResourceWatcher } from './runtime/subscriptions.ts';
export { ClassSchema, type Parsed } from './schema/class-schema.ts';
export type { Issue, ReadingOptions } from './schema/instantiate.ts';
export type { JsonSchema, JsonType, JsonTypes, JsonValue, ObjectSchema } from './schema/json-schema.ts';
export { isScope } from './scope.ts';
