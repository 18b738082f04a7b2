import { freeze, type JsonSchema, type JsonValue, type ObjectSchema } from '../schema/json-schema.ts';

/**
 * Adds each default to the description of its parameter, because some hosts drop the keyword `default`. A description that
 * contains the word "default" is left as it is, and so is that of a flag that is off by default, which needs no words.
 */
export function describeDefaults(schema: ObjectSchema): ObjectSchema {
  return freeze({ ...schema, properties: describedProperties(schema.properties) });
}

function describedProperties(properties: NonNullable<JsonSchema['properties']>): NonNullable<JsonSchema['properties']> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, describeDefault(property)]));
}

function describeDefault(schema: JsonSchema): JsonSchema {
  const { default: initial, description = '', properties, items } = schema;
  return {
    ...schema,
    ...(needsWords(initial, description) && { description: withDefault(description, initial) }),
    ...(properties !== undefined && { properties: describedProperties(properties) }),
    ...(items !== undefined && { items: describeDefault(items) }),
  };
}

function needsWords(initial: JsonValue | undefined, description: string): initial is JsonValue {
  return initial !== undefined && initial !== false && !/\bdefault\b/i.test(description);
}

function withDefault(description: string, initial: JsonValue): string {
  const words = inWords(initial);
  return description === '' ? `Default: ${words}` : `${description}; default: ${words}`;
}

function inWords(value: JsonValue): string {
  if (Array.isArray(value) && value.length > 0) return value.map(inWords).join(', ');
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
