import { LOG_LEVEL_META_KEY, type LoggingLevel } from '@modelcontextprotocol/client';
import { McpServer, RequestContext, Resource, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const LEVELS: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Logs at every level' }) logAll({ log }: RequestContext): string {
    for (const level of LEVELS) log[level](`at ${level}`);
    return 'done';
  }
  @Tool({ description: 'Logs with facts' }) logFacts({ log }: RequestContext): string {
    log.error('not read', { path: 'a', tries: 2 });
    return 'done';
  }
  @Resource({ uri: 'notes://logged' }) logged({ log }: RequestContext): string {
    log.info('read');
    return 'text';
  }
}

describe.each(ERAS)('a log message, in the %s era,', (era) => {
  it.each(LEVELS)('is sent if it is not below the level that the client requests: %s', async (logLevel) => {
    await using session = await connect(new Notes(), { era, logLevel });
    await session.call('log_all');
    const expected = LEVELS.slice(LEVELS.indexOf(logLevel)).map((level) => ({ level, data: `at ${level}` }));
    expect(session.logs.all).toEqual(expected);
  });

  it('contains its data in addition to the message', async () => {
    await using session = await connect(new Notes(), { era, logLevel: 'debug' });
    await session.call('log_facts');
    expect(session.logs.all).toEqual([{ level: 'error', data: { message: 'not read', data: { path: 'a', tries: 2 } } }]);
  });

  it('is also sent for a resource', async () => {
    await using session = await connect(new Notes(), { era, logLevel: 'info' });
    await session.client.readResource({ uri: 'notes://logged' });
    expect(await session.logs.next()).toEqual({ level: 'info', data: 'read' });
  });
});

describe('a client that requests no log level', () => {
  it('receives no log messages in the modern era', async () => {
    await using session = await connect(new Notes(), { era: 'modern' });
    await session.call('log_all');
    expect(session.logs.all).toEqual([]);
  });

  it('receives all log messages in the legacy era', async () => {
    await using session = await connect(new Notes(), { era: 'legacy' });
    await session.call('log_all');
    expect(session.logs.all).toHaveLength(LEVELS.length);
  });
});

describe('the level of a request in the modern era', () => {
  it('does not apply to the next request', async () => {
    await using session = await connect(new Notes(), { era: 'modern' });
    await session.client.callTool({ name: 'log_all', _meta: { [LOG_LEVEL_META_KEY]: 'alert' } });
    await session.call('log_all');
    expect(session.logs.all).toHaveLength(2);
  });

  it('is the level in the request, regardless of the level of the client', async () => {
    await using session = await connect(new Notes(), { era: 'modern', logLevel: 'debug' });
    await session.client.callTool({ name: 'log_all', _meta: { [LOG_LEVEL_META_KEY]: 'alert' } });
    expect(session.logs.all).toHaveLength(2);
  });
});
