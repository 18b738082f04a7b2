import { setTimeout as pause } from 'node:timers/promises';

import { median } from '../measuring/statistics.mjs';
import { openActivity } from './activity.mjs';
import { rawCancel } from './raw-cancel.mjs';

const TIMES = 15;
/** Milliseconds after which a statement is cancelled, so that it runs and is not only being planned. */
const WORKING_MS = 300;
const QUIET = 1.5;
const BY_TRIGGER_MS = 50;
const BY_COUNTERS_MS = 2500;
/**
 * Milliseconds between two changes. A session reports its statistics at most once per second; earlier changes are
 * reported 10 s later, if the session is idle.
 */
const BETWEEN_MS = 1100;
/** The function and the event triggers that the documentation recommends. */
const TRIGGERS = [
  'create function mcp_schema_changed() returns event_trigger language plpgsql as $$ begin notify mcp_schema_changed; end $$',
  'create event trigger mcp_schema_changed_ddl on ddl_command_end execute function mcp_schema_changed()',
  'create event trigger mcp_schema_changed_drop on sql_drop execute function mcp_schema_changed()',
];
const SORT = 'select count(*) from (select * from events a order by md5(a.account || a.id)) q /* bench */';

/** Measures how long a database works after a cancel, and how soon a change of its schema is reported. */
export async function changeRows(servers, { url, superuserUrl }) {
  const activity = await openActivity(superuserUrl);
  const { own, raw } = await afterCancel(servers, activity, url);
  const counters = await measureNotice(servers, activity, url);
  for (const statement of TRIGGERS) await activity.run(statement);
  const trigger = await measureNotice(servers, activity, url);
  await activity.close();
  return {
    heading: 'Cancelling, and changes of the schema: milliseconds',
    header: ['', 'mcp-sql', 'CancelRequest by hand'],
    rows: [
      ['from cancelling a sort to a quiet backend', own.toFixed(1), raw.toFixed(1)],
      ['from a new column to its notification, by a trigger', trigger.toFixed(0), ''],
      ['from a new column to its notification, by counters', counters.toFixed(0), ''],
    ],
    bars: [
      {
        text: `a cancelled sort ends within ${QUIET} times the time of a CancelRequest: ${(own / raw).toFixed(2)}`,
        met: own <= QUIET * raw,
      },
      {
        text: `with a trigger, a change is reported within ${BY_TRIGGER_MS} ms: ${trigger.toFixed(0)}`,
        met: trigger <= BY_TRIGGER_MS,
      },
      {
        text: `without a trigger, a change is reported within ${BY_COUNTERS_MS} ms: ${counters.toFixed(0)}`,
        met: counters <= BY_COUNTERS_MS,
      },
    ],
  };
}

/**
 * Returns the median milliseconds from cancelling to an idle backend: by mcp-sql (`own`) and by a direct CancelRequest (`raw`),
 * which are measured in turn.
 */
async function afterCancel(servers, activity, url) {
  const client = await servers.startOurs([url]);
  const byHand = await rawCancel(url, SORT);
  const ways = { own: () => beginQuery(client), raw: () => byHand.begin() };
  const times = { own: [], raw: [] };
  for (let time = 0; time < TIMES; time += 1)
    for (const [way, begin] of Object.entries(ways)) times[way].push(await untilQuiet(begin, activity));
  await byHand.close();
  return { own: median(times.own), raw: median(times.raw) };
}

function beginQuery(client) {
  const { answer, cancel } = client.begin('query', { sql: SORT });
  answer.catch(() => undefined);
  return cancel;
}

async function untilQuiet(begin, activity) {
  const cancel = begin();
  await activity.untilBusy('/* bench */');
  await pause(WORKING_MS);
  const began = performance.now();
  await cancel();
  await activity.untilQuiet('/* bench */');
  return performance.now() - began;
}

/** Returns the longest delay of several notifications, in milliseconds. */
async function measureNotice(servers, activity, url) {
  let updated = () => undefined;
  const onNotification = (message, arrived) => message.method === 'notifications/resources/updated' && updated(arrived);
  const client = await servers.startOurs([url], { onNotification });
  await client.ask('resources/subscribe', { uri: 'pg://postgres/public/events' });
  await client.call('query', { sql: 'select 1' });
  const times = [];
  for (let time = 0; time < 5; time += 1) {
    const arrival = new Promise((resolve) => (updated = resolve));
    await activity.run(`alter table events add column added_${time} int`);
    const began = performance.now();
    times.push(Math.max(0, (await arrival) - began));
    const undone = new Promise((resolve) => (updated = resolve));
    await pause(BETWEEN_MS);
    await activity.run(`alter table events drop column added_${time}`);
    await undone;
    await pause(BETWEEN_MS);
  }
  await client.close();
  return Math.max(...times);
}
