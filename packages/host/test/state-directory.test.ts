import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { defaultStateDirectory, stateDirectoryOf } from '../src/state-directory.ts';

describe('the state directory', () => {
  it.each([
    ['on Linux', '/home/ada/.local/state/mcp-x', { platform: 'linux', env: {}, home: '/home/ada' }],
    [
      'where XDG_STATE_HOME says',
      '/var/state/mcp-x',
      { platform: 'linux', env: { XDG_STATE_HOME: '/var/state' }, home: '/home/ada' },
    ],
    [
      'not where a relative XDG_STATE_HOME says',
      '/home/ada/.local/state/mcp-x',
      { platform: 'linux', env: { XDG_STATE_HOME: 'x' }, home: '/home/ada' },
    ],
    ['on macOS', '/Users/ada/Library/Application Support/mcp-x', { platform: 'darwin', env: {}, home: '/Users/ada' }],
    ['on Windows', 'D:\\Local\\mcp-x', { platform: 'win32', env: { LOCALAPPDATA: 'D:\\Local' }, home: 'C:\\Users\\ada' }],
    [
      'on Windows without LOCALAPPDATA',
      'C:\\Users\\ada\\AppData\\Local\\mcp-x',
      { platform: 'win32', env: {}, home: 'C:\\Users\\ada' },
    ],
  ] as const)('is, %s', (_, expected, machine) => {
    expect(defaultStateDirectory('mcp-x', machine)).toBe(expected);
  });

  it('is the one that the operator names', () => {
    expect(stateDirectoryOf('mcp-x', { stateDir: 'here' })).toBe(path.resolve('here'));
  });
});
