/** Where the whole is, in hundredths, while a phase is under way; git and the remote name no others that take long. */
const PHASES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  'Counting objects': [0, 5],
  'Compressing objects': [5, 10],
  'Receiving objects': [10, 80],
  'Unpacking objects': [10, 80],
  'Writing objects': [10, 80],
  'Resolving deltas': [80, 95],
  'Updating files': [95, 100],
};

const LINE = /^(?:remote: )?([A-Z][a-z]+ [a-z]+): +\d+% \((\d+)\/(\d+)\)/;
const REMOTE = /^remote: ?/;
const MAX_LINE = 500;
const MAX_LINES = 50;

/** Told of how far a transfer is: hundredths of the whole, and in words that are none of the remote's. */
export type OnTransfer = (hundredths: number, words: string) => void;

/** Reads the stderr of a command with `--progress` as it comes. */
export class ProgressReader {
  readonly #told: OnTransfer;
  readonly #messages: string[] = [];
  readonly #words: string[] = [];
  #line = '';

  constructor(told: OnTransfer) {
    this.#told = told;
  }

  /** What the remote said, a line each; nobody vouches for it. */
  get messages(): readonly string[] {
    return this.#messages;
  }

  /** What git said itself. */
  get words(): string {
    return [...this.#words, this.#line].join('\n');
  }

  feed(text: string): void {
    const lines = (this.#line + text).split(/[\r\n]/);
    this.#line = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const line of lines) this.#read(line.trimEnd());
  }

  #read(line: string): void {
    const [, phase = '', done = '0', total = '0'] = LINE.exec(line) ?? [];
    const span = PHASES[phase];
    if (span !== undefined) {
      const part = Number(total) === 0 ? 0 : Math.min(1, Number(done) / Number(total));
      this.#told(span[0] + part * (span[1] - span[0]), `${phase}: ${Number(done)} of ${Number(total)}`);
    } else if (!REMOTE.test(line)) keep(this.#words, line);
    else if (!/: +\d+(?:, done\.)?$|, done\.$|, reused \d+/.test(line)) keep(this.#messages, line.replace(REMOTE, ''));
  }
}

/** The last ones matter: there is the reason of a failure. */
function keep(lines: string[], line: string): void {
  if (line.trim() === '') return;
  lines.push(line.slice(0, MAX_LINE));
  if (lines.length > MAX_LINES) lines.shift();
}
