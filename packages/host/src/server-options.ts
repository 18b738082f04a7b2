import { Flag, Integer, OneOf, Text, TextList, type ConfirmPolicy, type StructuredMode } from '@org/mcp-decorators';

import { IsDuration } from './options/duration.ts';
import { IsSize } from './options/size.ts';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.ts';

const STRUCTURED: readonly StructuredMode[] = ['auto', 'always', 'never'];

const CONFIRM: readonly ConfirmPolicy[] = ['ask', 'token'];

/**
 * Options that every server has. A server's own options class extends this one; each annotated property becomes a flag, an
 * environment variable, a key of the config file and a line of `--help`.
 *
 * A text is kept out of sight with `@Field(…, { format: 'password' })`, made absolute where it is written into a client's
 * configuration with `'path'`, and shown by `server://info` only with `'duration'` or `'size'`.
 */
export class ServerOptions {
  /** The property that takes the arguments without a flag; an array takes all of them. */
  static readonly positional: string | undefined = undefined;

  /** Texts that are printed instead of serving, each by the name of a boolean property that asks for it. */
  static readonly prints: Readonly<Record<string, () => string>> = {};

  /** Offers only tools with `readOnlyHint: true`, without those that need the scope `write` all the same. */
  @Flag('Offer only tools that change nothing') readOnly = false;

  /** Names on the wire, or names of sets (`@Tool({ sets })`, and `all`); a name that is none of them ends the process with 2. Default: the set `default`. */
  @TextList('Offer only these tools or sets of tools, such as all; without it, the set default', {
    optional: true,
    title: 'NAMES',
  })
  tools?: string[];

  /** Names on the wire, or names of sets, taken out of {@link ServerOptions.tools}. Default: none. */
  @TextList('Do not offer these tools or sets of tools', { optional: true, title: 'NAMES' }) disableTools?: string[];

  /**
   * `auto` sends neither structured content nor output schemas to hosts that are known to give the model the structure instead of
   * the text, or both. The text is complete without the structure.
   */
  @OneOf(
    STRUCTURED,
    'Send structured content beside the text. auto: not to hosts that pass it to the model instead of the text, or beside it; always; never',
    { title: 'WHEN' },
  )
  structured: StructuredMode = 'auto';

  /** `token` is for hosts that show their user no dialogue: the model alone decides then. */
  @OneOf(
    CONFIRM,
    'How calls that lose something are confirmed. ask: by the user, or by a token if the client cannot ask; token: always by a token, so the model decides',
    { title: 'BY' },
  )
  confirm: ConfirmPolicy = 'ask';

  /**
   * Directory for state that outlives the process, if a server has such state. The server creates the directory on first use, with
   * access for its user alone. If others have access to the directory, the server uses a subdirectory `NAME`. Default:
   * `$XDG_STATE_HOME/NAME` or `~/.local/state/NAME`, or the equivalent of other platforms.
   */
  @Text('Directory for what the server keeps between its runs', {
    optional: true,
    minLength: 1,
    title: 'DIRECTORY',
    format: 'path',
  })
  stateDir?: string;

  /** As a duration: `30s`, `5m`. Tools with a `timeoutMs` of their own keep it. Default: calls may take any time. */
  @IsDuration()
  @Text('End a call that takes longer, such as 30s or 5m, unless its tool has a limit of its own', {
    optional: true,
    title: 'DURATION',
    format: 'duration',
  })
  timeout?: string;

  /** Of the process's own log, not of the messages to clients. */
  @OneOf(LOG_LEVELS, 'Least severe log lines that are written to stderr', { title: 'LEVEL' }) logLevel: LogLevel = 'info';

  /** Of the process's own log. */
  @OneOf(LOG_FORMATS, 'Form of the log lines', { title: 'FORMAT' }) logFormat: LogFormat = 'text';

  /** A larger one is refused unread: over HTTP with 413, over stdio with an error that names no request. */
  @IsSize({ least: '1kb', most: '1gb' })
  @Text('Largest message that a client may send', { title: 'SIZE', format: 'size' })
  maxMessage = '10mb';

  /** At the path `/mcp`; without a host, on 127.0.0.1. Default: over stdio. */
  @Text('Serve over HTTP at /mcp instead of stdio, on this machine only unless a host is given', {
    optional: true,
    title: '[HOST:]PORT',
  })
  http?: string;

  /** Without ports; `*` allows every name. Default: localhost, 127.0.0.1, [::1] and the host of {@link ServerOptions.http}. */
  @TextList('Names by which HTTP clients may ask for the server', { optional: true, title: 'HOSTS' }) allowedHosts?: string[];

  /** Host names without schemes and ports. Default: localhost, 127.0.0.1 and [::1]. */
  @TextList('Web sites whose pages may ask over HTTP', { optional: true, title: 'HOSTS' }) allowedOrigins?: string[];

  /** Where a proxy stands before the server: clients compare it with what they ask. Default: the name they ask by. */
  @Text('Under which HTTP clients know the server, if not by its own address', { optional: true, title: 'URL' })
  publicUrl?: string;

  /** To whoever may ask for anything. */
  @Flag('Over HTTP, tell Prometheus at /metrics about calls, sessions and the process') metrics = false;

  /** At `/sse` and `/messages`. */
  @Flag('Over HTTP, serve clients of 2024-11-05 too, at /sse') sse = false;

  /** A session takes one while it listens, and one for each of its calls. A further connection takes the place of an idle one. */
  @Integer('Most connections over HTTP at a time', { min: 1 }) maxHttpConnections = 4096;

  /** More are answered with 503 until one ends. */
  @Integer('Most sessions over HTTP at a time', { min: 1 }) maxSessions = 1000;

  /** Its id is unknown then, and the client has to initialize a new one. */
  @IsDuration({ least: '1s' })
  @Text('Close an HTTP session that was not used for so long', { title: 'TIME', format: 'duration' })
  sessionIdle = '30m';

  /** One that does not answer within 10 seconds is closed. */
  @IsDuration({ least: '1s' })
  @Text('Ask a silent HTTP session so often whether it is still there', { title: 'TIME', format: 'duration' })
  pingInterval = '1m';

  /** The oldest go first. */
  @IsSize({ most: '16gb' })
  @Text('Messages kept for HTTP sessions that lose a connection, in all', { title: 'SIZE', format: 'size' })
  eventBuffer = '64mb';

  /** More are refused. */
  @Integer('Most streams of changes (subscriptions/listen) over HTTP at a time', { min: 1 }) maxListeners = 1024;

  /** Clients, their tokens or the hashes of them, and scopes; read again when it changes. Default: none. */
  @Text('Over HTTP, take only the tokens in this file: a line for each, CLIENT TOKEN SCOPE…', {
    optional: true,
    minLength: 1,
    title: 'FILE',
    format: 'path',
  })
  tokenFile?: string;

  /** As it stands in its tokens' `iss`; `https:`, or `http:` on this machine. Needs an audience. Default: none. */
  @Text('Over HTTP, take only tokens (JWT) that this authorization server issued', { optional: true, minLength: 1, title: 'URL' })
  authIssuer?: string;

  /** Compared as it is written. Default: none. */
  @Text("What the issuer's tokens for this server have as their audience", { optional: true, minLength: 1, title: 'AUDIENCE' })
  authAudience?: string;

  /** All of them, besides those that tools name. Default: none. */
  @TextList('Scopes that a token needs for any request', { optional: true, title: 'SCOPES' }) authScopes?: string[];

  /** 32 to 4,096 bytes, as they are. Default: a random key, so that nothing sealed outlives the process. */
  @Text('File with the key, the same for all processes, by which cursors and unfinished calls of clients are sealed', {
    optional: true,
    minLength: 1,
    title: 'FILE',
    format: 'path',
  })
  stateKeyFile?: string;

  /** `postgres://…`, `redis://…` or `rediss://…`, on the channel `mcp:<name of the server>`. Default: none. */
  @Text('PostgreSQL or Redis server by which processes that serve the same tell each other of changes', {
    optional: true,
    minLength: 1,
    title: 'URL',
    format: 'password',
  })
  bus?: string;
}
