import { fileURLToPath } from 'node:url';

import { connectUrl, runProgram, startProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));
}

describe('a process on a runtime whose HTTP server is not a net.Server', () => {
  it('serves over HTTP, and ends with 0 after SIGTERM', async () => {
    const args = ['--import', fixture('separate-servers'), fixture('slow-server'), '--http', '0'];
    await using running = startProgram({ command: process.execPath, args });
    const line = await running.stderr.next((text) => text.includes('serves at'));
    {
      await using session = await connectUrl(line.slice(line.indexOf('http://')), { era: 'legacy' });
      expect(await session.text('talk')).toBe('said');
    }
    running.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect(stderr).not.toContain('TypeError');
    expect(code).toBe(0);
  });
});

describe('the factory of a server object with a state key', () => {
  it('is created without random values, which workerd rejects while modules load', async () => {
    const end = await runProgram({ command: process.execPath, args: [fixture('module-scope')] });
    expect(end).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
  });
});
