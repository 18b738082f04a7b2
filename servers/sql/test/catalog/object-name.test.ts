import { describe, expect, it } from 'vitest';

import { parseObjectName } from '../../src/catalog/object-name.ts';

describe('the name', () => {
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
  ])('%j is read', (text, schema, name) => {
    expect(parseObjectName(text)).toEqual({ schema, name });
  });

  it.each([
    ['shop.total(integer, text)', 'shop', 'total'],
    ['"a(b"."c)" ("d e")', 'a(b', 'c)'],
  ])('%j is read as that of one function', (text, schema, name) => {
    expect(parseObjectName(text)).toEqual({ schema, name, signature: text });
  });

  it.each([
    ['pairs of quotes', '"a"'.repeat(100_000)],
    ['quotes', `a${'"'.repeat(100_000)}!`],
    ['brackets', '('.repeat(100_000)],
    ['closing brackets', `${'a)'.repeat(100_000)}(`],
    ['dots', '.'.repeat(100_000)],
  ])('of 100,000 %s is read to its end', (_, text) => {
    expect(parseObjectName(text)).toBeDefined();
  });
});
