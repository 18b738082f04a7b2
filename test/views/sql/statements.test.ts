import { readFile } from 'node:fs/promises';

import { ERAS } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { HAS_PSQL, openSql, startPostgres, type StartedPostgres } from './postgres.ts';

afterAll(closeBrowser);

describe.skipIf(!HAS_CHROMIUM || !HAS_PSQL)('the views of statements and tables', () => {
  let postgres: StartedPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    postgres.psql(await readFile(new URL('shop.sql', import.meta.url), 'utf8'));
  });
  afterAll(async () => postgres[Symbol.asyncDispose]());

  it.each(ERAS)('show the steps of a plan with their times, in the %s era', async (era) => {
    const session = await openSql(postgres.url, era);
    const sql = `select c.country, sum(o.total) from shop.orders o join shop.customers c on c.id = o.customer_id
      where o.note = 'gift' or o.id < 0 group by 1`;
    await using view = await show(session, 'explain', { sql, analyze: true });
    const { frame } = view;
    await frame.getByText('Seq Scan on orders').first().waitFor();
    await frame
      .getByText(/428 rows/)
      .first()
      .waitFor();
    await expectAccessible(view);
    await takePicture(view, 'plan');
    await frame.getByText('Details').first().click();
    await frame.getByText('Group Key').first().waitFor();
    await frame
      .getByRole('button', { name: /^Hide the inputs/ })
      .first()
      .click();
    expect(await frame.getByText('Seq Scan on orders').count()).toBe(0);
  });

  it('show estimates without a measurement', async () => {
    const session = await openSql(postgres.url, 'modern');
    await using view = await show(session, 'explain', { sql: 'select * from shop.orders' }, { theme: 'dark', width: 320 });
    await view.frame.getByText('3,000 rows estimated').waitFor();
    await expectAccessible(view);
  });

  it.each(ERAS)('draw tables with their foreign keys, in the %s era', async (era) => {
    const session = await openSql(postgres.url, era);
    await using view = await show(session, 'er_diagram', { schema: 'shop' });
    const { frame } = view;
    await frame.getByText('2 tables').waitFor();
    expect(await frame.locator('svg g.table').count()).toBe(2);
    expect(await frame.locator('svg g.link').count()).toBe(1);
    await frame.getByText('shop.orders').click();
    await frame.getByText('references').waitFor();
    expect(await frame.locator('svg g.table.selected').count()).toBe(1);
    await expectAccessible(view);
    await takePicture(view, 'diagram');
    const width = await frame.locator('svg').getAttribute('width');
    await frame.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(() => frame.locator('svg').getAttribute('width')).not.toBe(width);
  });

  it.each(ERAS)('show the rows of a change before and after, and commit it, in the %s era', async (era) => {
    const session = await openSql(postgres.url, era, { writable: true });
    const before = postgres.psql("select string_agg(name, ',' order by id) from shop.customers where id <= 3");
    const sql = `update shop.customers set name = upper(name) || ' ${era}', country = 'NO' where id <= 3`;
    await using view = await show(session, 'execute', { sql, dry_run: true });
    const { frame } = view;
    await frame.getByRole('heading', { name: /^3 rows/ }).waitFor();
    await frame
      .locator('del', { hasText: 'Customer 1' })
      .or(frame.locator('del', { hasText: 'CUSTOMER 1' }))
      .waitFor();
    await frame.locator('ins', { hasText: /^CUSTOMER 1 .*(legacy|modern)$|^CUSTOMER 1 (legacy|modern)$/ }).waitFor();
    await expectAccessible(view);
    if (era === 'legacy') await takePicture(view, 'write');
    expect(postgres.psql("select string_agg(name, ',' order by id) from shop.customers where id <= 3")).toBe(before);
    await frame.getByRole('button', { name: 'Run and commit the statement' }).click();
    await frame.getByText('UPDATE: 3 rows, committed').waitFor();
    expect(postgres.psql("select count(*) from shop.customers where country = 'NO'")).toBe('3');
    expect(view.modelContext.at(-1)).toContain('The user confirmed execute');
  });

  it('show new and deleted rows, warnings, and the rows that a statement returned', async () => {
    const session = await openSql(postgres.url, 'modern', { writable: true });
    {
      await using view = await show(session, 'execute', { sql: 'delete from shop.orders', dry_run: true }, { theme: 'dark' });
      await view.frame.getByRole('heading', { name: /^3,000 rows/ }).waitFor();
      await view.frame.getByText('(shown: 200)').waitFor();
      await expectAccessible(view);
    }
    {
      const sql = "insert into shop.customers values (51, 'New', null) returning id, name";
      await using view = await show(session, 'execute', { sql, dry_run: true }, { width: 320 });
      await view.frame.getByRole('button', { name: 'Run and commit the statement' }).click();
      await view.frame.getByText('INSERT: 1 row, committed').waitFor();
      expect(await view.frame.locator('tbody td').allTextContents()).toEqual(['51', 'New']);
    }
    expect(postgres.psql('select name from shop.customers where id = 51')).toBe('New');
  });
});
