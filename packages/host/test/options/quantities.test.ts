import { describe, expect, it } from 'vitest';

import { parseArguments } from '../../src/options/arguments.ts';
import { describeOptions } from '../../src/options/option.ts';
import { Duration, formatQuantity, Size } from '../../src/options/quantities.ts';
import { readOptions } from '../../src/options/read-options.ts';
import { ServerOptions } from '../../src/options/server-options.ts';
import { UsageError } from '../../src/process/usage-error.ts';

class Waiting extends ServerOptions {
  @Duration('How long an idle session is kept', { min: 1000, max: 86_400_000 }) idle = 1_800_000;
  @Duration('Longest call', { optional: true }) longest?: number;
  @Duration('How long records are kept', { max: 3650 * 86_400_000 }) age = 86_400_000;
  @Size('Most bytes of a body', { min: 1024, max: 67_108_864 }) body = 4_194_304;
  @Size('Most bytes of all bodies', { optional: true }) total?: number;
}

const OPTIONS = describeOptions(Waiting, 'mcp-waiting');

function read(...argv: string[]): Promise<Waiting> {
  return readOptions(Waiting, OPTIONS, { arguments: parseArguments(argv, OPTIONS), positionals: [], env: {} });
}

describe('a duration', () => {
  it.each([
    ['1ms', 1],
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['90M', 5_400_000],
    ['596h', 2_145_600_000],
    ['24d', 2_073_600_000],
  ])('%s becomes a number of milliseconds', async (text, milliseconds) => {
    const { age } = await read('--age', text);
    expect(age).toBe(milliseconds);
  });

  it.each([
    '30',
    's',
    '30 s',
    ' 30s',
    '1.5h',
    '-1s',
    '+1s',
    '1e3s',
    '1m30s',
    '3w',
    '30seconds',
    '٣s',
    '1s\n',
    '1234567890ms',
    '999999999ms1',
    '1constructor',
  ])('rejects %j', async (text) => {
    const message = `--longest: expected a duration like 500ms, 30s, 5m, 2h or 7d, got ${JSON.stringify(text)}`;
    await expect(read(`--longest=${text}`)).rejects.toThrow(new UsageError(message));
  });
});

describe('a size', () => {
  it.each([
    ['1', 1],
    ['4096', 4096],
    ['64kb', 65_536],
    ['4mb', 4_194_304],
    ['4MB', 4_194_304],
    ['1gb', 1_073_741_824],
    ['1024gb', 1_099_511_627_776],
  ])('%s becomes a number of bytes', async (text, bytes) => {
    const { total } = await read('--total', text);
    expect(total).toBe(bytes);
  });

  it.each(['mb', '4 mb', '4m', '4mib', '1.5mb', '-1', '0x10', '1tb', '4kbkb', 'NaN'])('rejects %j', async (text) => {
    const message = `--total: expected a size like 4096, 64kb, 4mb or 1gb, got ${JSON.stringify(text)}`;
    await expect(read(`--total=${text}`)).rejects.toThrow(new UsageError(message));
  });

  it('is truncated in error messages', async () => {
    await expect(read('--total', 'x'.repeat(10_000))).rejects.toThrow(/^.{1,120}$/);
  });
});

describe('an option that is a quantity', () => {
  it('is a number in the options object', async () => {
    expect(await read('--idle', '90s', '--longest', '5m', '--body', '64MB')).toMatchObject({
      idle: 90_000,
      longest: 300_000,
      body: 67_108_864,
    });
    expect(await read()).toMatchObject({ idle: 1_800_000, body: 4_194_304 });
  });

  it.each([
    ['--idle', '500ms', '--idle: expected at least 1s and at most 1d, got "500ms"'],
    ['--idle', '25h', '--idle: expected at least 1s and at most 1d, got "25h"'],
    ['--longest', '0s', '--longest: expected at least 1ms and at most 24d, got "0s"'],
    ['--longest', '999999999h', '--longest: expected at least 1ms and at most 24d, got "999999999h"'],
    ['--body', '1', '--body: expected at least 1kb and at most 64mb, got "1"'],
    ['--total', '1025gb', '--total: expected at least 1 and at most 1024gb, got "1025gb"'],
  ])('is rejected outside its range: %s %s', async (flag, text, message) => {
    await expect(read(flag, text)).rejects.toThrow(new UsageError(message));
  });

  it('reports every invalid text', async () => {
    await expect(read('--idle', '1', '--body', 'big')).rejects.toThrow(/--idle: [^\n]*\n--body: /);
  });
});

describe('a formatted quantity', () => {
  it.each([
    [500, 'duration', '500ms'],
    [90_000, 'duration', '90s'],
    [60_000, 'duration', '1m'],
    [172_800_000, 'duration', '2d'],
    [20_000, 'size', '20000'],
    [262_144, 'size', '256kb'],
    [1_572_864, 'size', '1536kb'],
    [1_099_511_627_776, 'size', '1024gb'],
    [0, 'size', '0'],
  ] as const)('of %d as %s is %s', (value, format, text) => {
    expect(formatQuantity(value, format)).toBe(text);
  });
});
