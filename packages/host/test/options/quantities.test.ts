import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { parseArguments } from '../../src/options/arguments.ts';
import { describeOptions } from '../../src/options/option.ts';
import { IsDuration, IsSize, parseDuration, parseSize } from '../../src/options/quantities.ts';
import { readOptions } from '../../src/options/read-options.ts';
import { ServerOptions } from '../../src/options/server-options.ts';
import { UsageError } from '../../src/process/usage-error.ts';

describe('a duration', () => {
  it.each([
    ['1ms', 1],
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['90M', 5_400_000],
    ['596h', 2_145_600_000],
  ])('%s is parsed into milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    '30',
    's',
    '30 s',
    ' 30s',
    '1.5h',
    '-1s',
    '+1s',
    '1e3s',
    '1m30s',
    '3d',
    '30seconds',
    '٣s',
    '1s\n',
    '1234567890ms',
  ])('rejects %j', (text) => {
    const message = `expected a duration like 500ms, 30s, 5m or 2h, got ${JSON.stringify(text)}`;
    expect(() => parseDuration(text)).toThrow(new UsageError(message));
  });

  it.each(['0s', '0ms', '597h', '999999999h', '999999999ms1'])('must be positive and fit a timer, unlike %s', (text) => {
    expect(() => parseDuration(text)).toThrow(UsageError);
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
  ])('%s is parsed into bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', 'mb', '4 mb', '4m', '4mib', '1.5mb', '-1', '0x10', '1tb', '4kbkb', 'NaN'])('rejects %j', (text) => {
    const message = `expected a size like 4096, 64kb, 4mb or 1gb, got ${JSON.stringify(text)}`;
    expect(() => parseSize(text)).toThrow(new UsageError(message));
  });

  it.each(['0', '0mb', '1025gb'])('must be positive and at most 1024 GiB, unlike %s', (text) => {
    expect(() => parseSize(text)).toThrow(`expected more than 0 and at most 1024gb, got "${text}"`);
  });

  it('is truncated in error messages', () => {
    expect(() => parseSize('x'.repeat(10_000))).toThrow(/^.{1,100}$/);
  });
});

class Waiting extends ServerOptions {
  @Field('How long an idle session is kept', { title: 'DURATION' })
  @IsString()
  @IsDuration({ least: '1s', most: '24h' })
  idle = '30m';

  @Field('Longest call', { title: 'DURATION' })
  @IsOptional()
  @IsString()
  @IsDuration()
  longest?: string;

  @Field('Most bytes of a body', { title: 'SIZE' })
  @IsString()
  @IsSize({ least: '1kb', most: '64mb' })
  body = '4mb';
}

function read(...argv: string[]): Promise<Waiting> {
  const options = describeOptions(Waiting, 'mcp-waiting');
  return readOptions(Waiting, options, { arguments: parseArguments(argv, options), positionals: [], env: {} });
}

describe('an option that is a quantity', () => {
  it('keeps the given text', async () => {
    expect(await read('--idle', '90s', '--longest', '5m', '--body', '64MB')).toMatchObject({
      idle: '90s',
      longest: '5m',
      body: '64MB',
    });
    expect(await read()).toMatchObject({ idle: '30m', body: '4mb' });
  });

  it.each([
    ['--idle', '30', '--idle: expected a duration like 500ms, 30s, 5m or 2h, got 30'],
    ['--idle', '500ms', '--idle: expected at least 1s and at most 24h, got 500ms'],
    ['--idle', '25h', '--idle: expected at least 1s and at most 24h, got 25h'],
    ['--longest', '0s', '--longest: expected more than 0 and at most 596h, got 0s'],
    ['--body', '1', '--body: expected at least 1kb and at most 64mb, got 1'],
    ['--body', 'big', '--body: expected a size like 4096, 64kb, 4mb or 1gb, got big'],
  ])('is rejected outside its range: %s %s', async (flag, text, message) => {
    await expect(read(flag, text)).rejects.toThrow(new UsageError(message));
  });
});
