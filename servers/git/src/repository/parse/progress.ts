/** Range of each long phase within the progress of the whole transfer, in percent. */
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

/** Receives the progress of a transfer in percent, and a description that contains no text of the remote. */
export type ProgressListener = (percent: number, words: string) => void;

/** Parses the stderr of a command with `--progress` in chunks. */
export class ProgressReader {
  readonly #report: ProgressListener;
  readonly #messages: string[] = [];
  readonly #ownLines: string[] = [];
  #line = '';

  constructor(listener: ProgressListener) {
    this.#report = listener;
  }

  /** The last lines of the messages of the remote, at most `MAX_LINES`. They are untrusted. */
  get messages(): readonly string[] {
    return this.#messages;
  }

  /** The last lines of git's own messages, at most `MAX_LINES` whole lines and the current line. */
  get ownOutput(): string {
    return [...this.#ownLines, this.#line].join('\n');
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
      this.#report(span[0] + part * (span[1] - span[0]), `${phase}: ${Number(done)} of ${Number(total)}`);
    } else if (!REMOTE.test(line)) keep(this.#ownLines, line);
    else if (!/: +\d+(?:, done\.)?$|, done\.$|, reused \d+/.test(line)) keep(this.#messages, line.replace(REMOTE, ''));
  }
}

/** Appends a line and keeps only the last `MAX_LINES` lines, which contain the reason for a failure. */
function keep(lines: string[], line: string): void {
  if (line.trim() === '') return;
  lines.push(line.slice(0, MAX_LINE));
  if (lines.length > MAX_LINES) lines.shift();
}
