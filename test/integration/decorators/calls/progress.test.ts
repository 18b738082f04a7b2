import type { Progress } from '@modelcontextprotocol/client';
import { Field, McpServer, RequestContext, Tool, ToolError } from '@org/mcp-decorators';
import { connect, ERAS, type Session } from '@org/mcp-testing';
import { IsArray, ValidateNested, IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { recordWire } from '../../support/recorders.ts';

class Report {
  @IsNumber() value!: number;
  @IsOptional() @IsNumber() total?: number;
  @IsOptional() @IsString() message?: string;
  @Field('Milliseconds that pass before it') @IsInt() after = 0;
}
class Reports {
  @Field('In order', { type: () => Report }) @IsArray() @ValidateNested() reports!: Report[];
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  last: RequestContext | undefined;

  @Tool({ description: 'Reports the given values' }) report({ reports }: Reports, context: RequestContext): string {
    this.last = context;
    for (const { after, value, total, message } of reports) {
      vi.advanceTimersByTime(after);
      context.progress(value, total, message);
    }
    return 'done';
  }

  @Tool({ description: 'Reports and then fails' }) fail(context: RequestContext): never {
    for (let value = 1; value <= 100; value += 1) context.progress(value);
    throw new ToolError('FAILED', 'after the last report');
  }
}

async function reportsOf(session: Session, reports: readonly Partial<Report>[]): Promise<readonly Progress[]> {
  const { progress, result } = session.start('report', { reports });
  await result;
  return progress.all;
}

const upTo = (count: number): readonly Partial<Report>[] => Array.from({ length: count }, (_, index) => ({ value: index + 1 }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(ERAS)('progress, in the %s era,', (era) => {
  it('is sent with its value, total and message', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await reportsOf(session, [{ value: 1 }, { value: 2.5, total: 4 }, { value: 4, total: 4, message: 'read' }])).toEqual([
      { progress: 1 },
      { progress: 2.5, total: 4 },
      { progress: 4, total: 4, message: 'read' },
    ]);
  });

  it('is not sent to a client that did not request it', async () => {
    await using session = await connect(new Notes(), { era });
    const wire = recordWire(session);
    await session.call('report', { reports: upTo(3) });
    expect(wire).toHaveLength(1);
  });

  it('is sent only if the value increases', async () => {
    await using session = await connect(new Notes(), { era });
    const heard = await reportsOf(session, [{ value: 1 }, { value: 1 }, { value: 0 }, { value: -1 }, { value: 2 }]);
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2]);
  });

  it('may begin below zero', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await reportsOf(session, [{ value: -2 }, { value: 0 }])).toEqual([{ progress: -2 }, { progress: 0 }]);
  });

  it('is sent in a burst of five, and the last value is sent before the result', async () => {
    await using session = await connect(new Notes(), { era });
    const heard = await reportsOf(session, upTo(1000));
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5, 1000]);
  });

  it('is sent ten times per second after the burst', async () => {
    await using session = await connect(new Notes(), { era });
    const slow = Array.from({ length: 10 }, (_, index) => ({ value: 6 + index, after: 50 }));
    const heard = await reportsOf(session, [...upTo(5), ...slow]);
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5, 7, 9, 11, 13, 15]);
  });

  it('is sent in a burst of at most five after a pause, too', async () => {
    await using session = await connect(new Notes(), { era });
    const heard = await reportsOf(session, [{ value: 1, after: 60_000 }, ...upTo(100)]);
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5, 100]);
  });

  it('arrives before the result, even if the call fails', async () => {
    await using session = await connect(new Notes(), { era });
    const wire = recordWire(session);
    await expect(session.start('fail').result).rejects.toThrow('FAILED');
    const progress = wire.map((message) => ('params' in message ? message.params?.['progress'] : 'result'));
    expect(progress).toEqual([1, 2, 3, 4, 5, 100, 'result']);
  });

  it('is not sent after the result', async () => {
    const server = new Notes();
    await using session = await connect(server, { era });
    const wire = recordWire(session);
    await session.start('report', { reports: upTo(1) }).result;
    server.last?.progress(2);
    await session.call('report', { reports: [] });
    expect(wire.filter((message) => 'method' in message)).toHaveLength(1);
  });

  it('is limited separately for each request', async () => {
    await using session = await connect(new Notes(), { era });
    await reportsOf(session, upTo(1000));
    expect(await reportsOf(session, upTo(5))).toHaveLength(5);
  });
});
