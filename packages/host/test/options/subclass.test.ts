import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Field } from '@org/mcp-decorators';
import { IsInt, Max, Min } from 'class-validator';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseArguments } from '../../src/options/arguments.ts';
import { formatHelp } from '../../src/options/help.ts';
import { describeOptions, type FlagChanges } from '../../src/options/option.ts';
import { readOptions } from '../../src/options/read-options.ts';
import { ServerOptions } from '../../src/options/server-options.ts';
import { UsageError } from '../../src/process/usage-error.ts';
import { ExampleOptions } from './example-options.ts';

class AcmeOptions extends ExampleOptions {
  @Field('Days that a file is kept', { title: 'DAYS' })
  @IsInt()
  @Min(1)
  @Max(365)
  keepDays = 30;

  override maxEntries = 50;
}

const OPTIONS = describeOptions(AcmeOptions, 'acme-files');

describe('a field of a subclass of the options', () => {
  it('appears in the help', () => {
    const info = { name: 'acme-files', version: '1.0.0' };
    const text = formatHelp({ info, options: OPTIONS, positional: AcmeOptions.positional, groups: {}, commands: {} }).replaceAll(
      /\s+/g,
      ' ',
    );
    expect(text).toContain('--keep-days DAYS Days that a file is kept (1 to 365; default: 30)');
    expect(text).toContain('--max-entries N Most entries that one listing returns (1 to 5000; default: 50)');
  });

  it('is a flag', async () => {
    expect(await read(['--keep-days', '7', '--read-only'])).toMatchObject({ keepDays: 7, readOnly: true });
  });

  it('can be set by an environment variable', async () => {
    expect(await read([], { ACME_FILES_KEEP_DAYS: '8', ACME_FILES_LOG_LEVEL: 'off' })).toMatchObject({
      keepDays: 8,
      logLevel: 'off',
    });
  });

  it('can be set in the config file', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = path.join(directory, 'config.json');
    await writeFile(file, '{ "keepDays": 9, "logFormat": "json" }');
    expect(await read(['--config', file])).toMatchObject({ keepDays: 9, logFormat: 'json' });
  });

  it('has a default, and can change the default of an inherited field', async () => {
    const options = await read([]);
    expect(options).toBeInstanceOf(AcmeOptions);
    expect(options).toMatchObject({ keepDays: 30, maxEntries: 50, logLevel: 'info' });
  });

  it('is validated, and so is an inherited field', async () => {
    await expect(read(['--keep-days', '366'])).rejects.toThrow(UsageError);
    await expect(read(['--keep-days', '366'])).rejects.toThrow('--keep-days: ');
    await expect(read(['--max-entries', '0'])).rejects.toThrow('--max-entries: ');
  });

  it('is unknown to the parent class', () => {
    const above = describeOptions(ServerOptions, 'acme-files');
    expect(above.map(({ property }) => property)).not.toContain('keepDays');
    expect(() => parseArguments(['--keep-days', '7'], above)).toThrow('unknown option --keep-days');
  });
});

async function read(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<AcmeOptions> {
  const given = parseArguments(argv, OPTIONS);
  return readOptions(AcmeOptions, OPTIONS, { arguments: given, positionals: given.positionals, env });
}

describe('changes of flags', () => {
  class Base extends ExampleOptions {
    static override readonly flags: FlagChanges = { stateDir: 'state', http: false };
  }
  class Locked extends Base {
    static override readonly flags: FlagChanges = { readOnly: false, maxEntries: 'entries' };
    override readOnly = true;
  }
  const options = describeOptions(Locked, 'acme-files');

  it('apply with those of base classes', () => {
    const flags = new Map(options.map(({ property, flag, variable }) => [property, `${flag} ${variable}`]));
    expect(flags.get('stateDir')).toBe('state ACME_FILES_STATE');
    expect(flags.get('maxEntries')).toBe('entries ACME_FILES_ENTRIES');
    expect([flags.has('http'), flags.has('readOnly')]).toEqual([false, false]);
  });

  it('apply if a getter returns them', () => {
    class Computed extends ServerOptions {
      static override get flags(): FlagChanges {
        return { readOnly: false };
      }
    }
    expect(describeOptions(Computed, 'acme').map(({ property }) => property)).not.toContain('readOnly');
  });

  it('keep the value of a property without a flag', async () => {
    const given = parseArguments([], options);
    const env = { ACME_FILES_READ_ONLY: 'false' };
    expect(await readOptions(Locked, options, { arguments: given, positionals: [], env })).toMatchObject({ readOnly: true });
  });

  it('reject a property without a flag in the config file', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = path.join(directory, 'config.json');
    await writeFile(file, '{ "readOnly": false }');
    const given = parseArguments(['--config', file], options);
    await expect(readOptions(Locked, options, { arguments: given, positionals: [], env: {} })).rejects.toThrow(
      `"readOnly" in ${file}: is not an option of this server`,
    );
  });

  it.each<[FlagChanges, string]>([
    [{ readonly: false }, 'Wrong.flags: "readonly" is not an option; did you mean "readOnly"?'],
    [{ readOnly: 'Read Only' }, 'Wrong.readOnly: "Read Only" is not the name of a flag'],
    [{ readOnly: 'version' }, 'Wrong.readOnly: --version is reserved for the command line of every server; choose another name'],
    [{ readOnly: 'no-write' }, 'Wrong.readOnly: --no-write would negate another flag; choose another name'],
    [{ timeout: 'http' }, 'Wrong.http: --http is already the flag of "timeout"'],
  ])('are checked: %j', (flags: FlagChanges, problem) => {
    class Wrong extends ServerOptions {
      static override readonly flags = flags;
    }
    expect(() => describeOptions(Wrong, 'acme-files')).toThrow(problem);
  });
});
