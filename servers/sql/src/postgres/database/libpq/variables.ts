/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the environment of this process. Only libpq's variables and the location of the user's files are read. */
export function ambientVariables(): Variables {
  // oxlint-disable-next-line no-restricted-properties -- every libpq client reads PGHOST and the other PG variables
  return process.env;
}
