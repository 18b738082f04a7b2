import { isJsonPrimitive } from './json-schema.ts';
import { enumValues } from './rule-schemas.ts';

/** Whether a value surely satisfies a rule. */
export type QuickTest = (value: unknown) => boolean;

/**
 * Returns a test that takes much less time than the validator of a rule: a value that passes the test satisfies the rule, and the
 * validator decides about any other value. Returns `undefined` if the rule has no such test.
 */
export function createQuickTest(name: string, constraints: readonly unknown[]): QuickTest | undefined {
  return Object.hasOwn(QUICK_TESTS, name) ? QUICK_TESTS[name]?.(constraints) : undefined;
}

const QUICK_TESTS: Readonly<Record<string, (constraints: readonly unknown[]) => QuickTest | undefined>> = {
  isIn: ([values]) => (Array.isArray(values) ? isOneOf(values) : undefined),
  isEnum: ([values]) => isOneOf(enumValues(values)),
  equals: ([expected]) => (isJsonPrimitive(expected) ? (value) => value === expected : undefined),
  min: ([least]) => (typeof least === 'number' ? (value) => typeof value === 'number' && value >= least : undefined),
  max: ([most]) => (typeof most === 'number' ? (value) => typeof value === 'number' && value <= most : undefined),
  arrayMinSize: ([least]) => (typeof least === 'number' ? (value) => Array.isArray(value) && value.length >= least : undefined),
  arrayMaxSize: ([most]) => (typeof most === 'number' ? (value) => Array.isArray(value) && value.length <= most : undefined),
  // One character has a length of at most three: two units, and a third for a variation selector. So a text of three times the
  // minimum length surely has enough characters.
  minLength: ([least]) => (typeof least === 'number' ? (value) => getLength(value) >= 3 * least : undefined),
  maxLength: ([most]) => (typeof most === 'number' ? (value) => typeof value === 'string' && value.length <= most : undefined),
};

function isOneOf(values: readonly unknown[]): QuickTest {
  const known = new Set(values.filter(isJsonPrimitive));
  return (value) => isJsonPrimitive(value) && known.has(value);
}

function getLength(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
