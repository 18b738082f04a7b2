import { readFile } from 'node:fs/promises';

import { ERAS } from '@org/mcp-testing';
import type { View } from '@org/mcp-testing/views';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { HAS_PSQL, openSql, startPostgres, type StartedPostgres } from './postgres.ts';

afterAll(closeBrowser);

type Frame = View['frame'];

const ORDERS = 'select id, placed_at, total, note from shop.orders order by id';

describe.skipIf(!HAS_CHROMIUM || !HAS_PSQL)('the view of rows', () => {
  let postgres: StartedPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    postgres.psql(await readFile(new URL('shop.sql', import.meta.url), 'utf8'));
  });
  afterAll(async () => postgres[Symbol.asyncDispose]());

  it.each(ERAS)('reads the pages of a stored result, in the %s era', async (era) => {
    const session = await openSql(postgres.url, era);
    await using view = await show(session, 'query', { sql: ORDERS, keep: true, max_rows: 100 });
    const { frame } = view;
    await frame.getByText(/^100 rows/).waitFor();
    await readAll(frame);
    await frame.getByText('3,000 rows', { exact: true }).waitFor();
    await expectAccessible(view);
    await frame.getByRole('button', { name: 'Draw more of 3,000 rows' }).click();
    await expect.poll(() => frame.locator('tbody tr').count()).toBe(400);
    await frame.getByRole('button', { name: 'Export all rows' }).click();
    const exported = (await frame.getByText(/^Exported 3,000 rows to pgexport:/).textContent()) ?? '';
    const { contents } = await session.client.readResource({ uri: /pgexport:\S+(?=\.$)/.exec(exported)?.[0] ?? '' });
    expect(contents[0]).toMatchObject({ text: expect.stringMatching(/^id,placed_at,total,note\r?\n1,/) });
  });

  it.each(ERAS)('sorts, filters, copies and saves, in the %s era', async (era) => {
    const session = await openSql(postgres.url, era);
    await using view = await show(session, 'query', { sql: `${ORDERS} limit 30` });
    const { frame, page } = view;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const first = frame.locator('tbody tr').first();
    await frame.getByRole('button', { name: /^total/ }).click();
    await expect.poll(() => first.locator('td').nth(2).textContent()).toBe('102.50');
    await frame.getByRole('button', { name: /^total/ }).click();
    expect(await frame.locator('th[aria-sort=descending]').count()).toBe(1);
    const most = postgres.psql('select max(total) from (select total from shop.orders order by id limit 30) o');
    await expect.poll(() => first.locator('td').nth(2).textContent()).toBe(most);
    await frame.getByRole('searchbox').fill('GIFT');
    await frame.getByText('4 rows of 30').waitFor();
    await expectAccessible(view);
    await frame.getByRole('button', { name: 'Save rows as CSV' }).click();
    await frame.getByText('Saved 4 rows.').waitFor();
    expect(view.files).toMatchObject([{ mimeType: 'text/csv', text: expect.stringMatching(/^id,placed_at,total,note\r\n7,/) }]);
    await frame.getByRole('button', { name: 'Copy rows' }).click();
    await frame.getByText('Copied 4 rows.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^id\tplaced_at\ttotal\tnote\n7\t/);
  });

  it.each(ERAS)('stores a result that was not stored, in the %s era', async (era) => {
    const session = await openSql(postgres.url, era);
    await using view = await show(session, 'query', { sql: ORDERS, max_rows: 5 }, { theme: 'dark', width: 320 });
    const { frame } = view;
    await frame.getByText('5 rows, more rows exist').waitFor();
    await frame.getByRole('button', { name: 'Run again and store all rows' }).click();
    await frame.getByText(/^Read .* rows again; the result is stored/).waitFor();
    await expectAccessible(view);
    await readAll(frame);
    await frame.getByText('3,000 rows', { exact: true }).waitFor();
  });

  it.each(ERAS)('plots the columns that suit their types, in the %s era', async (era) => {
    const session = await openSql(postgres.url, era);
    await using view = await show(session, 'query', {
      sql: 'select placed_at, total, id from shop.orders order by id limit 400',
      max_rows: 400,
    });
    const { frame } = view;
    await frame.getByRole('button', { name: 'Plot' }).click();
    await frame.getByRole('img', { name: 'line plot of total over placed_at, 400 points' }).waitFor();
    expect(await countInk(frame)).toBeGreaterThan(1000);
    await expectAccessible(view);
    await takePicture(view, 'rows');
    for (const [kind, name] of [
      ['scatter', 'scatter plot of total over total'],
      ['histogram', 'Histogram of total'],
      ['bar', 'bar plot of total over total'],
    ] as const) {
      await frame.getByRole('combobox', { name: 'Plot' }).selectOption(kind);
      await frame.getByRole('img', { name }).waitFor();
      expect(await countInk(frame)).toBeGreaterThan(1000);
    }
  });

  it('draws bars for texts and numbers, and says if there is nothing to draw', async () => {
    const session = await openSql(postgres.url, 'modern');
    {
      const sql = 'select country, count(*) from shop.customers group by 1 order by 2 desc';
      await using view = await show(session, 'query', { sql }, { theme: 'dark' });
      await view.frame.getByRole('button', { name: 'Plot' }).click();
      await view.frame.getByRole('img', { name: 'bar plot of count over country, 3 points' }).waitFor();
      await expectAccessible(view);
      await takePicture(view, 'bars');
    }
    await using view = await show(session, 'query', { sql: 'select name from shop.customers limit 3' });
    await view.frame.getByRole('button', { name: 'Plot' }).click();
    await view.frame.getByText('No column has numbers').waitFor();
  });
});

/** Reads all pages of a stored result. */
async function readAll(frame: Frame): Promise<void> {
  const more = frame.getByRole('button', { name: 'Read more rows' });
  while ((await more.count()) > 0) {
    const shown = await frame.getByRole('heading').textContent();
    await more.click();
    await expect.poll(() => frame.getByRole('heading').textContent()).not.toBe(shown);
  }
}

/** Counts the drawn pixels of the plot. */
function countInk(frame: Frame): Promise<number> {
  return frame.locator('canvas').evaluate((element) => {
    const canvas = element as unknown as {
      readonly width: number;
      readonly height: number;
      getContext(kind: '2d'): {
        getImageData(x: number, y: number, width: number, height: number): { readonly data: readonly number[] };
      };
    };
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let drawn = 0;
    for (let index = 3; index < data.length; index += 4) if (data[index] !== 0) drawn += 1;
    return drawn;
  });
}
