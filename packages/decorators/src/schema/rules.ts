import { hasType, isJsonValue, type JsonSchema } from './json-schema.ts';

const TYPES_OF_VALUES = ['string', 'integer', 'number', 'boolean'] as const;

type Rule = (constraints: readonly unknown[]) => JsonSchema;

/**
 * What each class-validator rule says in JSON Schema, by the rule's name.
 *
 * A rule that is not here is enforced without a keyword: an advertised schema is never stricter than the validator.
 */
export const RULES: Readonly<Record<string, Rule>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isIn: ([values]) => oneOf(values),
  isEnum: ([, values]) => oneOf(values),
  min: ([minimum]) => (typeof minimum === 'number' ? { minimum } : {}),
  max: ([maximum]) => (typeof maximum === 'number' ? { maximum } : {}),
  minLength: ([minLength]) => (typeof minLength === 'number' ? { minLength } : {}),
  maxLength: ([maxLength]) => (typeof maxLength === 'number' ? { maxLength } : {}),
  isLength: ([minLength, maxLength]) => ({
    ...(typeof minLength === 'number' && { minLength }),
    ...(typeof maxLength === 'number' && { maxLength }),
  }),
  arrayMinSize: ([minItems]) => (typeof minItems === 'number' ? { minItems } : {}),
  arrayMaxSize: ([maxItems]) => (typeof maxItems === 'number' ? { maxItems } : {}),
};

function oneOf(values: unknown): JsonSchema {
  if (!Array.isArray(values) || !values.every(isJsonValue)) return {};
  const type = TYPES_OF_VALUES.find((candidate) => values.every((value) => hasType(value, candidate)));
  return { ...(type !== undefined && { type }), enum: [...values] };
}
