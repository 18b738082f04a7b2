import { describe, expect, it } from 'vitest';

import { listOriginals } from '../../src/policy/glob-set.ts';
import { foldLetters, foldName } from '../../src/paths/fold-name.ts';

describe('foldName', () => {
  it.each([
    ['case', '.ENV', '.env'],
    ['a long s', '.\u017fsh', '.ssh'],
    ['the Kelvin sign', 'server.\u212aey', 'server.key'],
    ['a sharp s', 'STRASSE', 'stra\u00dfe'],
    ['the two small sigmas', '\u03a3\u03c3', '\u03c3\u03c2'],
    ['normal forms', 'cafe\u0301', 'CAF\u00c9'],
    ['full-width letters', '\uff0e\uff25\uff2e\uff36', '.env'],
    ['ligatures', '\ufb01le', 'FILE'],
    ['invisible characters', '.e\u200cn\u00adv\ufeff', '.env'],
    ['dots and spaces at the end', '.env. .', '.env'],
  ])('is equal for %s', (_, one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  it.each([
    ['a', 'b'],
    ['.env', 'env'],
    ['a b', 'ab'],
    ['e\u0301', 'e'],
    ['...', '.env'],
    [' x', 'x'],
  ])('differs for %j and %j', (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });

  it('is idempotent for every character', () => {
    const changed = Array.from({ length: 0x2_0000 }, (_, code) => foldLetters(`x${String.fromCodePoint(code)}y`)).filter(
      (folded) => foldLetters(folded) !== folded,
    );
    expect(changed).toEqual([]);
  });

  it('takes time proportional to the length of the name', () => {
    expect(foldName(`x${'. '.repeat(100_000)}y`)).toHaveLength(200_002);
    expect(foldName('. '.repeat(100_000))).toHaveLength(200_000);
  });
});

describe('listOriginals', () => {
  it.each([
    ['.env~', ['.env']],
    ['server.pem.old', ['server.pem']],
    ['.#.env', ['.env']],
    ['#.env#', ['.env']],
    ['.server.pem.swp', ['.server.pem', 'server.pem']],
    ['..env.swp', ['..env', '.env']],
    ['x.bak~', ['x.bak', 'x']],
    ['x.~12~', ['x']],
    ['x.7', ['x']],
    ['x.07', ['x']],
    ['x.y.backup', ['x.y']],
    ['x.copy', ['x']],
    ['x.orig', ['x']],
    ['x.save', ['x']],
    ['x.tmp', ['x']],
    ['notes.txt', []],
    ['.bak', []],
    ['~', []],
    ['##', []],
    ['v1.200', []],
  ])('finds the originals of %s', (name, originals) => {
    expect(listOriginals(name)).toEqual(originals);
  });
});
