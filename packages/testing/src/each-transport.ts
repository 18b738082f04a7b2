import type { StdioServerParameters } from '@modelcontextprotocol/client/stdio';

import { connect, connectHttp, connectProcess } from './connect.ts';
import { ERAS, type Era } from './era.ts';
import type { Session, SessionOptions } from './session.ts';

/** What a test may hand to the `connect` of a {@link TransportCase}; the era is the case's. */
export type CaseOptions = Omit<SessionOptions, 'era'>;

/** One server, in each form that it is reached in; both are made for every connection, from what the test hands to `connect`. */
export interface ServedBy<Given> {
  /** Makes the server object. */
  readonly server: (given: Given) => object;
  /** The program that serves the same. */
  readonly program: (given: Given) => StdioServerParameters;
}

/** One way to reach a server. */
export interface TransportCase<Connect> {
  /** For a title: `memory, modern`. */
  readonly name: string;
  /** `memory` and `http` serve the object in the test's own process, `stdio` starts the program. */
  readonly transport: 'memory' | 'stdio' | 'http';
  /** The era that its sessions are pinned to. */
  readonly era: Era;
  /** Makes the server and joins a client to it; close the session by `await using`. */
  readonly connect: Connect;
}

interface Reached {
  readonly transport: TransportCase<unknown>['transport'];
  readonly join: <Given extends CaseOptions>(served: ServedBy<Given>, given: Given, era: Era) => Promise<Session>;
}

const TRANSPORTS: readonly Reached[] = [
  { transport: 'memory', join: ({ server }, given, era) => connect(server(given), { ...given, era }) },
  { transport: 'http', join: ({ server }, given, era) => connectHttp(server(given), { ...given, era }) },
  { transport: 'stdio', join: ({ program }, given, era) => connectProcess(program(given), { ...given, era }) },
];

/**
 * Every transport in both eras, as a table for the test runner's own loops: one list of tests then runs against a server in
 * memory, over HTTP and as a process.
 *
 * What a test hands to `connect` goes to `server` and `program`, so that each can have, for instance, a directory of its own;
 * the options of a session go with it.
 */
export function eachTransport<Given extends object>(
  served: ServedBy<Given>,
): readonly TransportCase<(given: Given & CaseOptions) => Promise<Session>>[] {
  return TRANSPORTS.flatMap(({ transport, join }) =>
    ERAS.map((era) => ({ name: `${transport}, ${era}`, transport, era, connect: (given) => join(served, given, era) })),
  );
}
