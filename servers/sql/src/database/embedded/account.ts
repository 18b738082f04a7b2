/** Whom the embedded server runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` almost everywhere; initdb and postgres ask no more of an account than that it is not root. */
const UNPRIVILEGED: Account = { uid: 65_534, gid: 65_534 };

/** The account to change to: PostgreSQL refuses to run as root. `undefined`: our own will do. */
export function serverAccount(): Account | undefined {
  return process.geteuid?.() === 0 ? UNPRIVILEGED : undefined;
}
