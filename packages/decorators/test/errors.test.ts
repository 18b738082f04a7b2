import { afterEach, describe, expect, it, vi } from 'vitest';

import { DefinitionError, ToolError } from '../src/errors.ts';

async function secondCopy(): Promise<typeof import('../src/errors.ts')> {
  vi.resetModules();
  return import('../src/errors.ts');
}

afterEach(() => vi.resetModules());

describe('a ToolError', () => {
  it('has code and message as its text', () => {
    expect(new ToolError('NOT_FOUND', 'there is no note "a"').text).toBe('NOT_FOUND: there is no note "a"');
  });

  it('shows its hint on a line of its own', () => {
    expect(new ToolError('CONFLICT', 'the note changed', { hint: 'read it again' }).text).toBe(
      'CONFLICT: the note changed\nread it again',
    );
  });

  it('carries data and cause and shows neither in its text', () => {
    const cause = new Error('password=hunter2');
    const error = new ToolError('CONFLICT', 'the note changed', { data: { expected: 'v1' }, cause });
    expect(error).toMatchObject({ name: 'ToolError', code: 'CONFLICT', data: { expected: 'v1' }, cause });
    expect(error.text).toBe('CONFLICT: the note changed');
  });

  it('is recognised by another copy of the class, as are those of its subclasses', async () => {
    const copy = await secondCopy();
    class Conflict extends ToolError {}
    expect(copy.ToolError).not.toBe(ToolError);
    expect(copy.ToolError.is(new ToolError('CONFLICT', 'the note changed'))).toBe(true);
    expect(ToolError.is(new copy.ToolError('CONFLICT', 'the note changed'))).toBe(true);
    expect(copy.ToolError.is(new Conflict('CONFLICT', 'the note changed'))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['an ordinary error', new Error('CONFLICT: the note changed')],
    ['an object that looks like one', { name: 'ToolError', code: 'CONFLICT', message: 'the note changed', text: 'CONFLICT' }],
    ['nothing', undefined],
  ])('is not %s', (_, value) => {
    expect(ToolError.is(value)).toBe(false);
  });
});

describe('a DefinitionError', () => {
  it('has one line for each problem', () => {
    const error = new DefinitionError(['Notes.read: needs a description', 'Notes: needs a name']);
    expect(error.message).toBe('Notes.read: needs a description\nNotes: needs a name');
    expect(error.problems).toEqual(['Notes.read: needs a description', 'Notes: needs a name']);
  });

  it('is recognised by another copy of the class', async () => {
    const copy = await secondCopy();
    expect(copy.DefinitionError.is(new DefinitionError([]))).toBe(true);
    expect(DefinitionError.is(new copy.DefinitionError([]))).toBe(true);
    expect(DefinitionError.is(new ToolError('CONFLICT', 'the note changed'))).toBe(false);
  });
});
