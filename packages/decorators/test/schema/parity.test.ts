import { describe, expect, it } from 'vitest';

import { ClassSchema } from '../../src/schema/class-schema.ts';
import { declared } from './fixtures/declared.ts';
import { advertised } from './fixtures/json-schema-validator.ts';
import { ARRAYS } from './parity/arrays.ts';
import { FORMATS } from './parity/formats.ts';
import { NUMBERS } from './parity/numbers.ts';
import { OBJECTS } from './parity/objects.ts';
import { PATTERNS } from './parity/patterns.ts';
import { PRESENCE } from './parity/presence.ts';
import { STRINGS } from './parity/strings.ts';
import { LISTED } from './parity/values.ts';

const TABLE = [...STRINGS, ...PATTERNS, ...NUMBERS, ...LISTED, ...FORMATS, ...ARRAYS, ...OBJECTS, ...PRESENCE];

/** The values of all rows. The advertised schema of each row is tested with all these values. */
const VALUES = [...new Set(TABLE.flatMap(([, , , accepted, refused]) => [...accepted, ...refused]))];

describe('the JSON Schema of', () => {
  it.each(TABLE)('%s', (...[, decorators, expected]) => {
    const schema = ClassSchema.of(declared(decorators));
    expect(schema.problems).toEqual([]);
    expect(schema.input.properties['value']).toEqual(expected);
  });
});

describe('the values accepted and refused by', () => {
  it.each(TABLE)('%s', (...[, decorators, , accepted, refused]) => {
    const schema = ClassSchema.of(declared(decorators));
    const isAccepted = (value: unknown): boolean => schema.parse({ value }).issues === undefined;
    expect(accepted.filter((value) => !isAccepted(value))).toEqual([]);
    expect(refused.filter(isAccepted)).toEqual([]);
    expect([...accepted, ...refused]).not.toEqual([]);
  });
});

describe('an advertised schema is never stricter than the validator:', () => {
  it.each(TABLE)('%s', (...[, decorators, , own]) => {
    const schema = ClassSchema.of(declared(decorators));
    const isAdvertised = advertised(schema.input);
    // The validator treats `null` as absent, but the schema does not. So a row is tried with only those `null` values that it
    // lists itself.
    const asked = VALUES.filter((value) => own.includes(value) || !holdsNull(value)).map((value) => ({ value }));
    const accepted = asked.filter((given) => schema.parse(given).issues === undefined);
    expect(accepted.filter((given) => !isAdvertised(given))).toEqual([]);
  });
});

describe('the table of rules', () => {
  it('has enough rows, without duplicates', () => {
    const titles = TABLE.map(([title]) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.length).toBeGreaterThanOrEqual(180);
  });
});

function holdsNull(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(holdsNull));
}
