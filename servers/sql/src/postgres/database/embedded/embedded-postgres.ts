import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chown, rm, writeFile } from 'node:fs/promises';

import type { ConnectionSettings } from '../protocol/driver.ts';
import { loadPg } from '../protocol/load-pg.ts';
import { READER } from './role-sql.ts';
import { contentsSql, newPasswords, type Contents } from './contents.ts';
import { endLaunch, launch, launchAtOnce, type Launch, type LaunchOptions } from './launch.ts';
import { IdleMoment } from './idle-moment.ts';
import { removeStale } from './run-directory.ts';
import { Template } from './template.ts';
import { WRITER } from './writer.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { planCluster, PASSWORD_FILE, ROLES_FILE } from './cluster.ts';
import { runWatchedInBackground } from './background-command.ts';

/** How an embedded server is started. */
export interface EmbeddedOptions extends LaunchOptions {
  /** Whether to create the sample data. Default: false. */
  readonly sample?: boolean;
  /**
   * Directory for the template: a data directory that the first start with temporary data prepares, and that later starts copy.
   * Without `stateDirectory`, every start with temporary data runs initdb.
   */
  readonly stateDirectory?: string;
  /** Whether to create a role that may write. Default: false. */
  readonly writable?: boolean;
  /** A server that was already started with these options, to be used instead of a new server. */
  readonly launched?: Launch | undefined;
  /** The moment at which to prepare the next start in the background. Default: at once. */
  readonly idleMoment?: IdleMoment;
}

/** An embedded PostgreSQL server. It listens on a socket in a private directory, and ends with this process. */
export class EmbeddedPostgres implements AsyncDisposable {
  /** Connection options of the role that queries run as. */
  readonly reader: ConnectionSettings;
  /**
   * Connection options of the role that writes and owns the data. The role can log in only if the server was started with
   * `writable`.
   */
  readonly writer: ConnectionSettings;
  readonly superuser: ConnectionSettings;
  readonly #launch: Launch;
  readonly #ending = new AbortController();
  readonly #idleMoment: IdleMoment;
  #upkeep: Promise<unknown> = Promise.resolve();

  private constructor(launched: Launch, idleMoment: IdleMoment) {
    const { run, cluster } = launched;
    const roles = cluster.roles ?? newPasswords();
    this.#launch = launched;
    this.#idleMoment = idleMoment;
    this.superuser = { host: run.server, port: run.port, user: 'postgres', database: 'postgres', password: cluster.password };
    this.reader = { ...this.superuser, user: READER, password: roles.reader };
    this.writer = { ...this.superuser, user: WRITER, password: roles.writer };
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const { launched, ...again } = options;
    const template = createTemplate(options);
    try {
      return await EmbeddedPostgres.#use(launched ?? (await launchServer(options, template)), options, template);
    } catch (error) {
      if (template === undefined) throw error;
      // A damaged template may have caused the error, so the second attempt does not use the template.
      await template.remove();
      return EmbeddedPostgres.#use(await launchServer(again, template), again, template);
    }
  }

  static async #use(launched: Launch, options: EmbeddedOptions, template: Template | undefined): Promise<EmbeddedPostgres> {
    const contents = resolveContents(options);
    const { idleMoment = reachedIdleMoment() } = options;
    try {
      await Promise.all([launched.server.ready, launched.run.listening]);
      const embedded = new EmbeddedPostgres(launched, idleMoment);
      if (launched.cluster.roles === undefined) await embedded.#fill(contents);
      embedded.#upkeep = new Promise((resolve) => {
        idleMoment.started(() => resolve(embedded.#prepareNextStart(template, contents)));
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
    // A server that stops right after these statements closes the connection with an error, which would end this process without
    // a listener.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const passwords = { reader: String(this.reader.password), writer: String(this.writer.password) };
      await client.query(contentsSql(contents, passwords).join(';\n'));
    } finally {
      // The start does not wait until the connection is closed.
      client.end().catch(() => undefined);
    }
  }

  async #prepareNextStart(template: Template | undefined, contents: Contents): Promise<void> {
    const { signal } = this.#ending;
    const next = template && prepareNext(template, this.#launch, { contents, signal });
    await Promise.allSettled([removeStale(), next]);
  }

  /** Resolves when the preparation of the next start has succeeded or failed. */
  async prepared(): Promise<void> {
    await this.#upkeep;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#idleMoment.reach();
    await this.#upkeep;
    await endLaunch(this.#launch);
  }
}

/** Returns the template for temporary data, or `undefined` for persistent data or without a state directory. */
function createTemplate(
  options: Pick<EmbeddedOptions, 'dataDir' | 'stateDirectory' | 'sample' | 'writable'>,
): Template | undefined {
  const { dataDir, stateDirectory } = options;
  return dataDir === undefined && stateDirectory !== undefined
    ? new Template(stateDirectory, resolveContents(options))
    : undefined;
}

function resolveContents({ sample = false, writable = false }: Pick<EmbeddedOptions, 'sample' | 'writable'>): Contents {
  return { sample, writable };
}

function reachedIdleMoment(): IdleMoment {
  const idleMoment = new IdleMoment();
  idleMoment.reach();
  return idleMoment;
}

async function launchServer(options: EmbeddedOptions, template: Template | undefined): Promise<Launch> {
  return (template && launchAtOnce(options, template)) ?? launch(options, template);
}

/**
 * Prepares the template and the spare for the next start. Rejects if the state directory is not writable. Without a template, the
 * next start runs initdb.
 */
async function prepareNext(
  template: Template,
  { run, binaries, account }: Launch,
  { contents, signal }: { readonly contents: Contents; readonly signal: AbortSignal },
): Promise<void> {
  // The copy to the spare starts when the first call has ended, before its answer is sent, and continues even if this process
  // ends. Therefore a spare remains even if the client ends this process right after that answer.
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

/** Pause before the template is created, so that the first answer is sent without delay. */
const ANSWERED_MS = 10;

interface PreparationOptions {
  readonly account: Account | undefined;
  readonly contents: Contents;
  /** Aborting this signal aborts the preparation. */
  readonly signal: AbortSignal;
}

/** Creates a data directory with its contents in the background. The SQL runs in a single-user server, which ends afterwards. */
async function prepareCluster(
  directory: string,
  binaries: Binaries,
  { account, contents, signal }: PreparationOptions,
): Promise<void> {
  const { password, passwordFile, command, env } = planCluster(directory, binaries, account);
  await runWatchedInBackground({ command, env, account, signal });
  await rm(passwordFile);
  const passwords = newPasswords();
  const input = `${directory}.sql`;
  await writeFile(input, formatSingleUserInput(contentsSql(contents, passwords)), { mode: 0o600, flag: 'wx' });
  if (account !== undefined) await chown(input, account.uid, account.gid);
  const singleUser = [binaries.postgres, '--single', '-j', '-F', '-D', directory, '-c', 'exit_on_error=true', 'postgres'];
  await runWatchedInBackground({ command: singleUser, env, account, signal, input });
  await rm(input);
  await writeFile(path.join(directory, PASSWORD_FILE), password, { mode: 0o600 });
  await writeFile(path.join(directory, ROLES_FILE), JSON.stringify(passwords), { mode: 0o600 });
}

/** With `-j`, single-user mode ends a command at a semicolon and an empty line, so empty lines within a command are removed. */
function formatSingleUserInput(commands: readonly string[]): string {
  return commands
    .map(
      (command) =>
        `${command
          .replaceAll(/\n\s*\n/g, '\n')
          .trim()
          .replace(/;?$/, ';')}\n\n`,
    )
    .join('');
}
