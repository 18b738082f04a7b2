import { connectProcess, ERAS, runProgram, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';

const PROGRAM = compiledProgram(new URL('informed-program.ts', import.meta.url));
const SECRET = 's3cret';

function programWith(...args: readonly string[]): typeof PROGRAM {
  const env = { MCP_UNRELATED: SECRET, INFORMED_URL: `postgres://ada:${SECRET}@db/notes` };
  return { ...PROGRAM, args: [...(PROGRAM.args ?? []), ...args], env, stderr: 'ignore' };
}

async function textOf({ client }: Session): Promise<string> {
  const [content] = (await client.readResource({ uri: 'server://info' })).contents;
  return content !== undefined && 'text' in content ? content.text : '';
}

describe.each(ERAS)('server://info of a process, in the %s era,', (era) => {
  it('reports the server, the start time, the protocol version and problems', async () => {
    await using session = await connectProcess(programWith(), { era });
    const text = await textOf(session);
    expect(JSON.parse(text)).toEqual({
      name: 'informed',
      version: '1.2.3',
      uptimeSeconds: expect.any(Number),
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
      transport: 'stdio',
      diagnosis: [{ subject: 'notes', ok: false, detail: 'cannot reach postgres://ada:***@db/notes' }],
      options: expect.objectContaining({ readOnly: false, structured: 'auto', logLevel: 'info', maxNotes: 10 }),
      limits: { read: { maxConcurrent: 2 } },
      calls: { inFlight: 1, failed: 0 },
      rssBytes: expect.any(Number),
      node: process.version,
    });
    expect(text).not.toContain(SECRET);
  });

  it('counts the calls of the process by outcome', async () => {
    await using session = await connectProcess(programWith('--timeout', '500ms', '--max-notes', '5'), { era });
    await session.call('read');
    await session.fails('lose');
    await session.fails('lose');
    expect(await session.fails('hang')).toBe('TIMEOUT: hang took longer than 500 ms');
    expect(JSON.parse(await textOf(session))).toMatchObject({
      options: { timeout: '500ms', maxNotes: 5 },
      calls: { failed: 3, tool: { read: { ok: 1 }, lose: { NOT_FOUND: 2 }, hang: { TIMEOUT: 1 } } },
    });
    expect(JSON.parse(await textOf(session))).toMatchObject({ calls: { resource: { server_info: { ok: 1 } } } });
  });

  it('is listed like any other resource', async () => {
    await using session = await connectProcess(programWith(), { era });
    expect((await session.client.listResources()).resources).toMatchObject([
      { uri: 'server://info', name: 'server_info', mimeType: 'application/json' },
    ]);
  });
});

describe('a process with an invalid time limit', () => {
  it('ends with an error that describes valid time limits', async () => {
    expect(await runProgram(programWith('--timeout', '30'))).toMatchObject({
      code: 2,
      stderr: '--timeout: expected a duration like 500ms, 30s, 5m, 2h or 7d, got "30"\nSee --help.\n',
    });
  });
});
