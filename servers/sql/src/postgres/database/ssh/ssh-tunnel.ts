import { SshFailure } from './ssh-failure.ts';
import { SshStream } from './ssh-stream.ts';
import { formatHostAndPort, formatSshTarget, type SshTarget } from './ssh-target.ts';

/** The database server, as the machine behind ssh reaches it, and the way to that machine. */
export interface SshTunnelOptions {
  readonly target: SshTarget;
  readonly host: string;
  readonly port: number;
  /**
   * Maximum time to connect to the database, in ms. ssh may use 80 % of this time to connect to the machine, and at least 1 s.
   */
  readonly connectTimeout: number;
  /** Environment variables, such as the address of the agent. ssh receives all variables without the prefixes `PG` and `MCP_`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Opens connections to a database server through the program ssh. Each connection has its own process. */
export class SshTunnel implements AsyncDisposable {
  readonly #options: SshTunnelOptions;
  readonly #streams = new Set<SshStream>();
  #hasEnded = false;

  constructor(options: SshTunnelOptions) {
    this.#options = options;
  }

  /** The way to the database, for messages: `ssh to alice@bastion`. */
  get description(): string {
    return `ssh to ${formatSshTarget(this.#options.target)}`;
  }

  /** Creates a stream that is not connected yet. */
  readonly dial = (): SshStream => {
    const { target, variables } = this.#options;
    const stream = new SshStream({
      arguments: listArguments(this.#options),
      env: omitSecrets(variables),
      via: formatSshTarget(target),
    });
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
    if (this.#hasEnded) stream.destroy(new SshFailure('the server is closing', 'lost'));
    return stream;
  };

  /** Closes all connections, and resolves when their processes have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    const closed = [...this.#streams].map(async (stream) => {
      stream.on('error', ignore);
      const closing = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      await closing;
    });
    await Promise.all(closed);
  }
}

function listArguments({ target, host, port, connectTimeout }: SshTunnelOptions): readonly string[] {
  const { user, host: machine, port: sshPort } = target;
  // ssh must report its reason before the timeout of the connection to the database expires.
  const seconds = Math.max(1, Math.floor((connectTimeout * SHARE_OF_TIMEOUT) / 1000));
  const options = { ...OPTIONS, ConnectTimeout: String(seconds) };
  return [
    '-T',
    ...Object.entries(options).map(([name, value]) => `-o${name}=${value}`),
    ...(user === undefined ? [] : ['-l', user]),
    ...(sshPort === undefined ? [] : ['-p', String(sshPort)]),
    '-W',
    formatHostAndPort(host, port),
    '--',
    machine,
  ];
}

const SHARE_OF_TIMEOUT = 0.8;

/**
 * Options that the user's configuration cannot change. The options do not contain StrictHostKeyChecking: with BatchMode, ssh
 * rejects an unknown key by default, and a stricter configuration of the user stays in effect. Without ControlMaster=no, a
 * configuration with ControlPersist would leave a process after the end of the server. INFO is the lowest log level at which ssh
 * reports the reasons of failures.
 */
const OPTIONS = {
  BatchMode: 'yes',
  ClearAllForwardings: 'yes',
  ControlMaster: 'no',
  ExitOnForwardFailure: 'yes',
  ForwardAgent: 'no',
  ForwardX11: 'no',
  LogLevel: 'INFO',
  PermitLocalCommand: 'no',
  RemoteCommand: 'none',
  ServerAliveCountMax: '3',
  ServerAliveInterval: '15',
  Tunnel: 'no',
} as const;

/** Removes the variables that may contain passwords of the database, because ssh and its proxies do not need them. */
function omitSecrets(variables: SshTunnelOptions['variables']): SshTunnelOptions['variables'] {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(?:PG|MCP_)/.test(name)));
}

function ignore(): void {
  // The user of the stream receives the error.
}
