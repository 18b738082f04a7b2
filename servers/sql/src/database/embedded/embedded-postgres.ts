import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { ClientConfig } from 'pg';

import { loadPg } from '../load-pg.ts';
import { READER } from '../role-sql.ts';
import { contentsSql, newPasswords, type Contents } from './contents.ts';
import { endLaunch, launch, launchAtOnce, type Launch } from './launch.ts';
import { prepareCluster } from './prepared-cluster.ts';
import { Quiet } from './quiet.ts';
import { removeStale } from './run-directory.ts';
import { Template } from './template.ts';
import { WRITER } from './writer.ts';

/** How an embedded server is started. */
export interface EmbeddedOptions {
  /** The native package, from `locateNative`. */
  readonly native: string;
  /** Where the data is kept; without it the data is temporary. */
  readonly dataDir?: string | undefined;
  /** Fill it with the sample. */
  readonly sample?: boolean;
  /** Where temporary data have a template, from the first start on; without it, each start makes them anew. */
  readonly stateDirectory?: string;
  /** Settings of the server over ours. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Have a role that may write. */
  readonly writable?: boolean;
  /** A server that was started with these options, to be used instead of another. */
  readonly launched?: Launch | undefined;
  /** When nobody waits for this process and the server: what the next start is to find is made then. Default: at once. */
  readonly quiet?: Quiet;
}

/** A PostgreSQL of our own: on a socket in a private directory, gone when this process is gone. */
export class EmbeddedPostgres implements AsyncDisposable {
  /** The role that queries run as. */
  readonly reader: ClientConfig;
  /** The role that owns what is written; it cannot log in unless the server was started writable. */
  readonly writer: ClientConfig;
  readonly superuser: ClientConfig;
  readonly #launch: Launch;
  readonly #ending = new AbortController();
  readonly #quiet: Quiet;
  #upkeep: Promise<unknown> = Promise.resolve();

  private constructor(launched: Launch, quiet: Quiet) {
    const { run, cluster } = launched;
    const roles = cluster.roles ?? newPasswords();
    this.#launch = launched;
    this.#quiet = quiet;
    this.superuser = { host: run.server, port: run.port, user: 'postgres', database: 'postgres', password: cluster.password };
    this.reader = { ...this.superuser, user: READER, password: roles.reader };
    this.writer = { ...this.superuser, user: WRITER, password: roles.writer };
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const { launched, ...again } = options;
    const template = templateOf(options);
    try {
      return await EmbeddedPostgres.#use(launched ?? (await begin(options, template)), options, template);
    } catch (error) {
      if (template === undefined) throw error;
      // The template may be what is wrong.
      await template.remove();
      return EmbeddedPostgres.#use(await begin(again, template), again, template);
    }
  }

  static async #use(launched: Launch, options: EmbeddedOptions, template: Template | undefined): Promise<EmbeddedPostgres> {
    const contents = contentsOf(options);
    const { quiet = reached() } = options;
    try {
      await Promise.all([launched.server.ready, launched.run.listening]);
      const embedded = new EmbeddedPostgres(launched, quiet);
      if (launched.cluster.roles === undefined) await embedded.#fill(contents);
      embedded.#upkeep = new Promise((resolve) => {
        quiet.started(() => resolve(embedded.#keepUp(template, contents)));
      });
      return embedded;
    } catch (error) {
      await endLaunch(launched);
      throw error;
    }
  }

  async #fill(contents: Contents): Promise<void> {
    const { Client } = await loadPg();
    const client = new Client(this.superuser);
    // A server that is stopped at once ends it with an error, after its work.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const passwords = { reader: String(this.reader.password), writer: String(this.writer.password) };
      await client.query(contentsSql(contents, passwords).join(';\n'));
    } finally {
      // Nobody needs its end.
      client.end().catch(() => undefined);
    }
  }

  async #keepUp(template: Template | undefined, contents: Contents): Promise<void> {
    const { signal } = this.#ending;
    const next = template && prepareNext(template, this.#launch, { contents, signal });
    await Promise.allSettled([removeStale(), next]);
  }

  /** Resolves once what the next start is to find is there, or cannot be made. */
  async prepared(): Promise<void> {
    await this.#upkeep;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#quiet.reach();
    await this.#upkeep;
    await endLaunch(this.#launch);
  }
}

/** What the data that are temporary are copied from, if there is a place for it. */
function templateOf(options: Pick<EmbeddedOptions, 'dataDir' | 'stateDirectory' | 'sample' | 'writable'>): Template | undefined {
  const { dataDir, stateDirectory } = options;
  return dataDir === undefined && stateDirectory !== undefined ? new Template(stateDirectory, contentsOf(options)) : undefined;
}

function contentsOf({ sample = false, writable = false }: Pick<EmbeddedOptions, 'sample' | 'writable'>): Contents {
  return { sample, writable };
}

function reached(): Quiet {
  const quiet = new Quiet();
  quiet.reach();
  return quiet;
}

async function begin(options: EmbeddedOptions, template: Template | undefined): Promise<Launch> {
  return (template && launchAtOnce(options, template)) ?? launch(options, template);
}

/** Makes what the next start begins with; where nothing can be kept, each takes the time of the first. */
async function prepareNext(
  template: Template,
  { run, binaries, account }: Launch,
  { contents, signal }: { readonly contents: Contents; readonly signal: AbortSignal },
): Promise<void> {
  // Begun before the answer is sent for which it waited: whoever ends this process as soon as he has it leaves a spare.
  await template.prepareSpare().catch(() => undefined);
  await template.sweep();
  if (!template.exists) {
    await setTimeout(ANSWERED_MS);
    const directory = path.join(run.server, 'template');
    await prepareCluster(directory, binaries, { account, contents, signal });
    await template.keep(directory);
  }
  await template.prepareSpare();
}

/** The answer is on its way by then. */
const ANSWERED_MS = 10;
