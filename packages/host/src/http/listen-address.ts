import { isIP } from 'node:net';

import { UsageError } from '../usage-error.ts';

/** Where connections are taken. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

const ADDRESS_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'another process has that port'],
  ['EACCES', 'this user may not take that port'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'there is no such host'],
]);

const LOOPBACK = '127.0.0.1';
const FORM = /^(?:(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:[\]]+)):)?(?<port>\d{1,5})$/;

/** Reads `3000`, `localhost:3000` or `[::1]:3000`. @throws UsageError for another text */
export function parseListenAddress(text: string): ListenAddress {
  const { ipv6, host = ipv6 ?? LOOPBACK, port } = FORM.exec(text)?.groups ?? {};
  const isUsable = Number(port) <= 65_535 && (ipv6 === undefined || isIP(ipv6) === 6);
  if (!isUsable) throw new UsageError(`--http: ${JSON.stringify(text)} is not [host:]port, for instance 3000 or localhost:3000`);
  return { host, port: Number(port) };
}

/** What is wrong with an address where no connections can be taken; `undefined` of any other error. */
export function addressProblem(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? ADDRESS_PROBLEMS.get(error.code) : undefined;
}

/** Whether only this machine can connect. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether an address stands for all that the machine has; clients then ask by names that only the operator knows. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || /^[0:]+$/.test(host);
}
