import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { runProgram, startProgram } from '../src/index.ts';

function node(code: string): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: ['-e', code] };
}

function isRunning(pid: number | undefined): boolean {
  try {
    return process.kill(pid!, 0);
  } catch {
    return false;
  }
}

describe('runProgram', () => {
  it('returns the exit code and the whole output', async () => {
    const writes = "process.stdout.write('out\\n'); process.stderr.write('err'); process.exitCode = 3";
    expect(await runProgram(node(writes))).toEqual({ code: 3, stdout: 'out\n', stderr: 'err' });
  });

  it('provides no input', async () => {
    const echo = "process.stdin.on('end', () => console.log('end')).resume()";
    expect(await runProgram(node(echo))).toMatchObject({ code: 0, stdout: 'end\n' });
  });

  it('passes the environment that a client passes to a server, and the added variables', async () => {
    vi.stubEnv('MCP_SECRET', 'x');
    onTestFinished(() => void vi.unstubAllEnvs());
    const show = "console.log('MCP_SECRET' in process.env, 'PATH' in process.env, process.env.ADDED)";
    expect((await runProgram({ ...node(show), env: { ADDED: 'yes' } })).stdout).toBe('false true yes\n');
  });

  it('returns no exit code for a program that a signal ended', async () => {
    expect((await runProgram(node("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)"))).code).toBeNull();
  });

  it('rejects if the program does not exist', async () => {
    await expect(runProgram({ command: '/does/not/exist' })).rejects.toThrow('ENOENT');
  });
});

describe('startProgram', () => {
  it('returns each line as it arrives', async () => {
    await using running = startProgram(node("process.stdin.on('data', (text) => process.stdout.write(`heard ${text}`))"));
    running.stdin.write('one\n');
    expect(await running.stdout.next()).toBe('heard one');
    running.stdin.write('two\nthree\n');
    expect(await running.stdout.next((line) => line.includes('three'))).toBe('three');
    expect(running.stdout.all).toEqual(['heard one', 'heard two', 'three']);
  });

  it('rejects the wait for a line that can no longer arrive', async () => {
    await using running = startProgram(node("console.log('once')"));
    await expect(running.stdout.next((line) => line === 'twice')).rejects.toThrow('no further line can arrive; 1 arrived');
  });

  it('kills a program that is still running at the end of the scope', async () => {
    let pid: number | undefined;
    {
      const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";
      await using running = startProgram(node(stubborn));
      await running.stdout.next();
      ({ pid } = running);
      expect(isRunning(pid)).toBe(true);
    }
    expect(isRunning(pid)).toBe(false);
  });

  it('does not wait for child processes of the program', async () => {
    const spawns =
      "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })";
    let grandchild: number;
    {
      await using running = startProgram(node(`console.log(${spawns}.pid)`));
      grandchild = Number(await running.stdout.next());
    }
    expect(process.kill(grandchild, 'SIGKILL')).toBe(true);
  });

  it('ignores input for a program that has ended', async () => {
    await using running = startProgram(node(''));
    await running.ended;
    running.stdin.write('too late\n');
    expect((await running.ended).code).toBe(0);
  });
});
