import { describe, expect, it } from 'vitest';

import { DirectoryOptions } from '../../src/directories/directory-options.ts';
import { describeOptions, type Option } from '../../src/options/option.ts';
import { ServerOptions } from '../../src/options/server-options.ts';

function flagsOf(target: typeof ServerOptions): readonly string[] {
  return describeOptions(target, 'mcp-example').map(({ flag }) => flag);
}

describe('the options of a server that works in directories', () => {
  it('include roots and watches, which a server without directories does not have', () => {
    const common = flagsOf(ServerOptions);
    expect(flagsOf(DirectoryOptions).filter((flag) => !common.includes(flag))).toEqual(['roots', 'roots-timeout', 'max-watches']);
  });

  it('narrow by roots and wait 10 seconds for them by default', () => {
    const options: readonly Option[] = describeOptions(DirectoryOptions, 'mcp-example');
    expect(options.find(({ flag }) => flag === 'roots')?.schema).toMatchObject({
      enum: ['narrow', 'overlap', 'only', 'off'],
      default: 'narrow',
    });
    expect(options.find(({ flag }) => flag === 'roots-timeout')?.schema).toMatchObject({ default: 10_000 });
  });
});
