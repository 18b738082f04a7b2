import type { JsonSchema } from '../../../src/schema/json-schema.ts';
import type { FieldDecorator } from '../declared.ts';

/** What a property is annotated with, its JSON Schema, and values that the validators accept and refuse. */
export type Row = readonly [
  title: string,
  decorators: readonly FieldDecorator[],
  schema: JsonSchema,
  accepted: readonly unknown[],
  refused: readonly unknown[],
];

export const EACH = { each: true };
