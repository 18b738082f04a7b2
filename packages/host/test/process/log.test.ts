import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Log, type LogLevel } from '../../src/process/log.ts';

const NOW = '2026-01-02T03:04:05.000Z';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a log', () => {
  it.each<readonly [LogLevel, readonly string[]]>([
    ['debug', ['debug', 'info', 'warning', 'error']],
    ['info', ['info', 'warning', 'error']],
    ['warning', ['warning', 'error']],
    ['error', ['error']],
    ['off', []],
  ])('writes entries of severity %s and above at this level', (level, written) => {
    const { log, lines } = recorder({ level });
    log.debug('x');
    log.info('x');
    log.warning('x');
    log.error('x');
    expect(lines).toEqual(written.map((severity) => `${NOW} ${severity} x\n`));
  });

  it('writes one line of JSON for each message', () => {
    const { log, lines } = recorder({ format: 'json' });
    log.info('first\nsecond "quoted"');
    expect(lines).toEqual([`${JSON.stringify({ time: NOW, level: 'info', message: 'first\nsecond "quoted"' })}\n`]);
    expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1);
  });

  it.each([
    ['\n', 'first\nsecond'],
    ['\r\n', 'first\r\nsecond'],
    ['\r', 'first\rsecond'],
  ])('indents the text after %j, so that no message can look like another entry', (_, message) => {
    const { log, lines } = recorder({});
    log.info(message);
    expect(lines).toEqual([`${NOW} info first\n  second\n`]);
  });

  it('escapes control characters in text, so that no entry can affect a terminal', () => {
    const { log, lines } = recorder({});
    log.info('a\u001b[2Jb\u0007c\u009bd\te');
    expect(lines).toEqual([`${NOW} info a\\x1b[2Jb\\x07c\\x9bd\te\n`]);
  });

  it.each(['text', 'json'] as const)('writes no secret in the format %s', (format) => {
    const { log, lines } = recorder({ format });
    log.warning('cannot reach postgres://ada:s3cret@db');
    log.error('refused', new Error('Bearer s3cret-s3cret', { cause: new Error('password=s3cret') }));
    expect(lines).toHaveLength(2);
    expect(lines.join('')).toContain('postgres://ada:***@db');
    expect(lines.join('')).not.toContain('s3cret');
  });
});

describe('an error in a log', () => {
  it('has its stack and its causes', () => {
    const { log, lines } = recorder({ format: 'json' });
    const error = new TypeError('outer', { cause: new RangeError('middle', { cause: 'inner' }) });
    log.error('Notes.readNote', error);
    const { message } = parsed(lines[0]);
    expect(message).toMatch(/^Notes\.readNote: TypeError: outer\n {4}at /);
    expect(message).toMatch(/\ncaused by RangeError: middle\n {4}at /);
    expect(message).toMatch(/\ncaused by inner$/);
  });

  it('may be its own cause', () => {
    const { log, lines } = recorder({ format: 'json' });
    const error = new Error('circle');
    error.cause = error;
    log.error('failed', error);
    expect(parsed(lines[0]).message).toMatch(/^failed: Error: circle\n/);
  });

  it.each([
    ['a string', 'gone', 'failed: gone'],
    ['null', null, 'failed: null'],
    ['an object without any text', Object.create(null), 'failed: [Object: null prototype] {}'],
    ['nothing', undefined, 'failed'],
  ])('may be %s', (_, error, message) => {
    const { log, lines } = recorder({ format: 'json' });
    log.error('failed', error);
    expect(parsed(lines[0])).toMatchObject({ level: 'error', message });
  });
});

describe('a flood of log lines', () => {
  it('is limited to 100 per second, and the dropped lines are reported in one line', () => {
    const { log, lines } = recorder({ format: 'json' });
    for (let count = 1; count <= 250; count += 1) log.info(`line ${count}`);
    expect(lines).toHaveLength(100);
    expect(parsed(lines[99]).message).toBe('line 100');
    vi.setSystemTime(Date.parse(NOW) + 1000);
    log.info('next');
    expect(lines.slice(100).map((line) => parsed(line))).toMatchObject([
      { level: 'warning', message: 'log lines dropped: 150 (limit: 100 per second)' },
      { level: 'info', message: 'next' },
    ]);
  });

  it('is reported once', () => {
    const { log, lines } = recorder({});
    for (let count = 0; count < 101; count += 1) log.info('x');
    for (let second = 1; second <= 3; second += 1) {
      vi.setSystemTime(Date.parse(NOW) + second * 1000);
      log.info('x');
    }
    expect(lines.filter((line) => line.includes('dropped'))).toEqual([expect.stringContaining('log lines dropped: 1 ')]);
  });

  it('is limited in each second separately', () => {
    const { log, lines } = recorder({});
    for (let second = 0; second < 3; second += 1) {
      vi.setSystemTime(Date.parse(NOW) + second * 1000);
      for (let count = 0; count < 120; count += 1) log.info('x');
    }
    expect(lines.filter((line) => line.includes(' info x'))).toHaveLength(300);
  });

  it('does not count entries below the level', () => {
    const { log, lines } = recorder({ level: 'error' });
    for (let count = 0; count < 500; count += 1) log.info('x');
    log.error('failed');
    expect(lines).toEqual([`${NOW} error failed\n`]);
  });

  it('drops no audit entries and does not count them towards the limit', () => {
    const { log, lines } = recorder({});
    for (let count = 0; count < 1000; count += 1) log.audit(`call ${count}`);
    for (let count = 0; count < 100; count += 1) log.info('x');
    log.audit('postgres://ada:secret@host/db');
    expect(lines).toHaveLength(1101);
    expect(lines.at(-1)).toBe(`${NOW} info postgres://ada:***@host/db\n`);
  });

  it('writes audit entries at the level info', () => {
    const { log, lines } = recorder({ level: 'warning' });
    log.audit('call');
    expect(lines).toEqual([]);
  });

  it('drops no line if it has 100 lines', () => {
    const { log, lines } = recorder({});
    for (let count = 0; count < 100; count += 1) log.info('x');
    vi.setSystemTime(Date.parse(NOW) + 1000);
    log.info('x');
    expect(lines).toHaveLength(101);
  });
});

function recorder({ level = 'debug', format = 'text' }: { readonly level?: LogLevel; readonly format?: 'text' | 'json' }): {
  readonly log: Log;
  readonly lines: readonly string[];
} {
  const lines: string[] = [];
  return { log: new Log({ level, format, write: (line) => lines.push(line) }), lines };
}

function parsed(line: string | undefined): Readonly<Record<string, unknown>> {
  return JSON.parse(line ?? '');
}
