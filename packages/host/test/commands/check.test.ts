import { McpServer, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { check } from '../../src/commands/check.ts';
import type { Diagnosis } from '../../src/server-object.ts';
import { UsageError } from '../../src/usage-error.ts';
import { runCommand } from './run-command.ts';

const FINE: Diagnosis = { subject: 'root /srv/files', ok: true, detail: 'readable' };
const BROKEN: Diagnosis = { subject: 'database', ok: false, detail: 'does not answer' };

@McpServer({ name: 'plain', version: '2.0.0' })
class Plain {
  @Tool({ description: 'Tell the time' })
  now(): string {
    return '';
  }
}

/** A class of servers that write down what happens to them. */
function recorded(events: string[], diagnose: () => readonly Diagnosis[] | Promise<readonly Diagnosis[]>): new () => Plain {
  return class Recorded extends Plain {
    open(): void {
      events.push('open');
    }

    diagnose(): readonly Diagnosis[] | Promise<readonly Diagnosis[]> {
      events.push('diagnose');
      return diagnose();
    }

    [Symbol.asyncDispose](): Promise<void> {
      events.push('dispose');
      return Promise.resolve();
    }
  };
}

describe('a check', () => {
  it('says what the definition holds, of a server without anything to diagnose', async () => {
    expect(await runCommand(check, Plain)).toEqual({
      code: 0,
      printed: 'plain 2.0.0\nok     definition: 1 tool, 1 resource, 0 resource templates, 0 prompts',
    });
  });

  it.each<readonly [string, readonly Diagnosis[], number, readonly string[]]>([
    ['succeeds where all is well', [FINE], 0, ['ok     root /srv/files: readable']],
    [
      'fails where one thing is wrong',
      [FINE, BROKEN],
      1,
      ['ok     root /srv/files: readable', 'wrong  database: does not answer'],
    ],
    ['fails wherever that stands', [BROKEN, FINE], 1, ['wrong  database: does not answer', 'ok     root /srv/files: readable']],
    ['succeeds where nothing is said', [], 0, []],
  ])('%s', async (_, diagnoses, code, lines) => {
    const checked = await runCommand(
      check,
      recorded([], () => diagnoses),
    );
    expect(checked.code).toBe(code);
    expect(checked.printed.split('\n').slice(2)).toEqual(lines);
  });

  it('opens the server, asks it and releases it', async () => {
    const events: string[] = [];
    await runCommand(
      check,
      recorded(events, () => Promise.resolve([FINE])),
    );
    expect(events).toEqual(['open', 'diagnose', 'dispose']);
  });

  it('releases the server also where its diagnosis fails', async () => {
    const events: string[] = [];
    const failing = recorded(events, () => Promise.reject(new Error('no answer')));
    await expect(runCommand(check, failing)).rejects.toThrow('no answer');
    expect(events).toEqual(['open', 'diagnose', 'dispose']);
  });

  it('passes on what opening the server asks of the operator, and releases what is half open', async () => {
    const events: string[] = [];
    class Closed extends recorded(events, () => []) {
      open(): Promise<void> {
        return Promise.reject(new UsageError('name a directory'));
      }
    }
    await expect(runCommand(check, Closed)).rejects.toThrow(new UsageError('name a directory'));
    expect(events).toEqual(['dispose']);
  });
});
