import { createMcpHandler } from '@modelcontextprotocol/server';
import { McpServer, RequestContext, serverFactory, Tool } from '@org/mcp-decorators';
import { connect, ERAS, REVISIONS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { httpCall } from '../../support/http-call.ts';

@McpServer({ name: 'curious', version: '1.0.0' })
class Curious {
  @Tool({ description: 'Return the caller' })
  who({ client, protocolVersion, era, auth, sessionId, http }: RequestContext): object {
    const caller = auth && { clientId: auth.clientId, scopes: auth.scopes };
    return { client, protocolVersion, era, caller, sessionId, isHttp: http !== undefined };
  }

  @Tool({ description: 'Whether progress is worth the trouble' })
  wanted({ progressWanted }: RequestContext): string {
    return String(progressWanted);
  }

  @Tool({ description: 'Whether structured content is worth the trouble' })
  structured({ structureWanted }: RequestContext): string {
    return String(structureWanted);
  }

  @Tool({ description: 'End the stream early' })
  leave({ http }: RequestContext): string {
    http?.closeStream();
    return 'went on';
  }
}

describe.each(ERAS)('the context of a request, in the %s era,', (era) => {
  it('identifies the client, its session and its transport', async () => {
    await using session = await connect(new Curious(), { era, roots: () => [] });
    expect(JSON.parse(await session.text('who'))).toEqual({
      client: { name: '@org/mcp-testing', version: '1.0.0', capabilities: { roots: { listChanged: true } } },
      protocolVersion: REVISIONS[era],
      era,
      isHttp: false,
    });
  });

  it.each([
    ['always', 'true'],
    ['auto', 'true'],
    ['never', 'false'],
  ] as const)('shows whether the client gets structured content, for the mode %s', async (structured, wanted) => {
    await using session = await connect(new Curious(), { era, structured });
    expect(await session.text('structured')).toBe(wanted);
  });

  it('shows whether the client requested progress', async () => {
    await using session = await connect(new Curious(), { era });
    expect(await session.text('wanted')).toBe('false');
    const { content } = await session.start('wanted').result;
    expect(content).toMatchObject([{ text: 'true' }]);
  });

  it('has no closable stream on a transport other than HTTP', async () => {
    await using session = await connect(new Curious(), { era });
    expect(await session.text('leave')).toBe('went on');
  });
});

describe('the context of a request over HTTP', () => {
  it('contains the claims of the token', async () => {
    const handler = createMcpHandler(serverFactory(new Curious()));
    const authInfo = { token: 'secret', clientId: 'ada', scopes: ['read', 'write'] };
    const body = await (await handler.fetch(httpCall({ name: 'who' }), { authInfo })).text();
    expect(body).toContain(String.raw`\"caller\":{\"clientId\":\"ada\",\"scopes\":[\"read\",\"write\"]}`);
    expect(body).toContain(String.raw`\"isHttp\":true`);
    expect(body).not.toContain('secret');
  });
});
