import { UsageError } from '@org/mcp-host';

/** A machine that ssh connects to. `~/.ssh/config` supplies a user or port that the target omits. */
export interface SshTarget {
  readonly user: string | undefined;
  readonly host: string;
  readonly port: number | undefined;
}

/**
 * Parses `[user@]host[:port]`. An IPv6 address with a port is written in brackets.
 *
 * Throws a `UsageError` for any other text. The characters are restricted, because ssh inserts the names into commands of its
 * configuration, and because a name that begins with a hyphen would be an option of ssh.
 */
export function parseSshTarget(text: string): SshTarget {
  const [, user, bracketed, plain, digits] = TARGET.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = digits === undefined ? undefined : Number(digits);
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    throw new UsageError('the ssh target cannot be used: [user@]host[:port] is expected, such as alice@bastion.example.com:2222');
  return { user, host, port };
}

export function formatSshTarget({ user, host, port }: SshTarget): string {
  const at = user === undefined ? '' : `${user}@`;
  return `${at}${port === undefined ? host : formatHostAndPort(host, port)}`;
}

/** Formats an address as ssh's option `-W` expects it. */
export function formatHostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns true if the name can be an argument of ssh: a host name or an address, but no option and no path. */
export function isHostName(host: string): boolean {
  return HOST.test(host);
}

const HOST = /^(?!-)[\w.:%-]+$/;
const TARGET = /^(?:((?!-)[\w.+@-]+)@)?(?:\[([\da-fA-F:.]+(?:%[\w.-]+)?)\]|((?!-)[\w.-]+))(?::(\d{1,5}))?$/;
