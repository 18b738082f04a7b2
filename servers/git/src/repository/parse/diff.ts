import { nameOf, wordsOf } from './fields.ts';
import { headersOf, PatchReader, type PatchSection } from './patch.ts';
import { LETTERS, type Change } from './status.ts';

/** What a diff says of one file. */
export interface DiffFile {
  /** Relative to the top, with `/` between its parts. */
  readonly path: string;
  /** Before a rename. */
  readonly original_path?: string;
  readonly status: Change | 'conflict';
  /** Lines; absent for a binary file, and where lines were not counted. */
  readonly added?: number;
  readonly removed?: number;
  readonly binary?: true;
}

interface Counts {
  readonly added?: number;
  readonly removed?: number;
  readonly binary?: true;
}

/** Its paths are bytes as Latin-1. */
interface RawFile {
  readonly path: string;
  readonly original: string | undefined;
  readonly status: DiffFile['status'];
  readonly combined: boolean;
  readonly isCheckedOut: boolean;
}

const RAW = /^(:+)[^:]* ([A-Z])[A-Z\d]*$/;
const SUBMODULE_MODE = '160000';
const NUMSTAT = /^(\d+|-)\t(\d+|-)\t(.*)$/s;

/**
 * Reads the output of `--raw --numstat --patch -z` as it comes, each of the three as far as it is there: what happened to every
 * file stands before the first line of the patch, so it is known however early git is ended.
 */
export class DiffReader {
  readonly #fields: string[] = [];
  readonly #wantedFields: number;
  readonly #isKept: (path: string) => boolean;
  readonly #raw: RawFile[] = [];
  readonly #counts = new Map<string, Counts>();
  #patch: PatchReader | undefined;
  #record: string[] = [];
  #missing = 0;
  #rest: Buffer = Buffer.alloc(0);

  /**
   * @param fields that stand before the diff, each ended by NUL
   * @param isKept whether the patch of a file is wanted
   */
  constructor(fields = 0, isKept: (path: string) => boolean = () => true) {
    this.#wantedFields = fields;
    this.#isKept = isKept;
  }

  /** What stands before the diff. */
  get fields(): readonly string[] {
    return this.#fields;
  }

  get files(): readonly DiffFile[] {
    return this.#raw.map((file) => this.#fileOf(file));
  }

  /** Files that differ from more than one other: git does not write their patch where it writes what happened to them. */
  get combined(): readonly string[] {
    return this.#raw.filter(({ combined }) => combined).map(({ path }) => nameOf(path));
  }

  /** Submodules whose commit git read from the work tree. */
  get checkedOut(): readonly string[] {
    return this.#raw.filter(({ isCheckedOut }) => isCheckedOut).map(({ path }) => nameOf(path));
  }

  /** Files that are known by now. */
  get count(): number {
    return this.#raw.length;
  }

  /** Bytes of the patch that are kept. */
  get bytes(): number {
    return this.#patch?.bytes ?? 0;
  }

  /** The last one may be cut. */
  get sections(): readonly PatchSection[] {
    return this.#patch?.sections ?? [];
  }

  /** Returns a reader of another patch of the same files, of which less may be wanted. */
  patchReader(isKept: (path: string) => boolean): PatchReader {
    const files = this.#raw.flatMap((raw) => headersOf(raw).map((header) => [header, this.#fileOf(raw)] as const));
    return new PatchReader(new Map(files), (path) => this.#isKept(path) && isKept(path));
  }

  feed(chunk: Buffer): void {
    if (this.#patch !== undefined) return this.#patch.feed(chunk);
    this.#rest = Buffer.concat([this.#rest, chunk]);
    this.#readFacts();
  }

  /** The output is complete: its last line may have no end. */
  finish(): void {
    this.#patch?.finish();
  }

  #readFacts(): void {
    let start = 0;
    for (let end = this.#rest.indexOf(0); end !== -1 && this.#patch === undefined; end = this.#rest.indexOf(0, start)) {
      this.#readField(this.#rest.subarray(start, end));
      start = end + 1;
    }
    this.#rest = this.#rest.subarray(start);
    this.#patch?.feed(this.#rest);
  }

  #readField(bytes: Buffer): void {
    if (this.#fields.length < this.#wantedFields) this.#fields.push(wordsOf(bytes));
    else this.#readFact(bytes.toString('latin1'));
  }

  #readFact(field: string): void {
    if (this.#missing > 0) this.#finishRecord(field);
    // An empty field ends what happened; those before it separate it from a commit.
    else if (field === '') this.#beginPatch();
    else this.#beginRecord(field.replace(/^\n/, ''));
  }

  #beginRecord(record: string): void {
    this.#record = [record];
    const [, colons, letter] = RAW.exec(record) ?? [];
    const counted = NUMSTAT.exec(record);
    if (colons !== undefined) this.#missing = colons.length === 1 && (letter === 'R' || letter === 'C') ? 2 : 1;
    else if (counted?.[3] === '') this.#missing = 2;
    else if (counted !== null) this.#count(record, counted[3] ?? '');
  }

  #finishRecord(path: string): void {
    this.#record.push(path);
    this.#missing -= 1;
    if (this.#missing > 0) return;
    const [record = '', first] = this.#record;
    const [, colons = '', letter = ''] = RAW.exec(record) ?? [];
    if (colons === '') return this.#count(record, path);
    this.#raw.push({
      path,
      original: this.#record.length > 2 ? first : undefined,
      status: LETTERS[letter] ?? (letter === 'U' ? 'conflict' : 'modified'),
      combined: colons.length > 1,
      isCheckedOut: isCheckedOut(record, colons.length),
    });
  }

  #count(record: string, path: string): void {
    const [, added = '', removed = ''] = NUMSTAT.exec(record) ?? [];
    this.#counts.set(path, added === '-' ? { binary: true } : { added: Number(added), removed: Number(removed) });
  }

  #fileOf({ path, original, status }: RawFile): DiffFile {
    return {
      path: nameOf(path),
      ...(original !== undefined && { original_path: nameOf(original) }),
      status,
      ...(this.#counts.get(path) ?? (this.#counts.size > 0 && { added: 0, removed: 0 })),
    };
  }

  #beginPatch(): void {
    if (this.#raw.length > 0 || this.#counts.size > 0) this.#patch = this.patchReader(() => true);
  }
}

/** Whether the last side of a raw record is a submodule in the work tree, for which git writes zeros instead of an object name. */
function isCheckedOut(record: string, sides: number): boolean {
  const fields = record.slice(sides).split(' ', 2 * sides + 2);
  return fields[sides] === SUBMODULE_MODE && /^0+$/.test(fields[2 * sides + 1] ?? '');
}
