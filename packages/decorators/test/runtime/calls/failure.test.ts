import { describe, expect, it } from 'vitest';

import { ToolError, type ToolErrorOptions } from '../../../src/results/tool-error.ts';
import { toFailedResult, toProtocolError } from '../../../src/runtime/calls/failure.ts';

const TOOL = { place: 'Notes.read', definition: { name: 'read' } };

function failed(message: string, options: ToolErrorOptions = {}): { readonly text: string } {
  const { content } = toFailedResult(new ToolError('CONFLICT', message, options), TOOL, {
    report: () => undefined,
    sendsData: true,
  });
  return { text: content[0]?.type === 'text' ? content[0].text : '' };
}

describe('the facts of a failed tool', () => {
  const error = new ToolError('CONFLICT', 'changed', { hint: 'read it again', data: { actual: 'v2' } });

  it.each([
    ['the code and the data for clients that get structured content', true, { code: 'CONFLICT', data: { actual: 'v2' } }],
    ['the code alone for hosts that give the model the text', false, { code: 'CONFLICT' }],
  ])('are %s', (_, sendsData, facts) => {
    expect(toFailedResult(error, TOOL, { report: () => undefined, sendsData })._meta).toEqual({ error: facts });
  });
});

describe('the text of an error', () => {
  const LONG = 'x'.repeat(50_000);

  it('is complete up to 8,000 characters', () => {
    const message = 'x'.repeat(8000 - 'CONFLICT: '.length);
    expect(failed(message).text).toBe(`CONFLICT: ${message}`);
  });

  it('is cut beyond that, with the number of missing characters before its hint', () => {
    const { text } = failed(LONG, { hint: 'read it again' });
    expect(text.length).toBeLessThanOrEqual(8000);
    const [, kept = '', cut] = /^CONFLICT: (x+)… \[(\d+) more characters were cut\]\nread it again$/.exec(text) ?? [];
    expect(kept.length + Number(cut)).toBe(50_000);
    expect(kept.length).toBeGreaterThan(7800);
  });

  it('is limited with a long hint too', () => {
    const { text } = failed(LONG, { hint: LONG });
    expect(text.length).toBeLessThanOrEqual(8000);
    expect(text.match(/more characters were cut/g)).toHaveLength(2);
  });

  it('is not cut inside a character', () => {
    for (const before of ['', 'x']) {
      const { text } = failed(before + '😀'.repeat(8000));
      expect(Buffer.from(text).toString()).toBe(text);
    }
  });

  it('is limited in the error of a resource or prompt', () => {
    const { message } = toProtocolError(new ToolError('CONFLICT', LONG), TOOL, () => undefined);
    expect(message.length).toBeLessThanOrEqual(8000);
  });
});
