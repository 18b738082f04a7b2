import { LOG_LEVEL_META_KEY, type LoggingLevel, type LoggingMessageNotificationParams } from '@modelcontextprotocol/client';
import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { connect, ERAS, type Era, type Session } from '../src/index.ts';
import { recordWire } from './recorders.ts';

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
}

/** Calls a tool at a log level; resolves to what was logged before its result. */
async function logged(
  session: Session,
  era: Era,
  tool: string,
  level?: LoggingLevel,
): Promise<readonly LoggingMessageNotificationParams[]> {
  if (era === 'legacy' && level !== undefined) await session.client.setLoggingLevel(level);
  const wire = recordWire(session);
  const meta = era === 'modern' && level !== undefined ? { _meta: { [LOG_LEVEL_META_KEY]: level } } : {};
  await session.client.callTool({ name: tool, ...meta });
  return wire.flatMap((message) => {
    if (!('method' in message) || message.method !== 'notifications/message') return [];
    const { level: at, data } = message.params ?? {};
    return LEVELS.filter((known) => known === at).map((known) => ({ level: known, data }));
  });
}

describe.each(ERAS)('a log message, in the %s era,', (era) => {
  it.each(LEVELS)('is sent if it is not below the level that the client set: %s', async (level) => {
    await using session = await connect(new Notes(), { era });
    const messages = await logged(session, era, 'log_all', level);
    expect(messages).toEqual(LEVELS.slice(LEVELS.indexOf(level)).map((at) => ({ level: at, data: `at ${at}` })));
  });

  it('carries its facts beside the message', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await logged(session, era, 'log_facts', 'debug')).toEqual([
      { level: 'error', data: { message: 'not read', data: { path: 'a', tries: 2 } } },
    ]);
  });
});

describe('a client that set no level', () => {
  it('is sent nothing in the modern era', async () => {
    await using session = await connect(new Notes(), { era: 'modern' });
    expect(await logged(session, 'modern', 'log_all')).toEqual([]);
  });

  it('is sent everything in the legacy era', async () => {
    await using session = await connect(new Notes(), { era: 'legacy' });
    expect(await logged(session, 'legacy', 'log_all')).toHaveLength(LEVELS.length);
  });
});

describe('the level of a request in the modern era', () => {
  it('is not that of the next', async () => {
    await using session = await connect(new Notes(), { era: 'modern' });
    expect(await logged(session, 'modern', 'log_all', 'alert')).toHaveLength(2);
    expect(await logged(session, 'modern', 'log_all')).toEqual([]);
  });
});
