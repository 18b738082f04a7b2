import { connectPg } from './connect-pg.mjs';

const COUNT =
  "select count(*)::int as busy from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like $1";

/**
 * Connects to a server as its superuser. Returns functions that run SQL, and functions that wait until a statement with a mark
 * runs in a backend, or in no backend; parallel workers count.
 */
export async function openActivity(url) {
  const client = await connectPg(url);
  const busy = async (mark) => (await client.query(COUNT, [`%${mark}%`])).rows[0].busy > 0;
  const until = async (mark, wanted) => {
    while ((await busy(mark)) !== wanted);
  };
  return {
    run: (sql) => client.query(sql),
    untilBusy: (mark) => until(mark, true),
    untilQuiet: (mark) => until(mark, false),
    close: () => client.end(),
  };
}
