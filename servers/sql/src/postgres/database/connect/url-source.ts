import type { ConnectionOptions } from 'node:tls';

import { readConnectionUrl } from '../libpq/connection-url.ts';
import { findPassword } from '../libpq/passwords.ts';
import { describeExposure, refusesTls, resolveTlsMode, resolveTlsOptions } from '../libpq/tls.ts';
import { ambientVariables, type Variables } from '../libpq/variables.ts';
import type { Source } from './source.ts';

/** How to connect to a database server that is not embedded. */
export interface UrlSourceOptions {
  readonly url: string;
  readonly passwordFile?: string | undefined;
  /** Environment variables. Default: the variables of the process. */
  readonly variables?: Variables;
}

/** Throws a `UsageError` for an invalid connection URL. The error never contains the password. */
export function urlSource({ url, passwordFile, variables = ambientVariables() }: UrlSourceOptions): Source {
  const target = readConnectionUrl(url, variables);
  const mode = resolveTlsMode(target);
  const { host, port, user, database, parameters } = target;
  let tls: Promise<false | ConnectionOptions> | undefined;
  let isEncrypted = false;
  let isFallback = false;
  return {
    embedded: false,
    database,
    exposure: describeExposure(target),
    config: async () => {
      tls ??= resolveTlsOptions(target);
      // A failure is not cached: the next call tries again.
      tls.catch(() => (tls = undefined));
      const ssl = await tls;
      isEncrypted = ssl !== false;
      return {
        host,
        port,
        user,
        database,
        password: () => findPassword(target, { passwordFile, variables }),
        ssl,
        enableChannelBinding: parameters.channel_binding !== 'disable',
        ...(parameters.options !== undefined && { options: parameters.options }),
        ...(parameters.application_name !== undefined && { application_name: parameters.application_name }),
      };
    },
    planRetry: (error) => {
      if (mode !== 'prefer' || !(isEncrypted || isFallback) || !refusesTls(error)) return undefined;
      // If connecting without TLS failed too, the next call begins with TLS again.
      isFallback = !isFallback;
      tls = isFallback ? Promise.resolve(false) : undefined;
      return isFallback;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
