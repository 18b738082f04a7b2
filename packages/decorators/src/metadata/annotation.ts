import { DefinitionError } from './definition-error.ts';
import { getClassName } from './lineage.ts';
import type {
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
  | { readonly kind: 'resource'; readonly options: ResourceOptions }
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
  features.getOrCreate(prototype, () => new Map()).set(requireMemberName(prototype, member, '@Feature'), options);
}

export function annotateDisabled(prototype: object, member: unknown): void {
  disabled.getOrCreate(prototype, () => new Set()).add(requireMemberName(prototype, member, '@Disabled'));
}

export function annotateField(prototype: object, member: unknown, options: FieldOptions): void {
  fields.getOrCreate(prototype, () => new Map()).set(requireMemberName(prototype, member, '@Field'), options);
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

function requireMemberName(target: object, member: unknown, decorator: string): string {
  // TypeScript calls a standard decorator with (value, context): without this check, the server would start without tools.
  if (typeof member !== 'string') {
    const place = typeof target === 'object' ? getClassName(target) : 'a class';
    throw new DefinitionError([
      `${place}: ${decorator} decorates a member whose name is not a string; compile with "experimentalDecorators": true, ` +
        'and check that the file is included by its tsconfig',
    ]);
  }
  if (typeof target === 'function')
    throw new DefinitionError([
      `${target.name || 'an unnamed class'}.${member}: ${decorator} decorates a static member; remove "static"`,
    ]);
  return member;
}
