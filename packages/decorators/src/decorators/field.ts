import type { FieldOptions } from '../metadata/annotation.ts';
import { annotateField } from '../metadata/annotation.ts';

type FieldDecorator = (prototype: object, member: string) => void;

/**
 * Describes a property of an input, output or options class: `@Field('What it is')`, `@Field('What it is', { type })` or
 * `@Field({ type })`.
 *
 * Types and limits come from class-validator's decorators on the same property.
 */
export function Field(description: string, options?: Omit<FieldOptions, 'description'>): FieldDecorator;
export function Field(options: FieldOptions): FieldDecorator;
export function Field(described: string | FieldOptions, options: FieldOptions = {}): FieldDecorator {
  const given = typeof described === 'string' ? { ...options, description: described } : described;
  return (prototype, member) => annotateField(prototype, member, given);
}
