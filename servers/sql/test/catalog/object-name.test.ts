import { describe, expect, it } from 'vitest';

import { parseObjectName } from '../../src/catalog/object-name.ts';

describe('parseObjectName', () => {
  it.each([
    ['orders', undefined, 'orders'],
    [' shop.orders ', 'shop', 'orders'],
    ['"Sales"."Q1 ""new"" orders"', 'Sales', 'Q1 "new" orders'],
    ['"a.b"', undefined, 'a.b'],
    ['database.shop.orders', 'shop', 'orders'],
    ['', undefined, ''],
    ['shop."a (b)"', 'shop', 'a (b)'],
    ['shop . orders', 'shop', 'orders'],
    ['"never closed', undefined, 'never closed'],
    ['shop.total(integer', 'shop', 'total(integer'],
    ['(x)', undefined, '(x)'],
  ])('parses %j', (text, schema, name) => {
    expect(parseObjectName(text)).toEqual({ schema, name });
  });

  it.each([
    ['shop.total(integer, text)', 'shop', 'total'],
    ['"a(b"."c)" ("d e")', 'a(b', 'c)'],
  ])('parses %j as the signature of a function', (text, schema, name) => {
    expect(parseObjectName(text)).toEqual({ schema, name, signature: text });
  });

  it.each([
    ['pairs of quotes', '"a"'.repeat(100_000)],
    ['quotes', `a${'"'.repeat(100_000)}!`],
    ['brackets', '('.repeat(100_000)],
    ['closing brackets', `${'a)'.repeat(100_000)}(`],
    ['dots', '.'.repeat(100_000)],
  ])('parses 100,000 %s without an error', (_, text) => {
    expect(parseObjectName(text)).toBeDefined();
  });
});
