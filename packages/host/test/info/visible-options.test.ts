import { Field } from '@org/mcp-decorators';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { selectVisibleOptions } from '../../src/info/visible-options.ts';
import { describeOptions } from '../../src/options/option.ts';
import { Duration } from '../../src/options/quantities.ts';
import { ServerOptions } from '../../src/options/server-options.ts';

class Settings extends ServerOptions {
  @Field('How many') @IsInt() count = 5;
  @Field('Which') @IsIn(['a', 'b']) choice = 'a';
  @Duration('How long') wait = 30_000;
  @Field('Any text') @IsString() text = 'perhaps a key';
  @Field('A number that opens doors', { format: 'password' }) @IsString() door = '1234';
  @Field('A secret choice', { format: 'password' }) @IsIn(['x', 'y']) hidden = 'x';
  @Field('Texts') @IsOptional() @IsString({ each: true }) texts = ['one'];
}

const HTTP = {
  metrics: false,
  sse: false,
  maxMessage: '10mb',
  maxHttpConnections: 4096,
  maxSessions: 1000,
  sessionIdle: '30m',
  pingInterval: '1m',
  eventBuffer: '64mb',
  maxListeners: 1024,
  sharedSessions: false,
};

describe('the visible options of a server', () => {
  it('are switches, numbers, choices, and durations and sizes with units, not texts and not secrets', () => {
    const chosen = Object.assign(new Settings(), { readOnly: true, timeout: 300_000 });
    expect(selectVisibleOptions(describeOptions(Settings, 'mcp-x'), chosen)).toEqual({
      ...HTTP,
      readOnly: true,
      structured: 'auto',
      confirm: 'ask',
      timeout: '5m',
      logLevel: 'info',
      logFormat: 'text',
      count: 5,
      choice: 'a',
      wait: '30s',
    });
  });

  it('omit absent options', () => {
    expect(selectVisibleOptions(describeOptions(ServerOptions, 'mcp-x'), new ServerOptions())).not.toHaveProperty('timeout');
  });
});
