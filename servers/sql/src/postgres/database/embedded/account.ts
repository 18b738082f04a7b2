/** The account that the embedded server runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The ids of the user `nobody` on most systems. initdb and postgres accept any account except root. */
const UNPRIVILEGED: Account = { uid: 65_534, gid: 65_534 };

/** Returns an unprivileged account if this process runs as root, because PostgreSQL refuses to run as root. Otherwise `undefined`. */
export function serverAccount(): Account | undefined {
  return process.geteuid?.() === 0 ? UNPRIVILEGED : undefined;
}
