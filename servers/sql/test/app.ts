import { fileURLToPath } from 'node:url';

import { eachTransport, type Session, type SessionOptions, type TransportCase } from '@org/mcp-testing';

import { PostgresServer, type PostgresOptions } from '../src/index.ts';
import { optionsWith, useDatabase, type TestDatabase } from './postgres.ts';

/** What a client answers that confirms everything it is asked. */
export const CONFIRMS = { answers: { elicitation: { confirm: true } } } as const;

const BIN = fileURLToPath(new URL('../bin/mcp-sql.js', import.meta.url));

/** A database in which the role `app` owns a schema `app`. */
export interface AppDatabase extends TestDatabase {
  readonly appUrl: () => string;
  /** A server that may write as `app`, without a policy, with its files in a directory of the test. */
  readonly serverAsApp: (given: Partial<PostgresOptions>) => PostgresServer;
  /** A program that is such a server. */
  readonly programAsApp: (given: { readonly stateDir: string; readonly url?: string }) => {
    readonly command: string;
    readonly args: string[];
  };
}

/** @param sql run as superuser when it is started */
export function useApp(sql = ''): AppDatabase {
  const database = useDatabase({
    sql: `
      create role app login password 'app' in role pg_read_all_stats;
      create schema app authorization app;
      alter role app set search_path = app;
      ${sql}`,
  });
  const appUrl = (): string => database.url().replace(/\/\/[^@]*@/, '//app:app@');
  return {
    ...database,
    appUrl,
    serverAsApp: (given) =>
      new PostgresServer(optionsWith({ url: appUrl(), writable: true, policy: 'off', tools: ['default', 'extra'], ...given })),
    programAsApp: ({ stateDir, url = appUrl() }) => ({
      command: process.execPath,
      args: [BIN, url, '--writable', '--policy', 'off', '--tools', 'default,extra', '--state-dir', stateDir],
    }),
  };
}

/** Every transport and era, to servers that may write as `app`. */
export function eachTransportAsApp(
  database: () => AppDatabase,
): readonly TransportCase<(given: { readonly stateDir: string } & Omit<SessionOptions, 'era'>) => Promise<Session>>[] {
  return eachTransport<{ readonly stateDir: string }>({
    server: ({ stateDir }) => database().serverAsApp({ stateDir }),
    program: ({ stateDir }) => database().programAsApp({ stateDir }),
  });
}
