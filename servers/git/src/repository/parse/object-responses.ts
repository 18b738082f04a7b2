/** Types of objects in git. */
type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

/** Type and size of an object. */
export interface ObjectInfo {
  readonly oid: string;
  readonly type: ObjectType;
  /** Size in bytes. */
  readonly size: number;
}

/** An object with its content. */
export interface StoredObject extends ObjectInfo {
  readonly content: Buffer;
}

/** A response, and the number of bytes that the response takes in the output. */
interface ObjectResponse {
  readonly length: number;
  /** The object; `undefined` if it does not exist. */
  readonly object: StoredObject | undefined;
}

const HEADER = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (blob|tree|commit|tag) (\d+)$/;
const NOTHING = /^[0-9a-f]+ submodule$/;
const REFUSALS = [' missing\n', ' ambiguous\n'].map((ending) => Buffer.from(ending));
const NO_CONTENT = Buffer.alloc(0);

/** A request for an object. */
export interface ObjectRequest {
  /** The response to `info` is one line. The response to `contents` is one line and the content of the object. */
  readonly command: 'info' | 'contents';
  readonly name: Buffer;
}

/** Parses the output of `git cat-file --batch-command` in chunks. */
export class ObjectResponses {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #needed = 1;

  feed(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /**
   * Removes the next response from the output. `question` is the oldest request without a response.
   *
   * @returns `later` if the response is incomplete, `wrong` if the output does not match the request
   */
  take(question: ObjectRequest): Pick<ObjectResponse, 'object'> | 'later' | 'wrong' {
    if (this.#bytes < this.#needed) return 'later';
    // If all pending output is one chunk, it is parsed without a copy.
    const [first = NO_CONTENT] = this.#chunks;
    const output = this.#chunks.length < 2 ? first : Buffer.concat(this.#chunks);
    const answer = parseResponse(output, question);
    if (answer === undefined) return 'wrong';
    const [length, needed] = typeof answer === 'number' ? [0, answer] : [answer.length, 1];
    this.#chunks = [output.subarray(length)];
    this.#bytes -= length;
    this.#needed = needed;
    return typeof answer === 'number' ? 'later' : answer;
  }
}

/**
 * Parses the response at the start of the output.
 *
 * For an object that does not exist, git repeats the requested name, which may contain newlines.
 *
 * @returns the minimum length of the response if it is incomplete; `undefined` if the output does not match the request
 */
function parseResponse(output: Buffer, { command, name }: ObjectRequest): ObjectResponse | number | undefined {
  const refusal = measureRefusal(output, name);
  if (refusal !== undefined) return { length: refusal, object: undefined };
  const end = output.indexOf('\n');
  if (end === -1) return output.length + 1;
  const line = output.toString('latin1', 0, end);
  if (NOTHING.test(line)) return { length: end + 1, object: undefined };
  const info = parseHeader(line);
  // If the requested name contains a newline, git may not have written all of the repeated name yet.
  if (info === undefined) return name.includes('\n') && output.length < name.length + 11 ? output.length + 1 : undefined;
  if (command === 'info') return { length: end + 1, object: { ...info, content: NO_CONTENT } };
  const length = end + 1 + info.size + 1;
  if (output.length < length) return length;
  return { length, object: { ...info, content: output.subarray(end + 1, length - 1) } };
}

/** Returns the length of a response that reports a missing or ambiguous name, or `undefined` for any other output. */
function measureRefusal(output: Buffer, name: Buffer): number | undefined {
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
