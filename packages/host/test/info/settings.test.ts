import { Field } from '@org/mcp-decorators';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { settingsOf } from '../../src/info/settings.ts';
import { IsDuration } from '../../src/options/duration.ts';
import { optionsOf } from '../../src/options/option.ts';
import { ServerOptions } from '../../src/server-options.ts';

class Settings extends ServerOptions {
  @Field('How many') @IsInt() count = 5;
  @Field('Which') @IsIn(['a', 'b']) choice = 'a';
  @Field('How long', { format: 'duration' }) @IsString() @IsDuration() wait = '30s';
  @Field('Any text') @IsString() text = 'perhaps a key';
  @Field('A number that opens doors', { format: 'password' }) @IsString() door = '1234';
  @Field('A choice that nobody may know', { format: 'password' }) @IsIn(['x', 'y']) hidden = 'x';
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
};

describe('the settings that a server shows', () => {
  it('are switches, numbers, choices and durations, not texts and not secrets', () => {
    const chosen = Object.assign(new Settings(), { readOnly: true, timeout: '5m' });
    expect(settingsOf(optionsOf(Settings, 'mcp-x'), chosen)).toEqual({
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

  it('leave out what was not given', () => {
    expect(settingsOf(optionsOf(ServerOptions, 'mcp-x'), new ServerOptions())).not.toHaveProperty('timeout');
  });
});
