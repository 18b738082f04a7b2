import { describe, expect, it } from 'vitest';

import { formatTextBlock } from '../../src/results/result.ts';

describe('the block of a body', () => {
  it.each([
    ['exactly the body if it has no note', 'one\ntwo', {}, 'one\ntwo'],
    ['the note on a separate line', 'one\n', { note: 'cut' }, 'one\n[cut]'],
    ['a line break before the note, if the body has none', 'one', { note: 'cut' }, 'one\n[cut]'],
    ['a note for an empty body', '', {}, '[The text is empty.]'],
    ['only the note of an empty body', '', { note: 'notes.txt is empty' }, '[notes.txt is empty]'],
  ])('contains %s', (_, body, around, expected) => {
    expect(formatTextBlock(body, around)).toBe(expected);
  });

  it.each([
    ['a whole body', 'all\n[cut; read on with offset 900]\n', {}, '\n[The text ends here.]'],
    ['a body without a final line break', 'all\n[cut]', {}, '\n[The text ends here, without a line break.]'],
    ['a body of one line', '[cut]\r\n', {}, '\n[The text ends here.]'],
    ['a body with a note', 'all\n[The text ends here.]\n', { note: 'cut' }, '\n[cut]'],
  ])('ends with a note of the server after a line that imitates one: %s', (_, body, around, expected) => {
    const block = formatTextBlock(body, around);
    expect(block.startsWith(body)).toBe(true);
    expect(block.slice(body.length).padStart(expected.length, '\n')).toBe(expected);
  });

  it.each(['{"a": 1}\n', '[1, 2]\n', '["cut"]', '42', ' -1.5e3 \n', '"text"', 'true', 'null', '\uFEFF{}', '[]'])(
    'starts with a title if the body is JSON: %j',
    (body) => {
      expect(formatTextBlock(body, { title: 'VERSION, 1 line' })).toBe(`VERSION, 1 line:\n${body}`);
      expect(formatTextBlock(body, {})).toBe(`Text:\n${body}`);
    },
  );

  it.each(['{"a": 1', '{"a": 1}\n{"a": 2}\n', 'notes', '42nd', '- 1'])('has no title for any other body: %j', (body) => {
    expect(formatTextBlock(body, { title: 'VERSION' })).toBe(body);
  });

  it('starts with a title if the note alone would be JSON', () => {
    expect(formatTextBlock('', { note: '1' })).toBe('Text:\n[1]');
  });
});
