import { describe, expect, it } from 'vitest';

import { ToolError, type ToolErrorOptions } from '../../src/errors.ts';
import { failedRequest, failedTool } from '../../src/runtime/failure.ts';

const TOOL = { place: 'Notes.read', definition: { name: 'read' } };

function failed(message: string, options: ToolErrorOptions = {}): { readonly text: string; readonly facts: unknown } {
  const { content, _meta } = failedTool(new ToolError('CONFLICT', message, options), TOOL, () => undefined);
  return { text: content[0]?.type === 'text' ? content[0].text : '', facts: _meta?.['error'] };
}

describe('the facts of a failed tool', () => {
  it.each<[string, string, ToolErrorOptions, object]>([
    ['the hint', 'changed', { hint: 'read it again' }, {}],
    ['values that the text names', 'v1 became v2, at line 12', { data: { from: 'v1', to: 'v2', line: 12 } }, {}],
    ['lists of such values', 'a and b/c', { data: { paths: ['a', 'b/c'] } }, {}],
    ['nested ones', 'path: is required', { data: { issues: [{ path: ['path'], message: 'is required' }] } }, {}],
    ['values that the hint names', 'changed', { hint: 'it is v2 now', data: { actual: 'v2' } }, {}],
    ['undefined ones', 'changed', { data: { actual: undefined } }, {}],
  ])('leave out %s', (_, message, options, data) => {
    expect(failed(message, options).facts).toEqual({ code: 'CONFLICT', ...data });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a value that the text does not name', { expected: 'v3' }],
    ['a part of another word', { name: 'chang', digit: 1 }],
    ['lists with one such value', { versions: ['v1', 'v3'] }],
    ['truth values and nothing', { committed: false, other: null, none: '', empty: [] }],
  ])('keep %s', (_, data) => {
    expect(failed('v1 changed 12 times', { data }).facts).toEqual({ code: 'CONFLICT', data });
  });
});

describe('the text of an error', () => {
  const LONG = 'x'.repeat(50_000);

  it('is whole up to 8,000 characters', () => {
    const message = 'x'.repeat(8000 - 'CONFLICT: '.length);
    expect(failed(message).text).toBe(`CONFLICT: ${message}`);
  });

  it('is cut above, and says how much is missing, before its hint', () => {
    const { text } = failed(LONG, { hint: 'read it again' });
    expect(text.length).toBeLessThanOrEqual(8000);
    const [, kept = '', cut] = /^CONFLICT: (x+)… \[(\d+) more characters were cut\]\nread it again$/.exec(text) ?? [];
    expect(kept.length + Number(cut)).toBe(50_000);
    expect(kept.length).toBeGreaterThan(7800);
  });

  it('is bounded with a long hint too', () => {
    const { text } = failed(LONG, { hint: LONG });
    expect(text.length).toBeLessThanOrEqual(8000);
    expect(text.match(/more characters were cut/g)).toHaveLength(2);
  });

  it('is not cut within a character', () => {
    for (const before of ['', 'x']) {
      const { text } = failed(before + '😀'.repeat(8000));
      expect(Buffer.from(text).toString()).toBe(text);
    }
  });

  it('is bounded in the answer of a resource or prompt', () => {
    const { message } = failedRequest(new ToolError('CONFLICT', LONG), TOOL, () => undefined);
    expect(message.length).toBeLessThanOrEqual(8000);
  });
});
