import type { JsonSchema } from '../../../src/schema/json-schema.ts';
import type { FieldDecorator } from '../fixtures/declared.ts';

/** A title, decorators of a property, the JSON Schema of the property, and values that the validators accept and reject. */
export type Row = readonly [
  title: string,
  decorators: readonly FieldDecorator[],
  schema: JsonSchema,
  accepted: readonly unknown[],
  refused: readonly unknown[],
];

export const EACH = { each: true };
