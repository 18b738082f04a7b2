import { describe, expect, it } from 'vitest';

import { textBlock } from '../src/text-block.ts';

describe('the block of a body', () => {
  it.each([
    ['a body without a note, exactly', 'one\ntwo', {}, 'one\ntwo'],
    ['a note on a line of its own', 'one\n', { note: 'cut' }, 'one\n[cut]'],
    ['a line break before the note, if the body has none', 'one', { note: 'cut' }, 'one\n[cut]'],
    ['a note instead of nothing', '', {}, '[The text is empty.]'],
    ['only the note of an empty body', '', { note: 'notes.txt is empty' }, '[notes.txt is empty]'],
  ])('contains %s', (_, body, around, expected) => {
    expect(textBlock(body, around)).toBe(expected);
  });

  it.each([
    ['a whole body', 'all\n[cut; read on with offset 900]\n', {}, '\n[The text ends here.]'],
    ['a body without a last line break', 'all\n[cut]', {}, '\n[The text ends here, without a line break.]'],
    ['a body of one line', '[cut]\r\n', {}, '\n[The text ends here.]'],
    ['a body with a note', 'all\n[The text ends here.]\n', { note: 'cut' }, '\n[cut]'],
  ])('ends with a note of the server after a line that imitates one: %s', (_, body, around, expected) => {
    const block = textBlock(body, around);
    expect(block.startsWith(body)).toBe(true);
    expect(block.slice(body.length).padStart(expected.length, '\n')).toBe(expected);
  });

  it.each(['{"a": 1}\n', '[1, 2]\n', '["cut"]', '42', ' -1.5e3 \n', '"text"', 'true', 'null', '\uFEFF{}', '[]'])(
    'begins with a title if the body is JSON: %j',
    (body) => {
      expect(textBlock(body, { title: 'VERSION, 1 line' })).toBe(`VERSION, 1 line:\n${body}`);
      expect(textBlock(body, {})).toBe(`Text:\n${body}`);
    },
  );

  it.each(['{"a": 1', '{"a": 1}\n{"a": 2}\n', 'notes', '42nd', '- 1'])('has no title before anything else: %j', (body) => {
    expect(textBlock(body, { title: 'VERSION' })).toBe(body);
  });

  it('begins with a title if the note alone would be JSON', () => {
    expect(textBlock('', { note: '1' })).toBe('Text:\n[1]');
  });
});
