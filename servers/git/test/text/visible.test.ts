import { escapeInvisible } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { quoteInput, visibleBody } from '../../src/text/visible.ts';

describe('text shown to the model', () => {
  it.each([
    ['a plain body', 'a\n\tb\n', 'a\n\tb\n'],
    ['Windows line endings', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['a carriage return that hides the text before it', 'rm -rf /\rls', String.raw`rm -rf /\u{d}ls`],
    ['a terminal escape', '\u001B[2J', String.raw`\u{1b}[2J`],
    ['a C1 control character', '\u009B2J', String.raw`\u{9b}2J`],
    ['a bidirectional override', 'a\u202Eb\u2066c', String.raw`a\u{202e}b\u{2066}c`],
    ['an emoji of several parts', '👩\u200D💻', '👩\u200D💻'],
  ])('shows %s', (_, body, shown) => {
    expect(visibleBody(body)).toBe(shown);
  });

  it('keeps a name or a quotation on one line', () => {
    expect(escapeInvisible('a\nb\u200Bc')).toBe(String.raw`a\u{a}b\u{200b}c`);
    expect(quoteInput('a\u202E')).toBe(String.raw`"a\u202e"`);
  });
});
