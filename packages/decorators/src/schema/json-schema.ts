/** The JSON types that a property may have. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/** A value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

// Type aliases and mutable arrays, because the SDK takes schemas as index signatures of JSON values; `freeze` makes them immutable.

/** A JSON Schema (2020-12), in the keywords that this package writes. */
export type JsonSchema = {
  readonly type?: JsonType;
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly enum?: JsonValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: string[];
  readonly additionalProperties?: false;
};

/** An object's schema, as MCP wants it at the root of a tool's input and output. */
export type ObjectSchema = JsonSchema & {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: JsonSchema };
};

/** Freezes a schema and everything in it, so that it can be handed out without copies. */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

/** What a value is called in a message: `a string`, `an array`, `null`, `nothing`. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}

/** Whether a value is of a JSON type; an integer is a number without fraction. */
export function hasType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isPlainObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonValue(value: unknown): value is JsonValue {
  if (Array.isArray(value)) return value.every(isJsonValue);
  if (isPlainObject(value)) return Object.values(value).every(isJsonValue);
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
