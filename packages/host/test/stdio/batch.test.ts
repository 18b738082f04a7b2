import { describe, expect, it } from 'vitest';

import { Batch } from '../../src/stdio/batch.ts';

function collecting(maxBytes = 1000): { readonly batch: Batch; readonly sent: string[] } {
  const sent: string[] = [];
  return { sent, batch: new Batch(maxBytes, (line) => sent.push(line)) };
}

describe('the responses of a batch', () => {
  it('are sent together after the last one', () => {
    const { batch, sent } = collecting();
    batch.expect(1);
    batch.expect(2);
    batch.end();
    batch.settle(2, '"two"');
    expect(sent).toEqual([]);
    batch.settle(1, '"one"');
    expect(sent).toEqual(['["two","one"]']);
  });

  it('are not sent before the whole batch was read', () => {
    const { batch, sent } = collecting();
    batch.expect(1);
    batch.settle(1, '"one"');
    expect(sent).toEqual([]);
    batch.end();
    expect(sent).toEqual(['["one"]']);
  });

  it('do not wait for a cancelled request', () => {
    const { batch, sent } = collecting();
    batch.expect(1);
    batch.expect(2);
    batch.end();
    batch.settle(1, '"one"');
    batch.settle(2);
    expect(sent).toEqual(['["one"]']);
  });

  it('are not sent if no message needs a response', () => {
    const { batch, sent } = collecting();
    batch.end();
    expect(sent).toEqual([]);
  });

  it('are sent as several arrays if one line would be too large', () => {
    const { batch, sent } = collecting(10);
    for (const id of [1, 2, 3]) batch.expect(id);
    batch.end();
    batch.settle(1, '"ä4"');
    batch.settle(2, '"6"');
    batch.settle(3, '"3"');
    expect(sent).toEqual(['["ä4","6"]', '["3"]']);
  });
});
