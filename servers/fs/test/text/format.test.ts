import { describe, expect, it } from 'vitest';

import { visibleName } from '../../src/text/format.ts';

describe('a name shown to the model', () => {
  it.each([
    ['plain', 'notes.txt', 'notes.txt'],
    ['accents and emoji as they are', 'über 📄.md', 'über 📄.md'],
    ['a newline that forges an entry', 'a\n[DIR] b', String.raw`a\u{a}[DIR] b`],
    ['a terminal escape', 'a\u001B[2J', String.raw`a\u{1b}[2J`],
    ['a bidirectional override', 'a\u202Egpj.exe', String.raw`a\u{202e}gpj.exe`],
    ['a zero-width space', 'a\u200Bb', String.raw`a\u{200b}b`],
    ['a line separator', 'a\u2028b', String.raw`a\u{2028}b`],
  ])('has %s', (_, name, shown) => {
    expect(visibleName(name)).toBe(shown);
  });
});
