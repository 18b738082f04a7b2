import { annotateField } from '../metadata/annotation.ts';
import type { FieldOptions } from '../metadata/options.ts';

/** Decorates a property. */
type FieldDecorator = (prototype: object, member: string) => void;

/**
 * Describes a property of an input, output or options class: `@Field('What it is')`, `@Field('What it is', { type })` or
 * `@Field({ type })`.
 *
 * Types and limits come from class-validator's decorators on the same property. What does not fit them is a definition error.
 */
export function Field(description: string, options?: Omit<FieldOptions, 'description'>): FieldDecorator;
/** Describes a property by its options alone, for instance an inherited one whose description stays. */
export function Field(options: FieldOptions): FieldDecorator;
export function Field(described: string | FieldOptions, options: FieldOptions = {}): FieldDecorator {
  const given = typeof described === 'string' ? { ...options, description: described } : described;
  return (prototype, member) => annotateField(prototype, member, given);
}
