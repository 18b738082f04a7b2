import { fileURLToPath } from 'node:url';

import { connectProcess, runProgram, startProgram, type ProgramEnd } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('fixtures/configured-server.mjs', import.meta.url));

function program(way: string, ...args: readonly string[]): { command: string; args: string[]; env: Record<string, string> } {
  return { command: process.execPath, args: [PROGRAM, ...args], env: { RUN_AS: way } };
}

function run(way: string, ...args: readonly string[]): Promise<ProgramEnd> {
  return runProgram(program(way, ...args));
}

describe('runServer', () => {
  it.each([
    ['an object', 'instance', 'hello, read only: undefined, undefined'],
    ['a class with features and interceptors', 'settings', '<none, read only: true, info>'],
    ['a class with an asynchronous function that creates the object', 'create', 'good morning, read only: true, info'],
  ])('serves %s', async (_, way, text) => {
    await using session = await connectProcess({ ...program(way), stderr: 'ignore' });
    expect(await session.text('greet')).toBe(text);
  });

  it('opens, diagnoses and disposes of extra features, after and before the server object', async () => {
    const { code, stdout, stderr } = await run('settings', 'check');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('ok     clock: runs') });
    expect(stderr.trim().split('\n')).toEqual(['open server', 'open clock', 'dispose clock', 'dispose server']);
  });

  it.each([
    ['other', 'create must return an object of the class GreetingServer'],
    ['failing', 'the database is away'],
    ['function', 'runServer needs the class of the server; pass a function that creates the object as { create }'],
  ])('ends with 1 and the reason if the program is wrong: %s', async (way, reason) => {
    expect(await run(way, 'list')).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
  });

  it.each([
    ['list', 0],
    ['manifest', 0],
    ['list --tools nope', 2],
    ['--tools nope', 2],
  ])('releases the created object and ends: %s', async (args, code) => {
    const { stderr, ...ended } = await run('held', ...args.split(' '));
    expect({ code: ended.code, stderr }).toMatchObject({ code, stderr: expect.stringContaining('dispose server') });
  });

  it('ends on a signal while the object is being created', async () => {
    await using running = startProgram(program('waiting'));
    await running.stderr.next((line) => line === 'create');
    running.kill('SIGTERM');
    running.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
  });
});

describe('an options class that changes flags', () => {
  it('renames a flag', async () => {
    await using session = await connectProcess({ ...program('create', '--verbosity', 'error'), stderr: 'ignore' });
    expect(await session.text('greet')).toContain('error');
    const { stdout } = await run('create', '--help');
    expect(stdout).toContain('--verbosity LEVEL');
    expect(stdout).not.toMatch(/--log-level|--read-only/);
  });

  it('removes a flag, whose property keeps its value', async () => {
    expect(await run('create', '--read-only')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown option --read-only'),
    });
  });
});
