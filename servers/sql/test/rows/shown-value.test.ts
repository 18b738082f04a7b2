import { describe, expect, it } from 'vitest';

import { shownValue, visible } from '../../src/rows/shown-value.ts';

describe('a value', () => {
  it.each([
    ['NULL', null, null],
    ['of 4 KiB', 'x'.repeat(4096), 'x'.repeat(4096)],
    ['longer than 4 KiB', 'x'.repeat(4097), `${'x'.repeat(4096)}… [cut from 4097 bytes]`],
    ['cut before a character that would be split', `x${'ä'.repeat(2048)}`, `x${'ä'.repeat(2047)}… [cut from 4097 bytes]`],
    ['cut before an emoji that would be split', `xyz${'😀'.repeat(1024)}`, `xyz${'😀'.repeat(1023)}… [cut from 4099 bytes]`],
  ])('is shown up to 4 KiB: %s', (_, value, text) => {
    expect(shownValue(value).text).toBe(text);
  });

  it.each([
    ['a terminal escape', 'a\u001B[2J', String.raw`a\u{1b}[2J`],
    ['a bidirectional override', 'a\u202Eb', String.raw`a\u{202e}b`],
    ['a lone carriage return', 'a\rb', String.raw`a\u{d}b`],
    ['lines and tabs as they are', 'a\r\nb\n\tc', 'a\r\nb\n\tc'],
    ['joined emoji as they are', '👩‍👧', '👩‍👧'],
  ])('has its invisible characters escaped: %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
