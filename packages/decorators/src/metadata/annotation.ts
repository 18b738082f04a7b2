import { DefinitionError } from '../errors.ts';
import { classNameOf } from './lineage.ts';
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

/** One annotation of a method, as its decorator left it. */
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

/** As they are written, for messages. */
export const DECORATORS: Readonly<Record<MemberKind, string>> = { tool: '@Tool', resource: '@Resource', prompt: '@Prompt' };

export function annotateServer(prototype: object, options: McpServerOptions): void {
  servers.write(prototype, options);
}

export function annotateMember(prototype: object, member: unknown, annotation: MemberAnnotation): void {
  const name = legacyMemberName(prototype, member, DECORATORS[annotation.kind]);
  const own = members.open(prototype, () => new Map());
  own.set(name, [...(own.get(name) ?? []), annotation]);
}

export function annotateCompletion(prototype: object, member: unknown, options: CompleteOptions): void {
  const name = legacyMemberName(prototype, member, '@Complete');
  const own = completions.open(prototype, () => new Map());
  own.set(name, [...(own.get(name) ?? []), options]);
}

export function annotateFeature(prototype: object, member: unknown, options: FeatureOptions): void {
  features.open(prototype, () => new Map()).set(legacyMemberName(prototype, member, '@Feature'), options);
}

export function annotateDisabled(prototype: object, member: unknown): void {
  disabled.open(prototype, () => new Set()).add(legacyMemberName(prototype, member, '@Disabled'));
}

export function annotateField(prototype: object, member: unknown, options: FieldOptions): void {
  fields.open(prototype, () => new Map()).set(legacyMemberName(prototype, member, '@Field'), options);
}

export function serverAnnotation(prototype: object): McpServerOptions | undefined {
  return servers.read(prototype);
}

export function memberAnnotations(prototype: object): ReadonlyMap<string, readonly MemberAnnotation[]> {
  return members.read(prototype) ?? new Map();
}

export function completionAnnotations(prototype: object): ReadonlyMap<string, readonly CompleteOptions[]> {
  return completions.read(prototype) ?? new Map();
}

export function featureAnnotations(prototype: object): ReadonlyMap<string, FeatureOptions> {
  return features.read(prototype) ?? new Map();
}

export function disabledMembers(prototype: object): ReadonlySet<string> {
  return disabled.read(prototype) ?? new Set();
}

export function fieldAnnotations(prototype: object): ReadonlyMap<string, FieldOptions> {
  return fields.read(prototype) ?? new Map();
}

function legacyMemberName(target: object, member: unknown, decorator: string): string {
  // A standard decorator is called with (value, context): its server would come up with no tools and no error.
  if (typeof member !== 'string') {
    const place = typeof target === 'object' ? classNameOf(target) : 'a class';
    throw new DefinitionError([
      `${place}: ${decorator} stands on a member whose name is not a string; compile with "experimentalDecorators": true, ` +
        'and check that the file is included by its tsconfig',
    ]);
  }
  if (typeof target === 'function')
    throw new DefinitionError([
      `${target.name || 'an unnamed class'}.${member}: ${decorator} stands on a static member; remove "static"`,
    ]);
  return member;
}
