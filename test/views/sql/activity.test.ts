import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { ERAS } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { HAS_PSQL, openSql, startPostgres, type StartedPostgres } from './postgres.ts';

afterAll(closeBrowser);

describe.skipIf(!HAS_CHROMIUM || !HAS_PSQL)('the view of the activity', () => {
  let postgres: StartedPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    postgres.psql('create table counters (id int primary key, value int); insert into counters values (1, 0)');
  });
  afterAll(async () => postgres[Symbol.asyncDispose]());

  /** Runs a session that holds a lock until the end of the test, or that waits for the lock. */
  function runSession(name: string, sql: string): void {
    const host = new URLSearchParams(postgres.url.split('?')[1]).get('host') ?? '';
    const env = { ...process.env, PGAPPNAME: name };
    const program = spawn('psql', ['-h', host, '-U', 'postgres', '-Xq'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
    program.stdin.write(sql);
    onTestFinished(async () => {
      program.stdin.end();
      if (program.exitCode === null) await once(program, 'close');
    });
  }

  it.each(ERAS)(
    'shows blocked sessions with the sessions that block them, live, and ends a session, in the %s era',
    async (era) => {
      const session = await openSql(postgres.url, era, { writable: true, cancelOthers: true });
      await using view = await show(session, 'activity', { view: 'blocking_tree' }, { width: 1280 });
      const { frame } = view;
      await frame.getByText('No session is blocked.').waitFor();
      await expectAccessible(view);
      runSession('holder', 'begin; update counters set value = 1 where id = 1;\n');
      await expect
        .poll(() => postgres.psql("select count(*) from pg_stat_activity where state = 'idle in transaction'"))
        .toBe('1');
      runSession('waiter', 'update counters set value = 2 where id = 1;\n');
      await frame.getByText('waiter').waitFor();
      await frame.getByText('↳').waitFor();
      await expectAccessible(view);
      await takePicture(view, 'activity');
      const holder = postgres.psql("select pid from pg_stat_activity where application_name = 'holder'");
      await frame.getByRole('button', { name: `End session ${holder}` }).click();
      await frame.getByText('No session is blocked.').waitFor();
      expect(postgres.psql("select count(*) from pg_stat_activity where application_name = 'holder'")).toBe('0');
      await expect.poll(() => postgres.psql('select value from counters')).toBe('2');
    },
  );

  it('cancels the statement of a session', async () => {
    const session = await openSql(postgres.url, 'modern', { writable: true, cancelOthers: true });
    runSession('sleeper', 'select pg_sleep(600);\n');
    const active = "select pid from pg_stat_activity where application_name = 'sleeper' and state = 'active'";
    await expect.poll(() => postgres.psql(active)).not.toBe('');
    await using view = await show(session, 'activity');
    await view.frame.getByRole('button', { name: `Cancel statement of ${postgres.psql(active)}` }).click();
    await view.frame.getByText(/^Session \d+: idle/).waitFor();
    expect(postgres.psql(active)).toBe('');
    expect(view.modelContext.at(-1)).toContain('The user requested to cancel the statement of session');
  });

  it('shows sessions, locks and progress, and pauses', async () => {
    const session = await openSql(postgres.url, 'modern', { readOnly: true });
    await using view = await show(session, 'activity', {}, { theme: 'dark', width: 320 });
    const { frame } = view;
    await frame.getByRole('button', { name: 'Live' }).click();
    for (const name of ['Sessions', 'Locks', 'Progress', 'Blocked sessions']) {
      await frame.getByRole('button', { name, exact: true }).click();
      await expect.poll(() => frame.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')).toBe('true');
      await expectAccessible(view);
    }
    expect(await frame.getByRole('button', { name: /^End session/ }).count()).toBe(0);
  });
});
