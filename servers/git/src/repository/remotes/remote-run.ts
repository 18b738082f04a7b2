import type { RequestContext } from '@org/mcp-decorators';

import { ProgressReader } from '../parse/progress.ts';
import { type Configuration, pickVariables } from '../process/environment.ts';
import type { GitOutput } from '../process/run-process.ts';
import type { CommandOptions, Policy, Repository } from '../repository.ts';
import { bindPeer, type Peer } from './peer.ts';
import { explainRemoteFailure } from './remote-failures.ts';
import { allowsHttp } from './remote-url.ts';

/** Runs git in a repository, or in a repository that is being created. */
export interface RemoteRunner {
  readonly policy: Policy;
  /** Opens the repository of a remote that is a directory inside the roots. */
  openPeer(directory: string): Promise<Repository>;
  run(command: readonly string[], options: CommandOptions): Promise<GitOutput>;
}

/** A command that accesses a remote. */
export interface RemoteCommand {
  readonly command: readonly string[];
  /** Credential settings of the user. */
  readonly credentials: Configuration;
  /** Exit codes that do not count as failures; only 0 by default. */
  readonly codes?: readonly number[];
  readonly config?: Configuration;
  /** The other repository, if the remote is a directory. */
  readonly peer?: Peer | undefined;
}

/** The output of a command that accessed a remote. */
export interface RemoteOutput extends GitOutput {
  /** The last lines of the messages of the remote. */
  readonly messages: readonly string[];
}

/** Creates a runner that runs commands in a repository. */
export function createRemoteRunner(repository: Repository): RemoteRunner {
  const { policy, openPeer } = repository;
  return { policy, openPeer, run: (command, options) => repository.write(command, options) };
}

/**
 * Runs a command that accesses a remote, with the credentials of the user, without the credentials of the repository, and without prompts.
 *
 * Reports progress in percent if the client requested it. The command must then contain `--progress`.
 *
 * @throws ToolError AUTH_REQUIRED, NETWORK, TIMEOUT, REMOTE_NOT_FOUND, HOST_NOT_ALLOWED, UNSAFE_OBJECTS, INVALID_REVISION,
 * CONFLICT
 */
export async function runRemote(
  runs: RemoteRunner,
  { command, credentials, codes = [0], config, peer }: RemoteCommand,
  context?: RequestContext,
): Promise<RemoteOutput> {
  const reader = new ProgressReader((percent, words) => context?.progress(percent, 100, words));
  const output = await runs.run(command, {
    codes: ANY_CODE,
    env: buildRemoteEnvironment(peer === undefined ? findProtocols(runs.policy) : 'file'),
    config: { ...buildRemoteConfiguration(runs.policy, credentials), ...(peer && bindPeer(peer)), ...config },
    onStderr: (text) => reader.feed(text),
  });
  if (codes.includes(output.code)) return { ...output, messages: reader.messages };
  throw explainRemoteFailure(command[0] ?? '', output, reader.ownOutput);
}

/** Returns `--progress` if the client requested progress, and otherwise `--no-progress`. */
export function buildProgressFlag({ progressWanted }: RequestContext): string {
  return progressWanted ? '--progress' : '--no-progress';
}

const ANY_CODE: readonly number[] = Array.from({ length: 256 }, (_, code) => code);

/** Variables of the server process that commands receive in addition if they access a remote. */
const CONNECTION_VARIABLES = new Set([
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]);

/**
 * After this time in seconds, an HTTP connection without data fails. An SSH connection fails if its server has not answered
 * keepalive messages for this time.
 */
const SILENCE_S = 60;

const SSH = [
  'ssh',
  '-oBatchMode=yes',
  '-oForwardAgent=no',
  '-oClearAllForwardings=yes',
  '-oConnectTimeout=30',
  '-oServerAliveInterval=20',
  `-oServerAliveCountMax=${SILENCE_S / 20}`,
].join(' ');

/**
 * Builds the environment for commands that access a remote. It uses the SSH agent and the proxy of the user, and disables prompts.
 *
 * @param protocols allowed protocols, separated by colons
 */
function buildRemoteEnvironment(protocols: string): Readonly<Record<string, string>> {
  return {
    ...pickVariables(CONNECTION_VARIABLES),
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_SSH_COMMAND: SSH,
    // Overrides `ssh.variant` of the repository, which would determine the arguments of ssh.
    GIT_SSH_VARIANT: 'ssh',
    GCM_INTERACTIVE: 'never',
    GIT_TEMPLATE_DIR: '',
  };
}

function findProtocols(policy: Policy): string {
  return allowsHttp(policy) ? 'https:ssh:http' : 'https:ssh';
}

/**
 * Builds the configuration for commands that access a remote.
 *
 * @param credentials credential settings of the user; an empty `credential.helper` before them clears the credential helpers of
 * the repository
 */
function buildRemoteConfiguration({ remoteHosts }: Policy, credentials: Configuration): Configuration {
  return {
    ...credentials,
    'credential.helper': ['', credentials['credential.helper'] ?? []].flat(),
    // If the operator allows only certain hosts, redirects are disabled, because they could name other hosts.
    'http.followRedirects': remoteHosts === undefined ? 'initial' : 'false',
    'http.lowSpeedLimit': '1',
    'http.lowSpeedTime': String(SILENCE_S),
    'transfer.fsckObjects': 'true',
    'fetch.fsckObjects': 'true',
    'transfer.bundleURI': 'false',
    'fetch.writeCommitGraph': 'false',
    'push.pushOption': '',
    'core.protectHFS': 'true',
    'core.protectNTFS': 'true',
  };
}
