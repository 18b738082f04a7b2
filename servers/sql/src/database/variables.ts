/** Variables of the environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The process's own environment; of it only what libpq knows is read, and where the user's files are. */
export function ambientVariables(): Variables {
  // oxlint-disable-next-line no-restricted-properties -- PGHOST and the like are libpq's: every program that connects reads them
  return process.env;
}
