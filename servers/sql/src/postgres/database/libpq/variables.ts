/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of this process. This package reads only libpq's variables and `APPDATA`. ssh inherits all variables
 * without the prefixes `PG` and `MCP_`.
 */
export function ambientVariables(): Variables {
  // oxlint-disable-next-line no-restricted-properties -- every libpq client reads PGHOST and the other PG variables
  return process.env;
}
