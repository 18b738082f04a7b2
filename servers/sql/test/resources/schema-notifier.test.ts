import { describe, expect, it } from 'vitest';

import { SchemaNotifier } from '../../src/resources/schema-notifier.ts';

/** A database whose watches start and fail when a test decides. */
class ControlledDatabase {
  readonly starts: { readonly succeed: () => void; readonly fail: () => void }[] = [];
  ended = 0;

  watchSchema(): Promise<AsyncDisposable> {
    return new Promise((resolve, reject) => {
      const watch = { [Symbol.asyncDispose]: async () => void (this.ended += 1) };
      this.starts.push({ succeed: () => resolve(watch), fail: () => reject(new Error('the schema cannot be watched')) });
    });
  }
}

describe('the schema notifier', () => {
  it('starts another watch after a watch could not be started', async () => {
    const database = new ControlledDatabase();
    await using notifier = new SchemaNotifier(() => undefined);
    const first = notifier.listen(database, () => undefined);
    database.starts[0]?.fail();
    await expect(first).rejects.toThrow('cannot be watched');
    const second = notifier.listen(database, () => undefined);
    database.starts[1]?.succeed();
    await (await second)[Symbol.asyncDispose]();
    expect(database.ended).toBe(1);
  });

  it('is disposed of while a watch fails', async () => {
    const database = new ControlledDatabase();
    const notifier = new SchemaNotifier(() => undefined);
    const listening = notifier.listen(database, () => undefined);
    const disposal = notifier[Symbol.asyncDispose]();
    database.starts[0]?.fail();
    await expect(listening).rejects.toThrow('cannot be watched');
    await expect(disposal).resolves.toBeUndefined();
  });

  it('keeps a watch that was started before an older watch failed', async () => {
    const database = new ControlledDatabase();
    const notifier = new SchemaNotifier(() => undefined);
    const older = notifier.listen(database, () => undefined);
    const disposal = notifier[Symbol.asyncDispose]();
    const newer = notifier.listen(database, () => undefined);
    database.starts[1]?.succeed();
    database.starts[0]?.fail();
    await expect(older).rejects.toThrow('cannot be watched');
    await disposal;
    await (await newer)[Symbol.asyncDispose]();
    expect(database.ended).toBe(1);
  });
});
