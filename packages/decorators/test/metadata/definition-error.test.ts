import { afterEach, describe, expect, it, vi } from 'vitest';

import { DefinitionError } from '../../src/metadata/definition-error.ts';
import { ToolError } from '../../src/results/tool-error.ts';

async function secondCopy(): Promise<typeof import('../../src/metadata/definition-error.ts')> {
  vi.resetModules();
  return import('../../src/metadata/definition-error.ts');
}

afterEach(() => vi.resetModules());

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
