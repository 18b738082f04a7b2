import { describe, expect, it } from 'vitest';

import { RecordCipher, type SessionRecord } from '../../src/shared-state/session-record.ts';

const KEY = 'k'.repeat(32);
const RECORD: SessionRecord = {
  owner: 'owner',
  url: 'http://127.0.0.1:1/mcp',
  generation: 2,
  principal: '["ada"]',
  state: { initialize: { protocolVersion: '2025-11-25' }, level: 'error', subscribed: ['note:///secret'] },
};

const cipher = new RecordCipher(KEY, ['notes', '/mcp']);
const key = cipher.keyOf('session');

describe('the record of a session', () => {
  it('is the same after decryption', async () => {
    expect(await cipher.decrypt(key, await cipher.encrypt(key, RECORD))).toEqual(RECORD);
  });

  it('reveals neither its contents nor the id of the session', async () => {
    const text = `${key} ${await cipher.encrypt(key, RECORD)}`;
    const decoded = text.split(/[ .]/).map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    for (const secret of ['session', 'owner', '127.0.0.1', 'ada', '2025-11-25', 'secret']) {
      expect(text).not.toContain(secret);
      expect(decoded.join(' ')).not.toContain(secret);
    }
  });

  it.each([
    ['of another session', cipher, cipher.keyOf('other')],
    ['of another server', new RecordCipher(KEY, ['others', '/mcp']), key],
    ['of another path', new RecordCipher(KEY, ['notes', '/other']), key],
    ['with another key', new RecordCipher('x'.repeat(32), ['notes', '/mcp']), key],
  ])('is rejected as the record %s', async (_, reader, readKey) => {
    expect(await reader.decrypt(readKey, await cipher.encrypt(key, RECORD))).toBeUndefined();
  });

  it.each([
    ['an empty text', () => ''],
    ['JSON', () => JSON.stringify({ key, record: RECORD })],
    ['a changed text', (text: string) => text.replace(/.{5}$/, 'AAAAA')],
    ['a text without encryption', (text: string) => text.replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString('base64url'))],
    [
      'a text with another algorithm',
      (text: string) => text.replace(/^[^.]+/, Buffer.from('{"alg":"dir","enc":"A128CBC-HS256"}').toString('base64url')),
    ],
  ])('is rejected if it is %s', async (_, change) => {
    expect(await cipher.decrypt(key, change(await cipher.encrypt(key, RECORD)))).toBeUndefined();
  });

  it('needs a key of at least 32 bytes', () => {
    expect(() => new RecordCipher('x'.repeat(31), ['notes', '/mcp'])).toThrow(RangeError);
    expect(() => new RecordCipher(new Uint8Array(32), ['notes', '/mcp'])).not.toThrow();
  });

  it('has a key of letters, digits, - and _ only', () => {
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(cipher.keyOf('other')).not.toBe(key);
  });
});
