import { describe, expect, it } from 'vitest';

import { cutSubject } from '../../src/text/cut.ts';

describe('the subject of a list', () => {
  it('is whole up to 1,000 characters', () => {
    expect(cutSubject('x'.repeat(1000))).toBe('x'.repeat(1000));
  });

  it('is truncated if it is longer', () => {
    expect(cutSubject('x'.repeat(200_000))).toBe(`${'x'.repeat(1000)}…`);
  });

  it('is not cut within a character', () => {
    expect(cutSubject(`x${'😀'.repeat(1000)}`)).toBe(`x${'😀'.repeat(499)}…`);
  });
});
