import { describe, expect, it } from 'vitest';

import { DirectoryOptions } from '../../src/directories/directory-options.ts';
import { optionsOf, type Option } from '../../src/options/option.ts';
import { ServerOptions } from '../../src/server-options.ts';

function flagsOf(target: typeof ServerOptions): readonly string[] {
  return optionsOf(target, 'mcp-example').map(({ flag }) => flag);
}

describe('the options of a server that works in directories', () => {
  it('say what roots and watches are for; a server without directories has no such flags', () => {
    const common = flagsOf(ServerOptions);
    expect(flagsOf(DirectoryOptions).filter((flag) => !common.includes(flag))).toEqual(['roots', 'roots-timeout', 'max-watches']);
  });

  it('narrow by roots, and wait 10 seconds for them, unless something else is said', () => {
    const options: readonly Option[] = optionsOf(DirectoryOptions, 'mcp-example');
    expect(options.find(({ flag }) => flag === 'roots')?.schema).toMatchObject({
      enum: ['narrow', 'overlap', 'only', 'off'],
      default: 'narrow',
    });
    expect(options.find(({ flag }) => flag === 'roots-timeout')?.schema).toMatchObject({ default: '10s' });
  });
});
