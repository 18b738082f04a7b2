import type { ConnectionOptions } from 'node:tls';

import { readConnectionUrl, type ConnectionTarget } from '../libpq/connection-url.ts';
import { findPassword } from '../libpq/passwords.ts';
import { describeExposure, refusesTls, resolveTlsMode, resolveTlsOptions } from '../libpq/tls.ts';
import { SshTunnel } from '../ssh/ssh-tunnel.ts';
import { ambientVariables, type Variables } from '../libpq/variables.ts';
import type { ConnectionSettings } from '../protocol/driver.ts';
import type { Source } from './source.ts';

/** How to connect to a database server that is not embedded. */
export interface UrlSourceOptions {
  readonly url: string;
  readonly passwordFile?: string | undefined;
  /** The machine through which ssh reaches the server: `[user@]host[:port]`. Default: a direct connection. */
  readonly ssh?: string | undefined;
  /** Maximum time to connect, in ms. Default: 10 s. */
  readonly connectTimeout?: number;
  /** Environment variables. Default: the variables of the process. */
  readonly variables?: Variables;
}

/**
 * Returns the source that a connection URL describes. Throws a `UsageError` for an invalid URL. The error never contains the
 * password.
 */
export function urlSource(given: UrlSourceOptions): Source {
  const { url, passwordFile, ssh, connectTimeout = CONNECT_MS, variables = ambientVariables() } = given;
  const target = readConnectionUrl(url, variables, ssh);
  const tunnel = target.ssh && new SshTunnel({ ...target, target: target.ssh, connectTimeout, variables });
  const mode = resolveTlsMode(target);
  let tls: Promise<false | ConnectionOptions> | undefined;
  let isEncrypted = false;
  let isFallback = false;
  return {
    embedded: false,
    database: target.database,
    exposure: describeExposure(target),
    route: tunnel?.description,
    dial: tunnel?.dial,
    config: async () => {
      tls ??= resolveTlsOptions(target, tunnel?.dial);
      // A failure is not cached: the next call tries again.
      tls.catch(() => (tls = undefined));
      const ssl = await tls;
      isEncrypted = ssl !== false;
      return {
        ...listSettings(target),
        password: () => findPassword(target, { passwordFile, variables }),
        ssl,
        ...(tunnel !== undefined && { stream: tunnel.dial }),
      };
    },
    planRetry: (error) => {
      if (mode !== 'prefer' || !(isEncrypted || isFallback) || !refusesTls(error)) return undefined;
      // If connecting without TLS failed too, the next call begins with TLS again.
      isFallback = !isFallback;
      tls = isFallback ? Promise.resolve(false) : undefined;
      return isFallback;
    },
    [Symbol.asyncDispose]: async () => {
      await tunnel?.[Symbol.asyncDispose]();
    },
  };
}

/** Settings of pg, of which `ConnectionSettings` declares only a part. */
interface PgSettings extends ConnectionSettings {
  readonly enableChannelBinding: boolean;
  readonly application_name?: string;
}

function listSettings({ host, port, user, database, parameters }: ConnectionTarget): PgSettings {
  const { channel_binding, options, application_name } = parameters;
  return {
    host,
    port,
    user,
    database,
    enableChannelBinding: channel_binding !== 'disable',
    ...(options !== undefined && { options }),
    ...(application_name !== undefined && { application_name }),
  };
}

const CONNECT_MS = 10_000;
