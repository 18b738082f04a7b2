import type { JsonSchema } from '../../../src/schema/json-schema.ts';
import type { FieldDecorator } from '../fixtures/declared.ts';

/** Decorators of a property, its JSON Schema, and values that the validators accept and reject. */
export type Row = readonly [
  title: string,
  decorators: readonly FieldDecorator[],
  schema: JsonSchema,
  accepted: readonly unknown[],
  refused: readonly unknown[],
];

export const EACH = { each: true };
