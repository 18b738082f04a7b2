import { Flag, Integer, OneOf, Text, TextList, type ConfirmPolicy, type StructuredMode } from '@org/mcp-decorators';

import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../process/log.ts';
import type { FlagChanges, OptionGroups } from './option.ts';
import { Duration, Size } from './quantities.ts';

const STRUCTURED: readonly StructuredMode[] = ['auto', 'always', 'never'];

const CONFIRM: readonly ConfirmPolicy[] = ['ask', 'token'];

/**
 * Options for every server. The options class of a server extends this class. Each annotated property becomes a flag, an environment
 * variable, a key of the config file and a line of `--help`.
 *
 * The `format` of a text option has these effects: `password` hides the value, and `path` makes the value absolute in the configuration
 * of a client. `@Duration` and `@Size` declare numbers that users write with a unit.
 */
export class ServerOptions {
  /** Name of the property that takes the arguments without a flag; an array property takes all these arguments. */
  static readonly positional: string | undefined = undefined;

  /**
   * Changes of inherited flags, by property: another name, such as `{ stateDir: 'state' }`, or `false` to remove the flag. A property
   * without a flag has neither an environment variable nor a key in the config file, so it keeps its initial value. Changes of base
   * classes apply, too.
   */
  static readonly flags: FlagChanges = {};

  /**
   * Headings of `--help` and the properties below them. Headings of a subclass precede those of its base classes. Properties without a
   * heading come first.
   */
  static readonly groups: OptionGroups = {
    'Tools and confirmation': ['readOnly', 'tools', 'disableTools', 'structured', 'confirm'],
    'Limits, state and log': ['timeout', 'maxMessage', 'stateDir', 'logLevel', 'logFormat'],
    HTTP: [
      'http',
      'allowedHosts',
      'allowedOrigins',
      'publicUrl',
      'metrics',
      'sse',
      'maxHttpConnections',
      'maxSessions',
      'sessionIdle',
      'pingInterval',
      'eventBuffer',
      'maxListeners',
    ],
    Authentication: ['tokenFile', 'authIssuer', 'authAudience', 'authScopes'],
    'Several processes': ['stateKeyFile', 'bus', 'sharedSessions', 'peerUrl'],
  };

  /** Functions that return a text to print instead of serving, by the boolean property that selects the text. */
  static readonly prints: Readonly<Record<string, () => string>> = {};

  /** Offers only tools that have `readOnlyHint: true` and do not require the scope `write`. */
  @Flag('Restrict the server to tools that change nothing') readOnly = false;

  /**
   * Names of tools or of tool sets (the sets of `@Tool({ sets })`, and `all`). An unknown name ends the process with
   * code 2. Default: the set `default`.
   */
  @TextList('Restrict the server to these tools or tool sets; "all" offers every tool. Default: the set "default"', {
    optional: true,
    title: 'NAMES',
  })
  tools?: string[];

  /** Names of tools or of tool sets to remove from {@link ServerOptions.tools}. Default: no tools. */
  @TextList('Remove these tools or tool sets from the server', { optional: true, title: 'NAMES' }) disableTools?: string[];

  /**
   * `auto` omits structured content and output schemas for hosts that are known to pass structured content to the model, which takes
   * more tokens than the text, or to ignore it. The text is complete by itself.
   */
  @OneOf(
    STRUCTURED,
    'Send structured content in addition to the text. auto: except to hosts that are known to need only the text; always; never',
    { title: 'WHEN' },
  )
  structured: StructuredMode = 'auto';

  /** `token` is for hosts that show no dialogs to their user: then the model alone decides. */
  @OneOf(
    CONFIRM,
    'How destructive calls are confirmed. ask: by the user, or by a token if the client cannot show a dialog; token: always by a token, so the model decides',
    { title: 'BY' },
  )
  confirm: ConfirmPolicy = 'ask';

  /**
   * Directory for state that outlives the process, if a server has such state. The server creates the directory on first use, with
   * access for its user alone. If others have access to the directory, the server uses a subdirectory `NAME`. Default:
   * `$XDG_STATE_HOME/NAME` or `~/.local/state/NAME`, or the equivalent of other platforms. `NAME` is the name that the server passes
   * to `resolveStateDirectory`: a subclass with another name keeps the directory of its base class.
   */
  @Text('Directory for state that outlives the process', {
    optional: true,
    minLength: 1,
    title: 'DIRECTORY',
    format: 'path',
  })
  stateDir?: string;

  /** In ms. A tool with its own `timeoutMs` keeps its limit. Default: no limit. */
  @Duration('Time limit for a call, such as 30s or 5m; a tool with its own limit ignores this one', { optional: true })
  timeout?: number;

  /** Minimum severity in the log of the process; log messages to clients are not affected. */
  @OneOf(LOG_LEVELS, 'Minimum severity of log lines on stderr', { title: 'LEVEL' }) logLevel: LogLevel = 'info';

  /** Format of the log of the process. */
  @OneOf(LOG_FORMATS, 'Format of log lines', { title: 'FORMAT' }) logFormat: LogFormat = 'text';

  /** In bytes. Larger messages are rejected without parsing: over HTTP with status 413, over stdio with an error without a request id. */
  @Size('Maximum size of a message from a client', { min: 1024, max: 1024 ** 3 }) maxMessage = 10_485_760;

  /** Host and port of the HTTP server; the host is optional. Default: the server uses stdio. */
  @Text('Serve over HTTP at /mcp instead of stdio. Default host: 127.0.0.1, which only this machine can reach', {
    optional: true,
    title: '[HOST:]PORT',
  })
  http?: string;

  /** Host names without ports; `*` allows every name. Default: localhost, 127.0.0.1, [::1] and the host of {@link ServerOptions.http}. */
  @TextList('Host names that the Host header of an HTTP request may contain (protects against DNS rebinding)', {
    optional: true,
    title: 'HOSTS',
  })
  allowedHosts?: string[];

  /**
   * Host names without schemes and ports, or `scheme://*` for all origins of a scheme other than http and https. Default:
   * localhost, 127.0.0.1 and [::1].
   */
  @TextList(
    'Hosts of web origins that may call the server; scheme://* allows all origins of a scheme other than http and https',
    { optional: true, title: 'HOSTS' },
  )
  allowedOrigins?: string[];

  /** For servers behind a proxy: clients compare this URL with the URL of their request. Default: the Host header of the request. */
  @Text('Public base URL, if clients reach the server through a proxy', { optional: true, title: 'URL' })
  publicUrl?: string;

  /** The metrics page requires a token if the server requires tokens. */
  @Flag('Over HTTP, serve Prometheus metrics at /metrics') metrics = false;

  /** Clients of revision 2024-11-05 use the paths `/sse` and `/messages`. */
  @Flag('Over HTTP, also serve clients of protocol version 2024-11-05, at /sse') sse = false;

  /**
   * A session uses one connection while it listens, and one for each running call. A further connection replaces an idle one, or
   * is closed if no connection is idle. Also the maximum number of requests with a token that are in progress.
   */
  @Integer('Maximum number of open HTTP connections, and of concurrent requests with tokens', { min: 1 }) maxHttpConnections =
    4096;

  /** Further sessions are rejected with status 503, or with 429 if the principal has reached its share. */
  @Integer('Maximum number of open HTTP sessions', { min: 1 }) maxSessions = 1000;

  /** In ms. After its session was closed, a client has to initialize a new session. */
  @Duration('Idle time after which an HTTP session is closed', { min: 1000 }) sessionIdle = 1_800_000;

  /** In ms. A session that does not answer a ping within 10 seconds is closed. */
  @Duration('Ping interval for idle HTTP sessions', { min: 1000 }) pingInterval = 60_000;

  /**
   * In bytes, counted as one byte per character. If the messages of a principal take more than remains free, the oldest messages
   * of this principal are dropped.
   */
  @Size('Maximum total size of the messages that are kept for HTTP sessions that lose a connection', { max: 16 * 1024 ** 3 })
  eventBuffer = 67_108_864;

  /** Further streams are rejected with status 503, or with 429 if the principal has reached its share. */
  @Integer('Maximum number of open listen streams (subscriptions/listen) over HTTP', { min: 1 }) maxListeners = 1024;

  /** Each line has a client, its token or the hash of the token, and scopes. The file is read again when it changes. Default: none. */
  @Text('Over HTTP, require a bearer token from this file; each line is CLIENT TOKEN SCOPE…', {
    optional: true,
    minLength: 1,
    title: 'FILE',
    format: 'path',
  })
  tokenFile?: string;

  /** Must equal the claim `iss` of the tokens. Must be `https:`, or `http:` on this machine. Requires `authAudience`. Default: none. */
  @Text('Over HTTP, require a JWT that this authorization server issued', { optional: true, minLength: 1, title: 'URL' })
  authIssuer?: string;

  /** Must equal the claim `aud` of the tokens. Default: none. */
  @Text('Audience (claim aud) of the tokens for this server', { optional: true, minLength: 1, title: 'AUDIENCE' })
  authAudience?: string;

  /** Every request needs all of these scopes, in addition to the scopes of the called tool. Default: none. */
  @TextList('Scopes that every request needs', { optional: true, title: 'SCOPES' }) authScopes?: string[];

  /** All bytes of the file, 32 to 4,096, are the key. Default: a random key, so that sealed values are valid only for this process. */
  @Text('File with the key that seals cursors and unfinished calls; replicas need the same key', {
    optional: true,
    minLength: 1,
    title: 'FILE',
    format: 'path',
  })
  stateKeyFile?: string;

  /** A URL with `postgres:`, `redis:` or `rediss:`. The channel is `mcp:<name of the server>`. Default: none. */
  @Text('PostgreSQL or Redis URL for change notifications between replicas', {
    optional: true,
    minLength: 1,
    title: 'URL',
    format: 'password',
  })
  bus?: string;

  /** Requires {@link ServerOptions.bus} and {@link ServerOptions.stateKeyFile}. Sessions of revision 2024-11-05 are not shared. */
  @Flag(
    'Keep HTTP sessions and used confirmations on the server of the bus, so that every replica serves every client, except clients of protocol version 2024-11-05',
  )
  sharedSessions = false;

  /** With `http:` or `https:` and without a path. Default: the address on which the server listens. */
  @Text('Base URL at which other replicas reach this one, for --shared-sessions', {
    optional: true,
    minLength: 1,
    title: 'URL',
  })
  peerUrl?: string;
}
