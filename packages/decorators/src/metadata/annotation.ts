import { requireMemberName } from './misuse.ts';
import type {
  ViewOptions,
  CompleteOptions,
  FeatureOptions,
  FieldOptions,
  McpServerOptions,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
} from './options.ts';
import { Slot } from './slot.ts';

/** One annotation of a method. */
export type MemberAnnotation =
  | { readonly kind: 'tool'; readonly options: ToolOptions }
  | { readonly kind: 'resource'; readonly options: ResourceOptions & { readonly view?: ViewOptions } }
  | { readonly kind: 'prompt'; readonly options: PromptOptions };

export type MemberKind = MemberAnnotation['kind'];

const servers = new Slot<McpServerOptions>('server');
const members = new Slot<Map<string, MemberAnnotation[]>>('members');
const completions = new Slot<Map<string, CompleteOptions[]>>('completions');
const features = new Slot<Map<string, FeatureOptions>>('features');
const disabled = new Slot<Set<string>>('disabled');
const fields = new Slot<Map<string, FieldOptions>>('fields');

/** Decorators as written in code, for messages. */
export const DECORATOR_NAMES: Readonly<Record<MemberKind, string>> = { tool: '@Tool', resource: '@Resource', prompt: '@Prompt' };

export function annotateServer(prototype: object, options: McpServerOptions): void {
  servers.write(prototype, options);
}

export function annotateMember(prototype: object, member: unknown, annotation: MemberAnnotation): void {
  const name = requireMemberName(prototype, member, DECORATOR_NAMES[annotation.kind]);
  const own = members.getOrCreate(prototype, () => new Map());
  own.set(name, [...(own.get(name) ?? []), annotation]);
}

export function annotateCompletion(prototype: object, member: unknown, options: CompleteOptions): void {
  const name = requireMemberName(prototype, member, '@Complete');
  const own = completions.getOrCreate(prototype, () => new Map());
  own.set(name, [...(own.get(name) ?? []), options]);
}

export function annotateFeature(prototype: object, member: unknown, options: FeatureOptions): void {
  const name = requireMemberName(prototype, member, '@Feature');
  features.getOrCreate(prototype, () => new Map()).set(name, options);
}

export function annotateDisabled(prototype: object, member: unknown): void {
  const name = requireMemberName(prototype, member, '@Disabled');
  disabled.getOrCreate(prototype, () => new Set()).add(name);
}

export function annotateField(prototype: object, member: unknown, options: FieldOptions): void {
  const name = requireMemberName(prototype, member, '@Field');
  fields.getOrCreate(prototype, () => new Map()).set(name, options);
}

export function readServerAnnotation(prototype: object): McpServerOptions | undefined {
  return servers.read(prototype);
}

export function readMemberAnnotations(prototype: object): ReadonlyMap<string, readonly MemberAnnotation[]> {
  return members.read(prototype) ?? new Map();
}

export function readCompletionAnnotations(prototype: object): ReadonlyMap<string, readonly CompleteOptions[]> {
  return completions.read(prototype) ?? new Map();
}

export function readFeatureAnnotations(prototype: object): ReadonlyMap<string, FeatureOptions> {
  return features.read(prototype) ?? new Map();
}

export function readDisabledMembers(prototype: object): ReadonlySet<string> {
  return disabled.read(prototype) ?? new Set();
}

export function readFieldAnnotations(prototype: object): ReadonlyMap<string, FieldOptions> {
  return fields.read(prototype) ?? new Map();
}
