import type { FieldOptions } from '../metadata/annotation.ts';
import { annotateField } from '../metadata/annotation.ts';

/**
 * Describes a property of an input, output or options class: `@Field('What it is')` or `@Field('What it is', { type })`.
 *
 * Types and limits come from class-validator's decorators on the same property.
 */
export function Field(
  description: string,
  options: Omit<FieldOptions, 'description'> = {},
): (prototype: object, member: string) => void {
  return (prototype, member) => annotateField(prototype, member, { ...options, description });
}
