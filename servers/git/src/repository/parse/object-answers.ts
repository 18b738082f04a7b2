/** The kinds of objects that git stores. */
type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

/** What an object is, without what it holds. */
export interface ObjectInfo {
  readonly oid: string;
  readonly type: ObjectType;
  /** Bytes. */
  readonly size: number;
}

/** An object with all of its bytes. */
export interface StoredObject extends ObjectInfo {
  readonly content: Buffer;
}

/** An answer, and how many bytes of the output it takes. */
interface Answer {
  readonly length: number;
  /** `undefined`: there is no such object. */
  readonly object: StoredObject | undefined;
}

const HEADER = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (blob|tree|commit|tag) (\d+)$/;
const NOTHING = /^[0-9a-f]+ submodule$/;
const REFUSALS = [' missing\n', ' ambiguous\n'].map((ending) => Buffer.from(ending));
const NO_CONTENT = Buffer.alloc(0);

/** What git is asked about an object. */
export interface ObjectQuestion {
  /** `info` is answered by a line, `contents` by a line and as many bytes as that says. */
  readonly command: 'info' | 'contents';
  readonly name: Buffer;
}

/** The output of `git cat-file --batch-command`, taken apart as it comes. */
export class ObjectAnswers {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #needed = 1;

  feed(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /**
   * Takes the answer to the question that was asked first of those that have none.
   *
   * @returns `later` if it is not all there yet, `wrong` if what is there answers nothing of the kind
   */
  take(question: ObjectQuestion): Pick<Answer, 'object'> | 'later' | 'wrong' {
    if (this.#bytes < this.#needed) return 'later';
    // Of many answers that came at once, nothing is copied.
    const [first = NO_CONTENT] = this.#chunks;
    const output = this.#chunks.length < 2 ? first : Buffer.concat(this.#chunks);
    const answer = parseAnswer(output, question);
    if (answer === undefined) return 'wrong';
    const [length, needed] = typeof answer === 'number' ? [0, answer] : [answer.length, 1];
    this.#chunks = [output.subarray(length)];
    this.#bytes -= length;
    this.#needed = needed;
    return typeof answer === 'number' ? 'later' : answer;
  }
}

/**
 * Reads the answer of `git cat-file --batch-command` that the output begins with.
 *
 * A name may hold newlines: where there is no such object git repeats it, and what it repeats is what was asked.
 *
 * @returns how many bytes it takes at least, if they are not all there yet; `undefined` for what is no answer to this question
 */
function parseAnswer(output: Buffer, { command, name }: ObjectQuestion): Answer | number | undefined {
  const refusal = refusalOf(output, name);
  if (refusal !== undefined) return { length: refusal, object: undefined };
  const end = output.indexOf('\n');
  if (end === -1) return output.length + 1;
  const line = output.toString('latin1', 0, end);
  if (NOTHING.test(line)) return { length: end + 1, object: undefined };
  const info = parseHeader(line);
  // The rest of a name with a newline, which is missing, may be on its way.
  if (info === undefined) return name.includes('\n') && output.length < name.length + 11 ? output.length + 1 : undefined;
  if (command === 'info') return { length: end + 1, object: { ...info, content: NO_CONTENT } };
  const length = end + 1 + info.size + 1;
  if (output.length < length) return length;
  return { length, object: { ...info, content: output.subarray(end + 1, length - 1) } };
}

/** Bytes of the answer that there is no such object. */
function refusalOf(output: Buffer, name: Buffer): number | undefined {
  if (output.compare(name, 0, name.length, 0, Math.min(name.length, output.length)) !== 0) return undefined;
  const ending = REFUSALS.find((each) => output.subarray(name.length, name.length + each.length).equals(each));
  return ending === undefined ? undefined : name.length + ending.length;
}

function parseHeader(line: string): ObjectInfo | undefined {
  const [, oid, type, size] = HEADER.exec(line) ?? [];
  if (oid === undefined || !isType(type)) return undefined;
  return { oid, type, size: Number(size) };
}

function isType(text: string | undefined): text is ObjectType {
  return text === 'blob' || text === 'tree' || text === 'commit' || text === 'tag';
}
