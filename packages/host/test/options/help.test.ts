import { Field } from '@org/mcp-decorators';
import { IsIn, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { formatHelp } from '../../src/options/help.ts';
import { describeOptions, readGroups, type Option } from '../../src/options/option.ts';
import { ServerOptions } from '../../src/options/server-options.ts';
import { EXAMPLE, ExampleOptions } from './example-options.ts';

const WORDS = 'A server whose description is long enough to be wrapped, because it says in many words what could be said in few.';
const GROUPS = readGroups(ServerOptions);
const COMMANDS = { serve: 'Serve over stdio (the default)', check: `Check. ${WORDS}` };

describe('the help', () => {
  it('is at most 80 columns wide', () => {
    class WordyOptions extends ExampleOptions {
      @Field(WORDS, { title: 'A-RATHER-LONG-PLACEHOLDER' })
      @IsIn(['first-of-many-choices', 'second-of-many-choices', 'third-of-many-choices', 'fourth-of-many-choices'])
      anOptionWithARatherLongName = 'first-of-many-choices';
    }
    const text = helpOf(describeOptions(WordyOptions, 'mcp-example'));
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).toContain('--an-option-with-a-rather-long-name A-RATHER-LONG-PLACEHOLDER\n');
  });

  it('has no spaces at the ends of its lines', () => {
    expect(helpOf(EXAMPLE)).not.toMatch(/ $/m);
  });

  it.each([
    ['--read-only', 'Restrict the server to tools that change nothing'],
    ['--tools NAMES', 'Restrict the server to these tools or tool sets; "all" offers every tool. Default: the set "default"'],
    ['--disable-tools NAMES', 'Remove these tools or tool sets from the server'],
    ['--log-level LEVEL', 'Minimum severity of log lines on stderr (one of debug, info, warning, error, off; default: info)'],
    ['--log-format FORMAT', 'Format of log lines (one of text, json; default: text)'],
    ['--timeout TIME', 'Time limit for a call, such as 30s or 5m; a tool with its own limit ignores this one'],
    ['--max-entries N', 'Most entries that one listing returns (1 to 5000; default: 2000)'],
    ['--trace-ratio N', 'Share of calls that are traced (at least 0)'],
    ['--[no-]cache', 'Keep what was read (default: yes)'],
    ['--deny LIST', 'Files that are not served'],
    ['--config FILE', 'Read options from a JSON file; its keys are option names in camel case'],
    ['-h, --help', 'Show this help'],
    ['-V, --version', 'Show the version'],
  ])('lists %s', (term, description) => {
    expect(rowsOf(helpOf(EXAMPLE)).get(term)).toBe(description);
  });

  it('shows the default of a list', () => {
    class BranchOptions extends ServerOptions {
      @Field('Branches that are never deleted') @IsString({ each: true }) branches: string[] = ['main', 'master'];
    }
    const rows = rowsOf(helpOf(describeOptions(BranchOptions, 'mcp-example')));
    expect(rows.get('--branches LIST')).toBe('Branches that are never deleted (default: main,master)');
  });

  it('lists every option once', () => {
    const terms = [...rowsOf(helpOf(EXAMPLE)).keys()];
    for (const { flag, property } of EXAMPLE) {
      const own = terms.filter((term) => [`--${flag}`, `--[no-]${flag}`].includes(term.split(' ')[0] ?? ''));
      expect(own).toHaveLength(property === ExampleOptions.positional ? 0 : 1);
    }
  });

  it('lists the options of the server before the groups of common options', () => {
    const text = helpOf(EXAMPLE);
    const headings = [...text.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Examples',
      'Commands',
      'Options',
      'Tools and confirmation',
      'Limits, state and log',
      'HTTP',
      'Authentication',
      'Several processes',
      'General',
    ]);
    const [own = ''] = text.split('\nTools and confirmation:\n');
    expect([...rowsOf(own).keys()]).toContain('--max-entries N');
    expect(own).not.toContain('--read-only');
    expect(helpOf(describeOptions(ServerOptions, 'mcp-example'))).not.toContain('\nOptions:');
  });

  it('has the groups of a subclass before those of its base class; a property belongs to the first group that names it', () => {
    class GroupedOptions extends ServerOptions {
      static override readonly groups = { Places: ['place', 'http'] };
      @Field('Place') @IsString() place = 'here';
    }
    const text = formatHelp({
      info: { name: 'mcp-example', version: '1' },
      options: describeOptions(GroupedOptions, 'mcp-example'),
      groups: readGroups(GroupedOptions),
      positional: undefined,
      commands: {},
    });
    const [, places = ''] = /\nPlaces:\n([^]*?)\n\n/.exec(text) ?? [];
    expect(places).toMatch(/--http [^]* --place TEXT/);
    expect(text.match(/ --http \[/g)).toHaveLength(1);
  });

  it('starts with the name and the usage', () => {
    expect(helpOf(EXAMPLE).split('\n').slice(0, 3)).toEqual([
      'mcp-example 1.2.3',
      '',
      'Usage: mcp-example [command] [options] [DIRECTORY …]',
    ]);
    expect(rowsOf(helpOf(EXAMPLE)).get('DIRECTORY')).toBe('Directories that are served');
  });

  it('shows no argument if no property takes it', () => {
    const options = describeOptions(ServerOptions, 'mcp-example');
    const text = formatHelp({
      info: { name: 'mcp-example', version: '1.2.3' },
      options,
      positional: undefined,
      groups: GROUPS,
      commands: COMMANDS,
    });
    expect(text).toContain('Usage: mcp-example [command] [options]\n');
  });

  it('shows the description of the server and its commands', () => {
    const info = { name: 'mcp-example', version: '1.2.3', description: WORDS };
    const text = formatHelp({ info, options: EXAMPLE, positional: undefined, groups: GROUPS, commands: COMMANDS });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`mcp-example 1.2.3 ${WORDS} Usage:`);
    expect(rowsOf(text).get('serve')).toBe('Serve over stdio (the default)');
    expect(rowsOf(text).get('check')).toBe(COMMANDS.check);
  });

  it('shows the tool sets and their tools', () => {
    const text = formatHelp({
      info: { name: 'mcp-example', version: '1.2.3' },
      options: EXAMPLE,
      positional: undefined,
      groups: GROUPS,
      commands: COMMANDS,
      sets: [['default', 'read_note, write_note']],
    });
    expect(rowsOf(text).get('default')).toBe('read_note, write_note');
    expect(helpOf(EXAMPLE)).not.toContain('Tool sets');
  });

  it('names the environment variable of a flag', () => {
    const [first] = EXAMPLE;
    expect(helpOf(EXAMPLE).replaceAll(/\s+/g, ' ')).toContain(`(${first?.variable} for --${first?.flag}, and so on)`);
  });
});

function helpOf(options: readonly Option[]): string {
  return formatHelp({
    info: { name: 'mcp-example', version: '1.2.3' },
    options,
    positional: ExampleOptions.positional,
    groups: GROUPS,
    commands: COMMANDS,
  });
}

/** Returns the descriptions in a help text by their terms, such as flags. The lines of each description are joined to one. */
function rowsOf(text: string): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  let term = '';
  for (const line of text.split('\n')) {
    const [, own, description = ''] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    if (own !== undefined) rows.set((term = own), description);
    else if (line.startsWith(' '.repeat(26))) rows.set(term, `${rows.get(term)} ${line.trim()}`.trim());
  }
  return rows;
}
