import { annotateField } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';
import type { FieldOptions } from '../metadata/options.ts';

/** Decorates a property. */
type FieldDecorator = (prototype: object, member: string) => void;

/**
 * Describes a property of an input, output or options class: `@Field('Name of the note')`, `@Field('The note', { type })` or
 * `@Field({ type })`.
 *
 * Types and limits come from class-validator's decorators on the same property. Options that contradict them are a definition
 * error. {@link Text}, {@link Integer} and the other composite decorators combine both.
 */
export function Field(description: string, options?: Omit<FieldOptions, 'description'>): FieldDecorator;
/** Describes a property only by options, for instance to keep an inherited description. */
export function Field(options: FieldOptions): FieldDecorator;
export function Field(described: string | FieldOptions, options: FieldOptions = {}): FieldDecorator {
  refuseMissingParentheses('@Field', described, options);
  const given = typeof described === 'string' ? { ...options, description: described } : described;
  return (prototype, member) => annotateField(prototype, member, given);
}
