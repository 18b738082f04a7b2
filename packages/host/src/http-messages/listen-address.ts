import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

import { getErrorCode } from '../process/error-code.ts';
import { UsageError } from '../process/usage-error.ts';

/** Address to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** Port; 0 selects a free port. */
  readonly port: number;
}

const ADDRESS_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'another process uses this port'],
  ['EACCES', 'this user may not listen on this port'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'the host does not exist'],
]);

const LOOPBACK = '127.0.0.1';
const FORM = /^(?:(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:[\]]+)):)?(?<port>\d{1,5})$/;

/** Parses `3000`, `localhost:3000` or `[::1]:3000`. @throws UsageError for another text */
export function parseListenAddress(text: string): ListenAddress {
  const { ipv6, host = ipv6 ?? LOOPBACK, port } = FORM.exec(text)?.groups ?? {};
  const isUsable = Number(port) <= 65_535 && (ipv6 === undefined || isIP(ipv6) === 6);
  if (!isUsable)
    throw new UsageError(`--http: ${JSON.stringify(text)} is not a valid [host:]port, for instance 3000 or localhost:3000`);
  return { host, port: Number(port) };
}

/** Explains why it is impossible to listen on an address. Returns `undefined` for an unrelated error. */
export function explainAddressError(error: unknown): string | undefined {
  return ADDRESS_PROBLEMS.get(getErrorCode(error));
}

/** Whether a host is a loopback address, to which only this machine can connect. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Returns a host at which other machines reach a server that listens on `host`. If that is a wildcard address, returns the
 * first address of the machine in a network, IPv4 if possible, or 127.0.0.1 if there is no such address.
 */
export function findReachableHost(host: string): string {
  if (!isWildcard(host)) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const reachable = addresses.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0);
  const [first = { address: LOOPBACK }] = reachable.toSorted((a, b) => a.family.localeCompare(b.family));
  return first.address;
}

/** Whether a host stands for all addresses of the machine. Only the operator then knows the host names that clients use. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || /^[0:]+$/.test(host);
}
