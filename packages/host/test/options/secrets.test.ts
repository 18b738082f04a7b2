import { describe, expect, it } from 'vitest';

import { isSecret } from '../../src/options/secrets.ts';

describe('the value of a secret option', () => {
  it.each([
    'postgres://ada:pw@db/x',
    'prod=postgres://ada:pw@db/x',
    'postgres://ada:p/w@db/x',
    'postgres://db/x?user=ada&password=pw',
    'postgres://db/x?sslpassword=pw',
    'redis://:pw@db',
    't0ken',
  ])('contains a secret: %s', (value) => {
    expect(isSecret(value)).toBe(true);
  });

  it.each([
    'postgres://',
    'postgres://ada@db:5432/x?sslmode=require',
    'postgres:///x?host=/run/postgresql',
    'prod=postgres://ada@db/x',
    '',
  ])('contains no secret: %s', (value) => {
    expect(isSecret(value)).toBe(false);
  });
});
