import { ambientOnly, type Configuration } from './environment.ts';
import { speaksHttp } from './remote-url.ts';
import type { Policy } from './repository.ts';

/** What of the user's environment a program needs that reaches others, and nobody else gets. */
const KEPT = new Set([
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

/** A connection over which nothing comes for so long has failed. */
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

/** Over the hardened environment, for commands that reach a remote: https and ssh, the user's SSH agent and proxy, no questions. */
export function remoteEnvironment(policy: Policy): Readonly<Record<string, string>> {
  return {
    ...ambientOnly(KEPT),
    GIT_ALLOW_PROTOCOL: speaksHttp(policy) ? 'https:ssh:http' : 'https:ssh',
    GIT_SSH_COMMAND: SSH,
    // What a repository sets for it decides about the arguments of ssh.
    GIT_SSH_VARIANT: 'ssh',
    GCM_INTERACTIVE: 'never',
    GIT_TEMPLATE_DIR: '',
  };
}

/**
 * Over the hardened configuration.
 *
 * @param credentials the user's own; those of the repository are forgotten at the empty value before them
 */
export function remoteConfiguration({ remoteHosts }: Policy, credentials: Configuration): Configuration {
  return {
    ...credentials,
    'credential.helper': ['', credentials['credential.helper'] ?? []].flat(),
    // Where hosts are named, nobody may lead to another; else as git does it.
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
