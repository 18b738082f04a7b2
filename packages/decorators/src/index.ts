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
  ToolApp,
  ToolDefinition,
} from './compile/compiled-server.ts';
export { confirm, staleConfirmation, type Confirmable, type Risk } from './confirm/confirm.ts';
export { confirmedResult } from './confirm/confirmed-result.ts';
export { isPreview, type Loss, type Preview } from './confirm/loss.ts';
export { escapeCharacter, escapeInvisible, formatVisibleJson } from './text/visible-name.ts';
export { App } from './decorators/app.ts';
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
} from './decorators/typed-fields.ts';
export { McpServer } from './decorators/mcp-server.ts';
export { Prompt } from './decorators/prompt.ts';
export { Resource } from './decorators/resource.ts';
export { Tool } from './decorators/tool.ts';
export { ToolError, type ToolErrorOptions } from './results/tool-error.ts';
export { DefinitionError } from './metadata/definition-error.ts';
export type {
  AppOptions,
  ViewOptions,
  AppPermission,
  AppPolicy,
  AppSettings,
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
  ToolVisibility,
} from './metadata/options.ts';
export type { StandardResult, StandardSchema } from './metadata/standard-schema.ts';
export type { Constructor } from './metadata/lineage.ts';
export { findNearestName } from './text/nearest-name.ts';
export {
  Result,
  type Facts,
  type ResourceLink,
  type StructuredOptions,
  type TextOptions,
  type ViewData,
} from './results/result.ts';
export { getCaller, setCaller, type Caller } from './runtime/client/client.ts';
export { type ClientDescription } from './runtime/client/client.ts';
export { ChangeBus, type ListKind } from './runtime/changes/change-bus.ts';
export type { InterceptedCall, Intercepting, Interceptor } from './runtime/hooks/hooks.ts';
export { Shares, type Shortage } from './runtime/limits/shares.ts';
export type { CallObserver, ObservedCall } from './runtime/hooks/hooks.ts';
export type { ResourceLister } from './runtime/lists/resource-listers.ts';
export { FairSemaphore, type FairSemaphoreOptions, type WaitOptions } from './runtime/limits/fair-semaphore.ts';
export type { ListedTool, ToolLister } from './runtime/lists/listed-tools.ts';
export {
  groupToolsBySet,
  OfferedTools,
  type ServedObject,
  type ToolOfferer,
  type ToolSelection,
  type ToolSelector,
} from './runtime/lists/offered-tools.ts';
export { offersTool } from './runtime/lists/offers-tool.ts';
export { listServerParts, type ServerPart } from './compile/feature-tree.ts';
export { collectScopes, findMissingScopes, type ScopedServer } from './runtime/calls/scopes.ts';
export type { ClientRoot, RootsOptions } from './runtime/input-requests/client-roots.ts';
export type { ElicitOutcome, ElicitOptions } from './runtime/input-requests/elicitation.ts';
export type { ElicitedUrl, UrlElicitOutcome } from './runtime/input-requests/url-elicitation.ts';
export type { FormSchema } from './runtime/input-requests/form.ts';
export type { SamplingRequest, SamplingResult } from './runtime/input-requests/sampling.ts';
export { Suspension } from './runtime/input-requests/input-requests.ts';
export type { ConfirmPolicy, Consent } from './runtime/seals/consent.ts';
export { RequestContext, type UnsealOnceOptions } from './runtime/context/request-context.ts';
export { getPrincipal } from './runtime/client/client.ts';
export { openCursor, sealCursor } from './runtime/context/sealed-cursor.ts';
export type { Logger } from './runtime/context/logger.ts';
export { sendChange } from './runtime/changes/send-change.ts';
export type { CallChannel, CallOrigin, DirectCall, DirectCalls } from './runtime/calls/direct-calls.ts';
export type { ProtocolServer } from './runtime/server/protocol-server.ts';
export { serverFactory, type FactoryContext, type ServerFactoryOptions } from './runtime/server/server-factory.ts';
export { withoutOutputSchema } from './runtime/calls/structured.ts';
export type { StructuredMode } from './runtime/client/client.ts';
export { SEAL_LIFETIME_MS, type SingleUse, type SpentSeals, type SealErrorText } from './runtime/seals/spent-seals.ts';
export { Subscriptions, type ResourceWatcher } from './runtime/changes/subscriptions.ts';
export { ClassSchema, type ParseResult } from './schema/class-schema.ts';
export type { Issue, ParseOptions } from './schema/value-reader.ts';
export type { JsonSchema, JsonType, JsonTypes, JsonValue, ObjectSchema } from './schema/json-schema.ts';
export { isScope } from './compile/names.ts';
