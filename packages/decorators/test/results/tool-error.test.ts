import { afterEach, describe, expect, it, vi } from 'vitest';

import { ToolError } from '../../src/results/tool-error.ts';

async function secondCopy(): Promise<typeof import('../../src/results/tool-error.ts')> {
  vi.resetModules();
  return import('../../src/results/tool-error.ts');
}

afterEach(() => vi.resetModules());

describe('a ToolError', () => {
  it('has its code and message as text', () => {
    expect(new ToolError('NOT_FOUND', 'no note has the name "a"').text).toBe('NOT_FOUND: no note has the name "a"');
  });

  it('shows its hint on a separate line', () => {
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

  it('is recognised by another copy of the class, like errors of subclasses', async () => {
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
