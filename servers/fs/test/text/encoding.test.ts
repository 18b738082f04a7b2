import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';

import { detectEncoding } from '../../src/text/read-text.ts';
import { decode, encode, ENCODINGS, findLastCharacterEnd, detectEol } from '../../src/text/encoding.ts';

const JAPANESE = 'これは日本語の文章です。\nカタカナも漢字もあります。\n';
const CHINESE = '这是一个中文文件。\n里面有几行汉字，用来测试编码。\n';
const GERMAN = 'Größe über Äpfel, schöne Grüße\n';
const TYPOGRAPHIC = 'He said “no” – and left… for 5 €\n';

/** Each encoding with a typical text. */
const TEXTS = [
  ['utf-8', 'ä€🌍\n'],
  ['utf-16le', 'Grüße, 🌍!\n'],
  ['utf-16be', 'Grüße, 🌍!\n'],
  ['latin1', GERMAN],
  ['windows-1252', TYPOGRAPHIC],
  ['shift_jis', JAPANESE],
  ['gbk', CHINESE],
] as const;

describe('the encoding of a text', () => {
  it.each(TEXTS)('is detected: %s', async (encoding, text) => {
    expect(detectEncoding(await encode(text, encoding, false))).toBe(encoding);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('is detected from a byte order mark: %s', async (encoding) => {
    expect(detectEncoding(await encode('日本', encoding, true))).toBe(encoding);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'utf-8'],
    ['ASCII', Buffer.from('plain\n'), 'utf-8'],
    ['one accented letter', Buffer.from('f\xfcr', 'latin1'), 'latin1'],
    ['an accented letter at the end', Buffer.from('caf\xe9', 'latin1'), 'latin1'],
    ['French', Buffer.from("L'\xe9t\xe9 \xe0 No\xebl, \xe7a c\xf4te cher", 'latin1'), 'latin1'],
    ['quotes of Windows', Buffer.from('\x93Hello\x94 \x96 it\x92s\n', 'latin1'), 'windows-1252'],
    ['bytes without a character in Windows-1252', Buffer.from('a\x81b', 'latin1'), 'latin1'],
    ['Japanese names between English', iconv.encode('name: すずき, town: さいたま\n', 'shift_jis'), 'shift_jis'],
    ['Chinese names between English', iconv.encode('name: 王小明, town: 北京\n', 'gbk'), 'gbk'],
    ['a NUL between letters', Buffer.from('a\0b'), undefined],
    ['numbers of four bytes', Buffer.from(new Uint32Array([1, 2, 3, 4]).buffer), undefined],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), undefined],
    ['bytes at random without NUL', Buffer.from(Array.from({ length: 512 }, (_, index) => 1 + ((index * 151) % 255))), undefined],
  ])('is guessed: %s', (_, bytes, encoding) => {
    expect(detectEncoding(bytes)).toBe(encoding);
  });

  it.each(TEXTS)('is detected in a part that ends inside a character: %s', async (encoding, text) => {
    const bytes = await encode(text.repeat(20), encoding, false);
    for (let cut = 0; cut < 8; cut += 1) expect(detectEncoding(bytes.subarray(0, bytes.length - cut), false)).toBe(encoding);
  });
});

describe('a text', () => {
  it.each(TEXTS)('survives encoding and decoding: %s', async (encoding, text) => {
    expect(await decode(await encode(text, encoding, false), encoding)).toEqual({ text, hasBom: false });
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('keeps its byte order mark: %s', async (encoding) => {
    const bytes = await encode('ä', encoding, true);
    expect(await decode(bytes, encoding)).toEqual({ text: 'ä', hasBom: true });
    expect(bytes.length).toBeGreaterThan((await encode('ä', encoding, false)).length);
  });

  it.each(['latin1', 'windows-1252', 'shift_jis', 'gbk'] as const)('has no byte order mark in %s', async (encoding) => {
    expect(await encode('a', encoding, true)).toEqual(Buffer.from('a'));
  });

  it('is unchanged after decoding and encoding all bytes of Latin-1', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(await encode((await decode(bytes, 'latin1')).text, 'latin1', false)).toEqual(bytes);
  });

  it.each([
    ['latin1', 'a€', '"€" (U+20AC)'],
    ['windows-1252', 'a→', '"→" (U+2192)'],
    ['shift_jis', '日🌍本', '"🌍" (U+1F30D)'],
    ['gbk', '中🌍', '"🌍" (U+1F30D)'],
    ['utf-8', 'a\ud800', '"\\ud800" (U+D800)'],
    ['utf-16be', '\udc00', '"\\udc00" (U+DC00)'],
  ] as const)('is not encoded in %s with a missing character: %s', async (encoding, text, character) => {
    await expect(encode(text, encoding, false)).rejects.toMatchObject({
      code: 'ENCODING',
      message: `${encoding} has no character ${character}`,
    });
  });

  it.each([
    ['utf-8', [0x66, 0xfc, 0x72]],
    ['utf-16le', [0x61, 0x00, 0x62]],
    ['utf-16be', [0x00, 0x61, 0x62]],
    ['utf-16le', [0x00, 0xd8, 0x61, 0x00]],
    ['windows-1252', [0x81]],
    ['shift_jis', [0x82]],
    ['gbk', [0xff]],
  ] as const)('is not decoded from bytes that are not valid %s', async (encoding, bytes) => {
    await expect(decode(Buffer.from(bytes), encoding)).rejects.toMatchObject({ code: 'ENCODING' });
  });
});

describe('findLastCharacterEnd', () => {
  it.each(ENCODINGS)('returns the end of a whole text, or the start of an incomplete character: %s', async (encoding) => {
    const text = TEXTS.find(([used]) => used === encoding)?.[1] ?? '';
    const bytes = await encode(text, encoding, false);
    for (let length = 0; length <= bytes.length; length += 1) {
      const part = bytes.subarray(0, findLastCharacterEnd(bytes.subarray(0, length), encoding));
      expect(text.startsWith((await decode(part, encoding)).text)).toBe(true);
      expect(length - part.length).toBeLessThan(4);
    }
  });
});

describe('the line endings', () => {
  it.each([
    ['', 'none'],
    ['a', 'none'],
    ['a\nb\n', 'lf'],
    ['a\r\nb\r\n', 'crlf'],
    ['a\rb\r', 'cr'],
    ['a\r\nb\n', 'mixed'],
    ['a\r\nb\r', 'mixed'],
    ['\n\r', 'mixed'],
  ])('of %j are %s', (text, eol) => {
    expect(detectEol(text)).toBe(eol);
  });
});
