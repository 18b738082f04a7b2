import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Field, type Constructor } from '@org/mcp-decorators';
import { IsString } from 'class-validator';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseArguments } from '../../src/options/arguments.ts';
import { describeOptions } from '../../src/options/option.ts';
import { readOptions } from '../../src/options/read-options.ts';
import { ServerOptions } from '../../src/options/server-options.ts';
import { UsageError } from '../../src/process/usage-error.ts';
import { ExampleOptions } from './example-options.ts';

interface Sources {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The text of the config file, or a value that is written to the file as JSON. */
  readonly config?: unknown;
}

describe('absent options', () => {
  it('have their defaults, in an instance of the class', async () => {
    const options = await read({});
    expect(options).toBeInstanceOf(ExampleOptions);
    expect(options).toEqual(new ExampleOptions());
    expect(options).toMatchObject({
      readOnly: false,
      logLevel: 'info',
      logFormat: 'text',
      directories: [],
      maxEntries: 2000,
      cache: true,
    });
  });
});

describe('an option with several sources', () => {
  const argv = ['--log-level', 'error'];
  const env = { MCP_EXAMPLE_LOG_LEVEL: 'warning' };
  const config = { logLevel: 'debug' };

  it.each<readonly [string, Sources, string]>([
    ['the command line over the environment and the file', { argv, env, config }, 'error'],
    ['the command line over the environment', { argv, env }, 'error'],
    ['the command line over the file', { argv, config }, 'error'],
    ['the environment over the file', { env, config }, 'warning'],
    ['the file over the default', { config }, 'debug'],
  ])('is taken from %s', async (_, sources, logLevel) => {
    expect(await read(sources)).toMatchObject({ logLevel });
  });

  it('replaces a list instead of merging it', async () => {
    const env = { MCP_EXAMPLE_TOOLS: 'b,c' };
    expect(await read({ argv: ['--tools', 'a'], env, config: { tools: ['d'] } })).toMatchObject({ tools: ['a'] });
    expect(await read({ env, config: { tools: ['d'] } })).toMatchObject({ tools: ['b', 'c'] });
  });

  it('can be switched off on the command line', async () => {
    const sources = { argv: ['--no-read-only', '--no-cache'], env: { MCP_EXAMPLE_READ_ONLY: 'true' }, config: { cache: true } };
    expect(await read(sources)).toMatchObject({ readOnly: false, cache: false });
  });
});

describe('a value given as text', () => {
  it.each<readonly [Sources, object]>([
    [{ argv: ['--max-entries', '5'] }, { maxEntries: 5 }],
    [{ argv: ['--trace-ratio', '0.25'] }, { traceRatio: 0.25 }],
    [{ argv: ['--trace-ratio', '1e-3'] }, { traceRatio: 0.001 }],
    [{ env: { MCP_EXAMPLE_MAX_ENTRIES: '5' } }, { maxEntries: 5 }],
    [{ env: { MCP_EXAMPLE_READ_ONLY: 'true' } }, { readOnly: true }],
    [{ env: { MCP_EXAMPLE_READ_ONLY: '1' } }, { readOnly: true }],
    [{ env: { MCP_EXAMPLE_CACHE: 'false' } }, { cache: false }],
    [{ env: { MCP_EXAMPLE_CACHE: '0' } }, { cache: false }],
    [{ env: { MCP_EXAMPLE_CACHE: '' } }, { cache: true }],
    [{ env: { MCP_EXAMPLE_DENY: '*.{js,ts},.env' } }, { deny: ['*.{js,ts}', '.env'] }],
    [{ env: { MCP_EXAMPLE_DIRECTORIES: '/a,/b' } }, { directories: ['/a', '/b'] }],
    [{ env: { MCP_OTHER_READ_ONLY: 'nonsense', READ_ONLY: '1' } }, { readOnly: false }],
    [{ config: { maxEntries: 5, readOnly: true, deny: ['a,b'] } }, { maxEntries: 5, readOnly: true, deny: ['a,b'] }],
    [{ config: { maxEntries: '5', readOnly: 'true' } }, { maxEntries: 5, readOnly: true }],
    [{ config: { maxEntries: null } }, { maxEntries: 2000 }],
  ])('is parsed as its type: %j', async (sources, values) => {
    expect(await read(sources)).toMatchObject(values);
  });
});

describe('an invalid value', () => {
  it.each<readonly [string, Sources, string]>([
    ['the flag', { argv: ['--max-entries', 'many'] }, '--max-entries: expected an integer'],
    ['the flag', { argv: ['--max-entries', '1.5'] }, '--max-entries: expected an integer'],
    ['the flag', { argv: ['--max-entries', '0'] }, '--max-entries: '],
    ['the flag', { argv: ['--log-level', 'loud'] }, '--log-level: '],
    ['the variable', { env: { MCP_EXAMPLE_MAX_ENTRIES: '9999' } }, 'MCP_EXAMPLE_MAX_ENTRIES: '],
    ['the variable', { env: { MCP_EXAMPLE_READ_ONLY: 'yes' } }, 'MCP_EXAMPLE_READ_ONLY: expected a boolean'],
    ['the variable', { env: { MCP_EXAMPLE_LOG_FORMAT: 'xml' } }, 'MCP_EXAMPLE_LOG_FORMAT: '],
    ['the key and the file', { config: { maxEntries: true } }, '"maxEntries" in FILE: expected an integer'],
    ['the key and the file', { config: { tools: 'a,b' } }, '"tools" in FILE: expected an array'],
    ['the element, the key and the file', { config: { tools: ['a', 5] } }, '"tools" in FILE, at 1: expected a string'],
    ['the unknown key', { config: { logLevle: 'info' } }, '"logLevle" in FILE: is not known; did you mean "logLevel"?'],
    [
      'the key as written in the class',
      { config: { 'log-level': 'info' } },
      '"log-level" in FILE: is not known; did you mean "logLevel"?',
    ],
    ['a key that every object has', { config: '{"__proto__": {"readOnly": true}}' }, '"__proto__" in FILE: is not known'],
    ['the source with the highest precedence', { argv: ['--log-level', 'x'], config: { logLevel: 'y' } }, '--log-level: '],
  ])('is reported by %s: %j', async (_, sources, message) => {
    await expect(read(sources)).rejects.toThrow(UsageError);
    expect(await messageOf(sources)).toMatch(lineStart(message));
  });

  it('is reported in one error with the others, one line each', async () => {
    const lines = await messageOf({
      argv: ['--max-entries', 'x'],
      env: { MCP_EXAMPLE_READ_ONLY: 'x' },
      config: { cache: 'x', other: 1 },
    });
    expect(lines.split('\n').map((line) => line.slice(0, line.indexOf(': ')))).toEqual(
      expect.arrayContaining(['--max-entries', 'MCP_EXAMPLE_READ_ONLY', '"cache" in FILE', '"other" in FILE']),
    );
    expect(lines.split('\n')).toHaveLength(4);
  });

  it('is ignored if another source overrides it', async () => {
    const sources = { argv: ['--log-level', 'error'], env: { MCP_EXAMPLE_LOG_LEVEL: 'loud' }, config: { logLevel: 5 } };
    expect(await read(sources)).toMatchObject({ logLevel: 'error' });
  });
});

describe('a config file', () => {
  it.each([
    ['is not valid JSON', '{ "logLevel": ', 'the config file FILE is not valid JSON: '],
    ['is empty', '', 'the config file FILE is not valid JSON: '],
    ['contains an array', '[]', 'the config file FILE does not contain an object'],
    ['contains a string', '"info"', 'the config file FILE does not contain an object'],
    ['contains null', 'null', 'the config file FILE does not contain an object'],
  ])('is rejected with its name if it %s', async (_, config, message) => {
    await expect(read({ config })).rejects.toThrow(UsageError);
    expect(await messageOf({ config })).toMatch(lineStart(message));
  });

  it('is rejected by its name if it is missing', async () => {
    const reading = read({ argv: ['--config', '/nowhere/config.json'] });
    await expect(reading).rejects.toThrow(UsageError);
    await expect(reading).rejects.toThrow('the config file /nowhere/config.json cannot be read: ');
  });
});

describe('an argument without a flag', () => {
  class ConnectionOptions extends ServerOptions {
    static override readonly positional: string | undefined = 'url';

    @Field('URL of the database')
    @IsString()
    url!: string;
  }

  it('is one of several if the property is a list', async () => {
    expect(await read({ argv: ['/a', '--read-only', '/b,c'] })).toMatchObject({ directories: ['/a', '/b,c'], readOnly: true });
  });

  it('overrides the environment and the file', async () => {
    const sources = { argv: ['/a'], env: { MCP_EXAMPLE_DIRECTORIES: '/b' }, config: { directories: ['/c'] } };
    expect(await read(sources)).toMatchObject({ directories: ['/a'] });
  });

  it('is added to the values of the flag', async () => {
    expect(await read({ argv: ['--directories', '/a', '/b'] })).toMatchObject({ directories: ['/a', '/b'] });
  });

  it('is the only one if the property is not a list', async () => {
    expect(await read({ argv: ['db:x'] }, ConnectionOptions)).toMatchObject({ url: 'db:x' });
    await expect(read({ argv: ['db:x', 'db:y'] }, ConnectionOptions)).rejects.toThrow(
      new UsageError('unexpected argument "db:y"'),
    );
  });

  it('is required if the property has no other source', async () => {
    await expect(read({}, ConnectionOptions)).rejects.toThrow(new UsageError('--url: is required'));
    expect(await read({ env: { MCP_EXAMPLE_URL: 'db:x' } }, ConnectionOptions)).toMatchObject({ url: 'db:x' });
  });

  it('is rejected if no property takes it', async () => {
    await expect(read({ argv: ['/a'] }, ServerOptions)).rejects.toThrow(new UsageError('unexpected argument "/a"'));
  });
});

async function read(sources: Sources): Promise<ExampleOptions>;
async function read<Options extends object>(sources: Sources, target: Constructor<Options>): Promise<Options>;
async function read({ argv = [], env = {}, config }: Sources, target: Constructor = ExampleOptions): Promise<object> {
  const options = describeOptions(target, 'mcp-example');
  const file = config === undefined ? [] : ['--config', await configFile(config)];
  const given = parseArguments([...argv, ...file], options);
  return readOptions(target, options, { arguments: given, positionals: given.positionals, env });
}

/**
 * Returns the message of the error with which reading the options fails, with FILE instead of the path of the config file.
 * Returns an empty text if the options can be read.
 */
async function messageOf(sources: Sources): Promise<string> {
  const error = await read(sources).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message.replaceAll(/\S+config\.json/g, 'FILE') : '';
}

async function configFile(config: unknown): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'config.json');
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
  return file;
}

function lineStart(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}
