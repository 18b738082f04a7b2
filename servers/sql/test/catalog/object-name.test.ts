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
  ])('%j is read', (text, schema, name) => {
    expect(parseObjectName(text)).toEqual({ schema, name });
  });
});
