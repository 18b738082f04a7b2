import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { McpServer, Tool } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { check } from '../../../src/cli/commands/check.ts';
import type { Diagnosis } from '../../../src/process/server-object.ts';
import type { ServerOptions } from '../../../src/options/server-options.ts';
import { UsageError } from '../../../src/process/usage-error.ts';
import { runCommand } from './run-command.ts';

const FINE: Diagnosis = { subject: 'root /srv/files', ok: true, detail: 'readable' };
const BROKEN: Diagnosis = { subject: 'database', ok: false, detail: 'does not answer' };

@McpServer({ name: 'plain', version: '2.0.0' })
class Plain {
  @Tool({ description: 'Return the time' })
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

/** Returns a server class that records the calls of its lifecycle methods. */
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
  it('describes the definition of a server without a diagnosis', async () => {
    expect(await runCommand(check, Plain)).toEqual({
      code: 0,
      printed: 'plain 2.0.0\nok     definition: 1 tool, 1 resource, 0 resource templates, 0 prompts',
    });
  });

  it.each([
    [{}, 'by the user, in a dialog of the client; by token if the client has no dialogs'],
    [{ confirm: 'token' as const }, 'always by token: the model decides, unless the client asks the user before it calls a tool'],
  ])('describes the confirmation with %j for a server with tools that accept tokens', async (options, detail) => {
    const { code, printed } = await runCommand(check, Confirming, options);
    expect([code, printed.split('\n')[2]]).toEqual([0, `ok     confirmation: ${detail}`]);
    expect((await runCommand(check, Confirming, { ...options, readOnly: true })).printed).not.toContain('confirmation');
  });

  it.each<readonly [string, readonly Diagnosis[], number, readonly string[]]>([
    ['succeeds if every line is ok', [FINE], 0, ['ok     root /srv/files: readable']],
    ['fails on one problem', [FINE, BROKEN], 1, ['ok     root /srv/files: readable', 'wrong  database: does not answer']],
    [
      'fails even if the problem is not in the last line',
      [BROKEN, FINE],
      1,
      ['wrong  database: does not answer', 'ok     root /srv/files: readable'],
    ],
    ['succeeds without a diagnosis', [], 0, []],
  ])('%s', async (_, diagnoses, code, lines) => {
    const checked = await runCommand(
      check,
      recorded([], () => diagnoses),
    );
    expect(checked.code).toBe(code);
    expect(checked.printed.split('\n').slice(2)).toEqual(lines);
  });

  it('checks the tokens for HTTP', async () => {
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
    ['an address', { http: '99999' }, '--http: "99999" is not a valid [host:]port, for instance 3000 or localhost:3000'],
    ['an address that listens on all addresses', { http: '0.0.0.0:0' }, '--http 0.0.0.0:0 listens on all addresses'],
    ['a token file', { tokenFile: '/does/not/exist' }, 'the token file /does/not/exist cannot be read'],
    ['an issuer', { authIssuer: 'https://issuer.example' }, '--auth-issuer requires --auth-audience'],
  ])('reports %s that cannot be used, and releases the server', async (_, options, problem) => {
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

  it('opens, diagnoses and releases the server', async () => {
    const events: string[] = [];
    await runCommand(
      check,
      recorded(events, () => Promise.resolve([FINE])),
    );
    expect(events).toEqual(['open', 'diagnose', 'dispose']);
  });

  it('releases the server even if its diagnosis fails', async () => {
    const events: string[] = [];
    const failing = recorded(events, () => Promise.reject(new Error('no answer')));
    await expect(runCommand(check, failing)).rejects.toThrow('no answer');
    expect(events).toEqual(['open', 'diagnose', 'dispose']);
  });

  it('reports the usage error of opening the server, and releases a partly opened server', async () => {
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
