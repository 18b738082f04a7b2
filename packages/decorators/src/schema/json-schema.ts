import type { JsonType, JsonValue } from '../metadata/json-type.ts';

export type { JsonType, JsonTypes, JsonValue } from '../metadata/json-type.ts';

// The SDK takes schemas as index signatures of JSON values, so the types below are aliases with mutable arrays. `freeze` makes
// the schemas immutable.

/** JSON Schema (2020-12), limited to the keywords that this package writes. */
export type JsonSchema = {
  readonly type?: JsonType | JsonType[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly enum?: JsonValue[];
  readonly const?: JsonValue;
  readonly not?: JsonSchema;
  readonly allOf?: JsonSchema[];
  readonly anyOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly contains?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minProperties?: number;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: string[];
  readonly additionalProperties?: false | JsonSchema;
  /** Name, after `Mcp-Param-`, of the HTTP header that repeats the value. */
  readonly 'x-mcp-header'?: string;
  /** `#/$defs/…`; only in recursive classes. */
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: JsonSchema };
};

/** Schema of an object, as MCP requires it at the root of a tool's input and output. */
export type ObjectSchema = JsonSchema & {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: JsonSchema };
};

/** Freezes a schema deeply, so that it can be shared without copies. */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

/** Names the type of a value in a message: `a string`, `an array`, `null`, `nothing`. */
export function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  return withArticle(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
}

/** Returns `a string`, `an array` or `null`. */
export function withArticle(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** Whether a value has a JSON type. An integer is a number without a fraction. */
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
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

/** Whether a value has one of several types. */
export function hasSomeType(value: unknown, types: readonly JsonType[]): boolean {
  for (const type of types) if (hasType(value, type)) return true;
  return false;
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonValue(value: unknown): value is JsonValue {
  if (Array.isArray(value)) return value.every(isJsonValue);
  // Excludes dates, maps and other objects that JSON represents differently or not at all.
  if (isPlainObject(value))
    return Object.prototype.toString.call(value) === '[object Object]' && Object.values(value).every(isJsonValue);
  return value === null || isJsonPrimitive(value);
}

/** Whether a value is a string, a finite number or a boolean. */
export function isJsonPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
