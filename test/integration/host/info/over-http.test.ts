import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ERAS, Session, startProgram, type Era, type RunningProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';

const PROGRAM = compiledProgram(new URL('informed-program.ts', import.meta.url));

/** Starts the program at a free port. */
function serve(...args: readonly string[]): RunningProgram {
  return startProgram({ ...PROGRAM, args: [...(PROGRAM.args ?? []), '--http', '0', ...args] });
}

async function addressOf({ stderr }: RunningProgram): Promise<string> {
  const line = await stderr.next((text) => text.includes('serves at'));
  return line.slice(line.indexOf('http://')).replace(/\/mcp$/, '');
}

function connectTo(url: string, era: Era): Promise<Session> {
  return Session.open(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)), { era }, () => Promise.resolve());
}

describe.each(ERAS)('a process that serves over HTTP, in the %s era,', (era) => {
  it('reports the protocol version and the number of sessions to a client', async () => {
    await using program = serve();
    const url = await addressOf(program);
    await using session = await connectTo(url, era);
    const [content] = (await session.client.readResource({ uri: 'server://info' })).contents;
    expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '')).toMatchObject({
      transport: 'http',
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
      sessions: era === 'modern' ? 0 : 1,
      calls: { inFlight: 1 },
    });
  });

  it('exposes counts of calls to Prometheus, without names of unknown tools', async () => {
    await using program = serve('--metrics');
    const url = await addressOf(program);
    await using session = await connectTo(url, era);
    await session.call('read');
    await session.fails('lose');
    await session.call('made_up_name').catch(() => undefined);
    await session.client.readResource({ uri: 'made-up://uri' }).catch(() => undefined);
    const page = await (await fetch(`${url}/metrics`)).text();
    expect(page).toContain('mcp_calls_total{server="informed",kind="tool",name="read",outcome="ok"} 1\n');
    expect(page).toContain('mcp_calls_total{server="informed",kind="tool",name="lose",outcome="NOT_FOUND"} 1\n');
    expect(page).toContain(`mcp_sessions{server="informed"} ${era === 'modern' ? 0 : 1}\n`);
    expect(page).not.toMatch(/made.up/);
  });
});

describe('a process that serves over HTTP', () => {
  it('has no metrics page by default', async () => {
    await using program = serve();
    const url = await addressOf(program);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});
