import { describe, expect, it } from 'vitest';

import { disposeInOrder } from '../../src/runtime/dispose-in-order.ts';

describe('disposeInOrder', () => {
  it('disposes of every part in order, and rejects with the first error', async () => {
    const disposed: string[] = [];
    const part = (name: string, error?: Error): AsyncDisposable => ({
      [Symbol.asyncDispose]: async () => {
        disposed.push(name);
        if (error !== undefined) throw error;
      },
    });
    const parts = [part('first'), undefined, part('second', new Error('one')), part('third', new Error('two')), part('fourth')];
    await expect(disposeInOrder(parts)).rejects.toThrow('one');
    expect(disposed).toEqual(['first', 'second', 'third', 'fourth']);
  });
});
