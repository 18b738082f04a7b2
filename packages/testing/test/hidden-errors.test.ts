import { McpServer, Resource, Tool, ToolError } from '@org/mcp-decorators';
import { IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { connect, connectHttp, ERAS } from '../src/index.ts';

class Key {
  @IsString() key!: string;
}

@McpServer({ name: 'vault', version: '1.0.0' })
class Vault {
  @Tool({ description: 'Fails' }) unlock({ key }: Key): never {
    throw new Error(`the lock of ${key} is rusty`);
  }
  @Tool({ description: 'Fails with data that cannot be sent' }) lock(): never {
    throw new ToolError('LOCKED', 'the vault is locked', { data: { key: 1n } });
  }
  @Resource({ uri: 'vault://gold' }) gold(): never {
    throw new Error('the gold is gone');
  }
}

const printed = vi.spyOn(console, 'error');

/** Returns what was printed since the last call, without stacks. */
function takePrinted(): readonly string[] {
  const lines = printed.mock.calls.map(([text, error]) => `${text} ${error.message}`);
  printed.mockClear();
  return lines;
}

beforeEach(() => void printed.mockImplementation(() => undefined));
afterEach(() => void printed.mockReset());

describe.each(ERAS)('an error that the server hides from its client, in the %s era,', (era) => {
  it('is the cause of the error of call, text and start, and is not printed', async () => {
    await using session = await connect(new Vault(), { era });
    const args = { key: 'A' };
    const calls = [
      () => session.call('unlock', args),
      () => session.text('unlock', args),
      () => session.start('unlock', args).result,
    ];
    for (const call of calls)
      await expect(call()).rejects.toThrow(
        expect.objectContaining({
          message: expect.stringContaining('unlock failed: INTERNAL'),
          cause: expect.objectContaining({ message: 'the lock of A is rusty', stack: expect.stringContaining('Vault.unlock') }),
        }),
      );
    expect(takePrinted()).toEqual([]);
  });

  it('is printed, or is the cause of its own call, if several calls fail at once', async () => {
    await using session = await connect(new Vault(), { era });
    const keys = ['A', 'B', 'C'];
    const outcomes = await Promise.allSettled(keys.map((key) => session.call('unlock', { key })));
    const causes = outcomes.map((outcome) => Object(outcome).reason.cause?.message);
    const texts = takePrinted().join('\n');
    for (const [index, key] of keys.entries()) {
      const message = `the lock of ${key} is rusty`;
      expect([undefined, message]).toContain(causes[index]);
      expect(texts.includes(message)).toBe(causes[index] === undefined);
    }
  });

  it('is printed with its method if the test calls fails or the official client', async () => {
    await using session = await connect(new Vault(), { era });
    expect(await session.fails('unlock', { key: 'A' })).toBe('INTERNAL: unlock failed because of an internal error');
    expect(takePrinted()).toEqual(['Vault.unlock threw an error that clients do not see: the lock of A is rusty']);
    await expect(session.client.readResource({ uri: 'vault://gold' })).rejects.toThrow('INTERNAL');
    expect(takePrinted()).toEqual(['Vault.gold threw an error that clients do not see: the gold is gone']);
  });

  it('is the cause of the error of a call over HTTP', async () => {
    await using session = await connectHttp(new Vault(), { era });
    await expect(session.call('unlock', { key: 'A' })).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: 'the lock of A is rusty' }) }),
    );
    expect(takePrinted()).toEqual([]);
  });

  it('is printed, and is not the cause, if it did not end the call', async () => {
    await using session = await connect(new Vault(), { era });
    await expect(session.call('lock')).rejects.toThrow(
      expect.objectContaining({ message: 'lock failed: LOCKED: the vault is locked', cause: undefined }),
    );
    expect(takePrinted()).toEqual([expect.stringContaining('the data of the ToolError LOCKED cannot be serialized')]);
  });

  it.each([['connect', connect] as const, ['connectHttp', connectHttp] as const])(
    'is passed to onError of %s only',
    async (_name, open) => {
      const received: string[] = [];
      await using session = await open(new Vault(), {
        era,
        onError: (error, place) => received.push(`${place}: ${String(error)}`),
      });
      await expect(session.call('unlock', { key: 'A' })).rejects.toThrow(expect.objectContaining({ cause: undefined }));
      expect(received).toEqual(['Vault.unlock: Error: the lock of A is rusty']);
      expect(takePrinted()).toEqual([]);
    },
  );
});
