import { trimBlanks } from '../../../rows/blank.ts';

/** Reason why ssh could not be started, or ended. */
export type SshReason = 'missing' | 'dns' | 'host_key' | 'auth' | 'refused' | 'forward' | 'lost';

/** The ssh program could not be started, reported a failure, or ended while the connection was in use. */
export class SshFailure extends Error {
  override readonly name: string = 'SshFailure';
  readonly reason: SshReason;
  /**
   * The code of the write that ssh did not accept, such as `EPIPE`; `undefined` if every write was accepted, or if no data had
   * arrived before.
   */
  readonly code: string | undefined;

  constructor(message: string, reason: SshReason, options: ErrorOptions & { readonly code?: string | undefined } = {}) {
    super(message, options);
    this.reason = reason;
    this.code = options.code;
  }
}

/**
 * Creates the failure from the messages of ssh on its standard error.
 *
 * @param wasOpen whether data had already arrived, so that the tunnel was lost and not refused
 * @param code the code of the write that ssh did not accept
 */
export function sshFailureFrom(
  messages: string,
  { via, wasOpen, code }: { readonly via: string; readonly wasOpen: boolean; readonly code?: string | undefined },
): SshFailure {
  const lines = messages.split(/[\r\n]+/).map((line) => trimBlanks(line.replaceAll(CONTROL, ' ')));
  const telling = lines.filter((line) => line !== '' && !GENERAL.test(line));
  const line = (telling.at(-1) ?? lines.findLast((each) => each !== '') ?? 'ssh ended without a message').slice(0, MAX_LINE);
  if (MISSING.test(line)) return new SshFailure('the program ssh cannot be started: it was not found', 'missing');
  if (wasOpen) return new SshFailure(`the ssh tunnel through ${via} was lost: ${line}`, 'lost', { code });
  return new SshFailure(`the ssh tunnel through ${via} cannot be opened: ${line}`, classify(line));
}

function classify(line: string): SshReason {
  return REASONS.find(([words]) => words.test(line))?.[1] ?? 'refused';
}

const REASONS: readonly (readonly [RegExp, SshReason])[] = [
  [/open failed|administratively prohibited/, 'forward'],
  [/resolve hostname/, 'dns'],
  [/host key|host identification/i, 'host_key'],
  [/permission denied|authentication failures|no supported authentication/i, 'auth'],
];

/** Pattern of the lines that do not contain the reason of a failure, because another line contains the reason. */
const GENERAL =
  /^(?:stdio forwarding failed|Connection closed by UNKNOWN.*|Warning: Permanently added.*|@+|no such identity.*|Killed by signal.*)$/;
/** Pattern of the shell's message that the program ssh does not exist. */
const MISSING = /\bssh: (?:command )?not found$/;
const CONTROL = /\p{Cc}/gu;
const MAX_LINE = 300;
