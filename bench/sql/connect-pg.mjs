import { createRequire } from 'node:module';

const require = createRequire(new URL('../../servers/sql/package.json', import.meta.url));

/** Opens a connection with the library that the SQL server uses. */
export async function connectPg(url) {
  const { Client } = require('pg');
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
