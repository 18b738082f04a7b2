import { McpServer, Result, Tool } from '@org/mcp-decorators';
import { serveHttp } from '@org/mcp-host';
import { connect, connectUrl, ERAS, type Session } from '@org/mcp-testing';
import { IsInt } from 'class-validator';
import { describe, expect, it, onTestFinished } from 'vitest';

class Stats {
  @IsInt() words!: number;
}

@McpServer({ name: 'notes', version: '1.0.0', cache: { ttlMs: 1000, cacheScope: 'public' } })
class Notes {
  @Tool({ description: 'Count the words', output: Stats })
  count(): Stats {
    return { words: 3 };
  }

  @Tool({ description: 'Describe the words', output: Stats })
  describe(): Result {
    return Result.of({ words: 3 }, 'three words');
  }

  @Tool({ description: 'Return a structure without text' })
  bare(): object {
    return { content: [], structuredContent: { words: 3 } };
  }
}

/** Names of hosts that get no structured content by default. */
const TEXT_HOSTS = [
  'claude-code',
  'codex-mcp-client',
  'copilot-cli',
  'gemini-cli-mcp-client',
  'opencode',
  'kilo',
  'continue-cli-client',
  '@cline/core',
  'qwen-cli-mcp-client-notes',
];

async function expectText(session: Session): Promise<void> {
  const { tools } = await session.client.listTools();
  expect(tools.map(({ outputSchema }) => outputSchema)).toEqual([undefined, undefined, undefined]);
  const results = await Promise.all(tools.map(({ name }) => session.call(name)));
  expect(results.map(({ structuredContent }) => structuredContent)).toEqual([undefined, undefined, undefined]);
  const texts = ['{"words":3}', 'three words', '{"words":3}'];
  expect(results.map(({ content }) => content)).toEqual(texts.map((text) => [{ type: 'text', text }]));
}

async function expectStructure(session: Session): Promise<void> {
  const { tools } = await session.client.listTools();
  expect(tools.map(({ outputSchema }) => outputSchema !== undefined)).toEqual([true, true, false]);
  const results = await Promise.all(tools.map(({ name }) => session.call(name)));
  for (const { structuredContent } of results) expect(structuredContent).toEqual({ words: 3 });
}

describe.each(ERAS)('a server in the %s era', (era) => {
  it('sends only complete texts with structured: never', async () => {
    await using session = await connect(new Notes(), { era, structured: 'never' });
    await expectText(session);
  });

  it.each(TEXT_HOSTS)('sends only complete texts to %s by default', async (clientName) => {
    await using session = await connect(new Notes(), { era, clientName });
    await expectText(session);
  });

  it.each(['an unknown client', 'claude-code-like', ''])(
    'sends structured content to a client with the name "%s"',
    async (clientName) => {
      await using session = await connect(new Notes(), { era, clientName });
      await expectStructure(session);
    },
  );

  it('sends structured content to every host with structured: always', async () => {
    await using session = await connect(new Notes(), { era, clientName: 'claude-code', structured: 'always' });
    await expectStructure(session);
  });

  it('decides separately for each client of one HTTP service', async () => {
    const service = await serveHttp({ '/mcp': new Notes() });
    onTestFinished(() => service.close());
    await using host = await connectUrl(`${service.url}/mcp`, { era, clientName: 'opencode' });
    await using program = await connectUrl(`${service.url}/mcp`, { era, clientName: 'a program' });
    await Promise.all([expectText(host), expectStructure(program)]);
  });
});

describe('the cache hint of tools/list', () => {
  it.each(['auto', 'always', 'never'] as const)(
    'is private, because the list depends on the scopes of the token, with structured: %s',
    async (structured) => {
      await using session = await connect(new Notes(), { structured });
      expect(Reflect.get(await session.client.listTools(), 'cacheScope')).toBe('private');
    },
  );
});
