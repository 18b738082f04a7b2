import { describe, expect, it } from 'vitest';

import { parseArguments } from '../../src/options/arguments.ts';
import { UsageError } from '../../src/process/usage-error.ts';
import { EXAMPLE } from './example-options.ts';

describe('the command line', () => {
  it.each<readonly [readonly string[], Readonly<Record<string, unknown>>]>([
    [[], {}],
    [['--read-only'], { readOnly: true }],
    [['--no-read-only'], { readOnly: false }],
    [['--no-cache'], { cache: false }],
    [['--no-cache', '--cache'], { cache: true }],
    [['--log-level', 'debug'], { logLevel: 'debug' }],
    [['--log-level=debug'], { logLevel: 'debug' }],
    [['--log-level', 'debug', '--log-level', 'error'], { logLevel: 'error' }],
    [['--log-level='], { logLevel: '' }],
    [['--max-entries', '5'], { maxEntries: '5' }],
    [['--trace-ratio=-1'], { traceRatio: '-1' }],
    [['--tools', 'a,b'], { tools: ['a', 'b'] }],
    [['--tools', 'a,b', '--read-only', '--tools=c'], { tools: ['a', 'b', 'c'], readOnly: true }],
    [['--tools='], { tools: [] }],
    [['--deny', '*.{js,ts},.env'], { deny: ['*.{js,ts}', '.env'] }],
  ])('provides values by property: %j', (argv, values) => {
    expect(Object.fromEntries(parseArguments(argv, EXAMPLE).values)).toEqual(values);
  });

  it.each<readonly [readonly string[], readonly string[]]>([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', '--read-only', 'b'],
      ['a', 'b'],
    ],
    [
      ['--', '--read-only', '-x', 'a,b'],
      ['--read-only', '-x', 'a,b'],
    ],
    [
      ['a', '--', '--'],
      ['a', '--'],
    ],
    [['-'], ['-']],
  ])('has positionals: %j', (argv, positionals) => {
    expect(parseArguments(argv, EXAMPLE).positionals).toEqual(positionals);
  });

  it('has no options after "--"', () => {
    expect(parseArguments(['--', '--read-only', '--tools'], EXAMPLE).values.size).toBe(0);
  });

  it.each<readonly [readonly string[], object]>([
    [[], { help: false, version: false, config: undefined }],
    [['--help'], { help: true }],
    [['-h'], { help: true }],
    [['--version'], { version: true }],
    [['-V'], { version: true }],
    [['-hV'], { help: true, version: true }],
    [['--config', 'x.json'], { config: 'x.json' }],
    [['--', '--help'], { help: false }],
  ])('accepts the flags of every program: %j', (argv, common) => {
    expect(parseArguments(argv, EXAMPLE)).toMatchObject(common);
  });

  it.each<readonly [readonly string[], string]>([
    [['--read-onyl'], 'unknown option --read-onyl; did you mean --read-only?'],
    [['--maxEntries', '5'], 'unknown option --maxEntries; did you mean --max-entries?'],
    [['--tool=a'], 'unknown option --tool; did you mean --tools?'],
    [['--no-tools'], 'unknown option --no-tools; did you mean --tools?'],
    [['--hlep'], 'unknown option --hlep; did you mean --help?'],
    [['--log-level'], '--log-level needs a value'],
    [['--log-level', '--read-only'], '--log-level needs a value; write --log-level=VALUE for a value that begins with -'],
    [['--read-only=true'], '--read-only takes no value'],
    [['--config'], '--config needs a value'],
  ])('is rejected: %j', (argv, message) => {
    const parsing = (): unknown => parseArguments(argv, EXAMPLE);
    expect(parsing).toThrow(UsageError);
    expect(parsing).toThrow(message);
  });

  it('is rejected without a suggestion if no option is similar', () => {
    expect(() => parseArguments(['--something-else-entirely'], EXAMPLE)).toThrow(/entirely$/);
    expect(() => parseArguments(['-x'], EXAMPLE)).toThrow(/-x$/);
  });
});
