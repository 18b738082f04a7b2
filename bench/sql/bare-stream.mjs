import { connectPg } from './connect-pg.mjs';

/** Returns the milliseconds in which `pg` receives all rows of a statement without keeping them. */
export async function bareStream(url, sql) {
  const client = await connectPg(url);
  const began = performance.now();
  await new Promise((resolve, reject) => client.query(new Rows(sql, resolve, reject)));
  const ms = performance.now() - began;
  await client.end();
  return ms;
}

class Rows {
  constructor(sql, resolve, reject) {
    Object.assign(this, { sql, handleReadyForQuery: resolve, handleError: reject });
  }

  submit(connection) {
    connection.parse({ name: '', text: this.sql, types: [] }, true);
    connection.bind({ portal: '', statement: '', values: [] }, true);
    connection.execute({ portal: '', rows: '0' }, true);
    connection.sync();
  }

  handleRowDescription() {}

  handleDataRow() {}

  handleCommandComplete() {}
}
