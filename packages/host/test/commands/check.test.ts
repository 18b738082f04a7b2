import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { McpServer, Tool } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { check } from '../../src/commands/check.ts';
import type { Diagnosis } from '../../src/server-object.ts';
import type { ServerOptions } from '../../src/server-options.ts';
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

class RemoveInput {
  @IsBoolean() dry_run = false;
  @IsOptional() @IsString() confirm_token?: string;
}

@McpServer({ name: 'confirming', version: '2.0.0' })
class Confirming {
  @Tool({ description: 'Remove it' })
  remove(_input: RemoveInput): string {
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

  it.each([
    [{}, 'by the user, in a dialogue of the client; a client without dialogues confirms by token'],
    [{ confirm: 'token' as const }, 'by token alone; the model decides, unless the client asks the user before it calls a tool'],
  ])('says how calls are confirmed with %j, of a server with tools that take tokens', async (options, detail) => {
    const { code, printed } = await runCommand(check, Confirming, options);
    expect([code, printed.split('\n')[2]]).toEqual([0, `ok     confirmation: ${detail}`]);
    expect((await runCommand(check, Confirming, { ...options, readOnly: true })).printed).not.toContain('confirmation');
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

  it('looks at the tokens that are taken over HTTP', async () => {
    const tokenFile = path.join(await mkdtemp(path.join(tmpdir(), 'check-')), 'tokens');
    await writeFile(tokenFile, 'ci 6f1c0e0b2d8f4c5a9e7d read\n', { mode: 0o600 });
    const { code, printed } = await runCommand(check, Plain, { tokenFile });
    expect([code, printed.split('\n').at(-1)]).toEqual([0, `ok     token file ${tokenFile}: tokens: 1`]);
    await rm(path.dirname(tokenFile), { recursive: true });
    const { code: unreachable, printed: told } = await runCommand(check, Plain, {
      authIssuer: 'http://127.0.0.1:1',
      authAudience: 'notes',
    });
    expect([unreachable, told]).toEqual([1, expect.stringMatching(/^wrong {2}issuer http:.*cannot be reached/m)]);
  });

  it.each<readonly [string, Partial<ServerOptions>, string]>([
    ['an address', { http: '99999' }, '--http: "99999" is not [host:]port, for instance 3000 or localhost:3000'],
    ['an address for all names', { http: '0.0.0.0:0' }, '--http 0.0.0.0:0 takes connections for every name'],
    ['a token file', { tokenFile: '/does/not/exist' }, 'the token file /does/not/exist cannot be read'],
    ['an issuer', { authIssuer: 'https://issuer.example' }, '--auth-issuer needs --auth-audience'],
  ])('finds %s that cannot be used, and releases the server', async (_, options, problem) => {
    const events: string[] = [];
    const checked = runCommand(
      check,
      recorded(events, () => []),
      options,
    );
    await expect(checked).rejects.toThrow(UsageError);
    await expect(checked).rejects.toThrow(problem);
    expect(events.at(-1)).toBe('dispose');
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
