import { UsageError } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { urlSource } from '../../../../src/postgres/database/connect/url-source.ts';
import { readConnectionUrl } from '../../../../src/postgres/database/libpq/connection-url.ts';
import { PostgresServer } from '../../../../src/index.ts';
import { optionsWith } from '../../../fixtures/postgres.ts';

describe('the target of ssh', () => {
  it.each([
    ['bastion', { user: undefined, host: 'bastion', port: undefined }],
    ['alice@bastion.example.com', { user: 'alice', host: 'bastion.example.com', port: undefined }],
    ['alice@example.com@bastion:2222', { user: 'alice@example.com', host: 'bastion', port: 2222 }],
    ['[::1]:22', { user: undefined, host: '::1', port: 22 }],
    ['alice@[fe80::1%eth0]', { user: 'alice', host: 'fe80::1%eth0', port: undefined }],
  ])('is parsed: %s', (ssh, expected) => {
    expect(readConnectionUrl('postgres://db/shop', {}, ssh).ssh).toEqual(expected);
  });

  it.each([
    ['an option', '-oProxyCommand=touch /tmp/x'],
    ['an option as user', '-oProxyCommand=x@bastion'],
    ['an option as host after a user', 'alice@-oProxyCommand=x'],
    ['an option in brackets', '[-oProxyCommand=x]'],
    ['a command of a shell', 'bastion;id'],
    ['a substitution of a shell', 'alice@$(id)'],
    ['a quote', "alice@bas'tion"],
    ['a space', 'bastion -A'],
    ['a line break', 'bastion\nHost *'],
    ['an escape', 'bastion\u001b[2J'],
    ['a path', '/tmp/socket'],
    ['a URL', 'ssh://bastion'],
    ['a port that is too large', 'bastion:65536'],
    ['port 0', 'bastion:0'],
    ['no host', 'alice@'],
    ['an empty text', ''],
  ])('is rejected: %s', (_, ssh) => {
    expect(() => readConnectionUrl('postgres://u:hunter2@db/shop', {}, ssh)).toThrow(UsageError);
    expect(() => readConnectionUrl('postgres://u:hunter2@db/shop', {}, ssh)).not.toThrow(/hunter2/);
    expect(() => readConnectionUrl(`postgres://db/shop?ssh=${encodeURIComponent(ssh || '-')}`, {})).toThrow(UsageError);
  });

  it.each([
    ['an option', 'postgres://%2DoProxyCommand%3Dx/shop'],
    ['a socket', 'postgres:///shop?host=/run/postgresql'],
    ['a line break', 'postgres:///shop?host=db%0Ax'],
  ])('cannot be combined with a database host that is %s', (_, url) => {
    expect(() => readConnectionUrl(url, {}, 'bastion')).toThrow(UsageError);
  });

  it('is replaced by the parameter of the URL', () => {
    expect(urlSource({ url: 'postgres://db/shop?ssh=bob@other', ssh: 'bastion', variables: {} }).route).toBe('ssh to bob@other');
    expect(urlSource({ url: 'postgres://db/shop?ssh=none', ssh: 'bastion', variables: {} }).route).toBeUndefined();
  });

  it('makes localhost the default host of the database', () => {
    expect(readConnectionUrl('postgres:///shop', {}, 'bastion').host).toBe('localhost');
  });

  it('is rejected without a connection URL', async () => {
    await expect(new PostgresServer(optionsWith({ ssh: 'bastion' })).open()).rejects.toThrow(UsageError);
  });
});
