import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

import { ChangeBus as Announcements, type RequestContext, type ResourceDefinition } from '@org/mcp-decorators';
import {
  CallRoots,
  resolveStateDirectory,
  logFailures,
  type Diagnosis,
  type OperatorLog,
  diagnoseClientRoots,
  getUsableResultBytes,
  explainTilde,
  requireDirectories,
  UsageError,
} from '@org/mcp-host';
import { Roots, GlobError, RootError, type Guarantee, type RootDirectory, type RootState } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';

import { ChangeSupport } from './change/change-support.ts';
import { ConversionSlots } from './conversion/conversion-slots.ts';
import { DocumentCache } from './documents/document-cache.ts';
import type { FilesystemOptions } from './filesystem-options.ts';
import { listRoots } from './resources/list-roots.ts';
import { createRootsTarget, createWatchTarget } from './resources/watch-target.ts';
import type { RewindCompanion } from './rewind/companion.ts';
import { findAclProblem } from './storage/acl-check.ts';
import { tryStateDirectory } from './storage/try-state-directory.ts';
import { ThreadPool } from './threads/thread-pool.ts';
import { requireThreadProgram } from './threads/worker-thread.ts';
import type { Files, Limits } from './tools/files.ts';
import { compileExcluder } from './walk/globs.ts';

interface OpenRoots {
  /** The operator's directories. */
  readonly operator: Roots;
  /**
   * The directories of each call: the operator's directories, narrowed by the client's roots, or the client's roots if the
   * operator gave no directories.
   */
  readonly ofCalls: CallRoots<Roots>;
}

/** The state of a filesystem server: open directories, locks and journal, worker threads, watchers. */
export class FilesystemRuntime implements AsyncDisposable {
  readonly #options: FilesystemOptions;
  readonly #server: object;
  readonly #stateDirectory: string;
  readonly #changes: ChangeSupport;
  readonly #threads = new ThreadPool();
  /** The properties of {@link Files} that are the same for every call. */
  readonly #support: Omit<Files, 'roots' | 'companion'>;
  #watchHub: WatchHub | undefined;
  #openRoots: OpenRoots | undefined;
  #rootsWatch: Promise<unknown> | undefined;

  /** @param server the object whose clients are notified of changes to the list of resources */
  constructor(options: FilesystemOptions, server: object) {
    this.#options = options;
    this.#server = server;
    // All subclasses have the same default state directory, whatever their names are, because their processes must respect each
    // other's locks.
    this.#stateDirectory = resolveStateDirectory('mcp-fs', options);
    this.#changes = new ChangeSupport(this.#stateDirectory, options);
    const limits: Limits = options;
    this.#support = {
      limits: { ...limits, maxBytes: getUsableResultBytes(options.maxBytes) },
      defaultFilters: options,
      threads: this.#threads,
      conversions: new ConversionSlots(),
      documents: new DocumentCache(),
      changes: this.#changes,
    };
  }

  async open(log?: OperatorLog): Promise<void> {
    requireThreadProgram();
    const roots = await openRoots(this.#options, this.#stateDirectory, log);
    this.#openRoots = { operator: roots, ofCalls: new CallRoots(roots, this.#options, log) };
    if (!this.#options.readOnly) {
      this.#changes.settings.stale.removeLeftBehind(roots);
      const problem = await findAclProblem();
      if (problem !== undefined) log?.warning(problem);
    }
    this.#watchHub = new WatchHub({ maxWatches: this.#options.maxWatches, ...(log && { onError: logFailures(log) }) });
  }

  async filesFor(context: RequestContext, companion?: RewindCompanion): Promise<Files> {
    const roots = await this.#opened.ofCalls.of(context);
    return { ...this.#support, roots, ...(companion && { companion }) };
  }

  /**
   * Watches a `file:` URI inside the operator's directories. The client's roots do not apply, because a subscription cannot
   * request them.
   */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    const target = await createWatchTarget(this.#opened.operator, uri);
    return target && this.#watchHub?.watch(target, updated);
  }

  async listResources(): Promise<readonly ResourceDefinition[]> {
    const { operator } = this.#opened;
    this.#rootsWatch ??= this.#watchHub?.watch(createRootsTarget(operator), () =>
      Announcements.of(this.#server).deliver({ kind: 'resources_list_changed' }),
    );
    await this.#rootsWatch;
    return listRoots(operator);
  }

  async diagnose(): Promise<readonly Diagnosis[]> {
    const roots = await diagnoseRoots(this.#opened.operator, this.#options);
    return this.#options.readOnly ? roots : [...roots, await diagnoseState(this.#stateDirectory)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
    await this.#watchHub?.[Symbol.asyncDispose]();
    await this.#changes[Symbol.asyncDispose]();
    await this.#openRoots?.operator[Symbol.asyncDispose]();
  }

  get #opened(): OpenRoots {
    if (this.#openRoots === undefined) throw new Error('the server is not open: await server.open()');
    return this.#openRoots;
  }
}

/**
 * Opens the roots of the operator's options and logs missing directories.
 *
 * @param stateDirectory a directory that is hidden in all roots
 * @throws UsageError for an unusable directory or glob, and without directories over HTTP
 */
async function openRoots(options: FilesystemOptions, stateDirectory: string, log: OperatorLog | undefined): Promise<Roots> {
  const roots = await open(options, stateDirectory);
  requireDirectories(options, roots.directories);
  if (roots.directories.length === 0) log?.info(diagnoseClientRoots(options, []).detail);
  for (const root of roots.directories) {
    if ((await root.state()) !== 'available')
      log?.warning(
        `the directory ${root.path} does not exist; the server uses the directory as soon as it exists${explainTilde(root.path)}`,
      );
  }
  return roots;
}

async function open(options: FilesystemOptions, stateDirectory: string): Promise<Roots> {
  const { directories, ro, rw, deny, allow, defaultDeny, hardLinks, allowGitDir, followSymlinks, crossMounts } = options;
  const settings = [...[...directories, ...rw].map((path) => ({ path })), ...ro.map((path) => ({ path, mode: 'ro' as const }))];
  try {
    compileExcluder([...deny, ...allow]);
    return await Roots.open(settings, {
      deny: [...(defaultDeny ? SECRETS : []), ...deny],
      denyAnywhere: defaultDeny ? SECRET_PLACES : [],
      allow: [...(defaultDeny ? PUBLIC_FILES : []), ...allow],
      hidden: [stateDirectory],
      hardLinks,
      followSymlinks,
      crossMounts,
      gitDirectories: allowGitDir ? 'allow' : 'deny',
    });
  } catch (error) {
    const isUsage = error instanceof RootError || error instanceof GlobError;
    throw isUsage ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Returns the findings about each directory, the client's roots, the guarantee of this platform and ACLs. */
async function diagnoseRoots({ directories, guarantee }: Roots, options: FilesystemOptions): Promise<readonly Diagnosis[]> {
  const confinement = { subject: 'guarantee', ok: true, detail: GUARANTEES[guarantee] };
  const problem = options.readOnly ? undefined : await findAclProblem();
  const general = problem === undefined ? [confinement] : [confinement, { subject: 'ACLs', ok: true, detail: problem }];
  return [
    ...(await Promise.all(directories.map((root) => diagnose(root, options)))),
    diagnoseClientRoots(options, directories),
    ...general,
  ];
}

/** Returns the finding about the state directory, without which no change is possible. */
async function diagnoseState(directory: string): Promise<Diagnosis> {
  const problem = await tryStateDirectory(directory);
  const detail =
    problem === undefined ? 'usable' : `no change can be made: ${problem}; choose another directory with --state-dir`;
  return { subject: `state directory ${directory}`, ok: problem === undefined, detail };
}

const GUARANTEES: Readonly<Record<Guarantee, string>> = {
  pinned:
    'pinned: a verified path is used only through its file descriptor, so replacing a file or link after the check has no effect',
  rechecked:
    'rechecked: this platform has no /proc/self/fd, so paths are verified before and after each use; do not let other users write in the directories',
};

async function diagnose(root: RootDirectory, { readOnly }: FilesystemOptions): Promise<Diagnosis> {
  const state = await root.state();
  const problem = state === 'available' ? await findAccessProblem(root, readOnly) : undefined;
  const tilde = state === 'unavailable' ? explainTilde(root.path) : '';
  const detail = `${problem ?? STATES[state]}${tilde}${root.path === root.realPath ? '' : ` as ${root.realPath}`}${root.mode === 'ro' ? ', read-only' : ''}`;
  return { subject: `root ${root.path}`, ok: state === 'available' && problem === undefined, detail };
}

async function findAccessProblem({ realPath, mode }: RootDirectory, readOnly: boolean): Promise<string | undefined> {
  if (!(await permits(realPath, constants.R_OK | constants.X_OK))) return 'the user of the server may not read the directory';
  if (mode === 'ro' || readOnly || (await permits(realPath, constants.W_OK))) return undefined;
  return 'the user of the server may not write in the directory; pass the directory with --ro';
}

function permits(directory: string, mode: number): Promise<boolean> {
  return access(directory, mode).then(
    () => true,
    () => false,
  );
}

const STATES: Readonly<Record<RootState, string>> = {
  available: 'available',
  unavailable: 'missing; the server uses the directory as soon as it exists',
  changed: 'replaced by a different directory since the server started',
};

/** Globs of files that usually contain passwords, keys or tokens. Reading such a file discloses its contents to the model. */
const SECRETS: readonly string[] = [
  '.env',
  '.env{.,-,_}*',
  '*.env',
  '.envrc',
  '*.{pem,key,p12,pfx,jks,keystore,kdb,kdbx,ppk}',
  'id_{rsa,dsa,ecdsa,ed25519}*',
  '.{netrc,npmrc,yarnrc.yml,pypirc,pgpass,htpasswd,git-credentials,vault-token,my.cnf,mylogin.cnf}',
  '.{dockercfg,s3cfg,boto,terraformrc}',
  '{_netrc,pgpass.conf,terraform.rc}',
  'credentials.{json,csv,yml,yaml,toml,ini,xml,properties}',
  'secret{,s}.{json,yml,yaml,toml,ini,xml,properties,tfvars}',
  '{client_secret,service-account,service_account}*.json',
  '{kubeconfig,*.kubeconfig,kubeconfig.yml,kubeconfig.yaml}',
  '{*.tfstate,*.tfstate.*}',
  '{.*_history,.histfile,fish_history,ConsoleHost_history.txt}',
  '*.keychain{,-db}',
];

/** Exceptions to {@link SECRETS}: files that are meant to be read. */
const PUBLIC_FILES: readonly string[] = [
  '.env{.,-,_}{example,sample,template,dist,defaults}',
  '.env.*.{example,sample,template,dist}',
  '{example,sample,template}.env',
  '*.{example,sample,template}.env',
  '*.pub',
];

/** Globs of directories and files that usually contain secrets. They also apply to a root inside such a directory. */
const SECRET_PLACES: readonly string[] = [
  '.{ssh,gnupg,aws,azure,kube,oci,password-store}',
  '.docker/config.json',
  '.config/{gcloud,gh,glab-cli,hub,op}',
  '.config/git/credentials',
  '.config/rclone/rclone.conf',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.cargo/credentials{,.toml}',
  '.gem/credentials',
  '.m2/settings{,-security}.xml',
  '.terraform.d/credentials.tfrc.json',
  '.local/share/keyrings',
  'Library/Keychains',
];
