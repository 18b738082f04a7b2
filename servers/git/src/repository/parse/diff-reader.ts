import { decodeName, decodeText } from './fields.ts';
import { buildHeaders, PatchReader, type DiffFile, type PatchSection } from './patch-reader.ts';
import { CHANGE_LETTERS } from './status.ts';

interface Counts {
  readonly added?: number;
  readonly removed?: number;
  readonly binary?: true;
}

/** A record of `--raw`, with paths in Latin-1. */
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
 * Parses the output of `--raw --numstat --patch -z` in chunks. Each of these three kinds of output may be missing. The list of
 * changed files precedes the patch, so it is complete even if git is ended during the patch.
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
   * @param fields number of NUL-terminated fields before the diff
   * @param isKept whether the patch of a file is kept
   */
  constructor(fields = 0, isKept: (path: string) => boolean = () => true) {
    this.#wantedFields = fields;
    this.#isKept = isKept;
  }

  /** The fields before the diff. */
  get fields(): readonly string[] {
    return this.#fields;
  }

  get files(): readonly DiffFile[] {
    return this.#raw.map((file) => this.#toFile(file));
  }

  /** Paths of files with a combined diff. Git omits their patches if it also lists the changed files. */
  get combined(): readonly string[] {
    return this.#raw.filter(({ combined }) => combined).map(({ path }) => decodeName(path));
  }

  /** Paths of submodules whose commit git read from the work tree. */
  get checkedOut(): readonly string[] {
    return this.#raw.filter(({ isCheckedOut }) => isCheckedOut).map(({ path }) => decodeName(path));
  }

  /** Number of files that are known so far. */
  get count(): number {
    return this.#raw.length;
  }

  /** Size of the patch that was kept, in bytes. */
  get bytes(): number {
    return this.#patch?.bytes ?? 0;
  }

  /** Sections of the patch. The last section may be incomplete. */
  get sections(): readonly PatchSection[] {
    return this.#patch?.sections ?? [];
  }

  /** Returns a reader for another patch of the same files. It keeps the patch of a file only if this reader and `isKept` accept the file. */
  patchReader(isKept: (path: string) => boolean): PatchReader {
    const files = this.#raw.flatMap((raw) => buildHeaders(raw).map((header) => [header, this.#toFile(raw)] as const));
    return new PatchReader(new Map(files), (path) => this.#isKept(path) && isKept(path));
  }

  feed(chunk: Buffer): void {
    if (this.#patch !== undefined) return this.#patch.feed(chunk);
    this.#rest = Buffer.concat([this.#rest, chunk]);
    this.#readFacts();
  }

  /** Ends the input, and handles a last line without a line ending. */
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
    if (this.#fields.length < this.#wantedFields) this.#fields.push(decodeText(bytes));
    else this.#readFact(bytes.toString('latin1'));
  }

  #readFact(field: string): void {
    if (this.#missing > 0) this.#finishRecord(field);
    // An empty field ends the list of changed files. Empty fields before the list separate it from a commit, and begin no patch.
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
      status: CHANGE_LETTERS[letter] ?? (letter === 'U' ? 'conflict' : 'modified'),
      combined: colons.length > 1,
      isCheckedOut: isCheckedOut(record, colons.length),
    });
  }

  #count(record: string, path: string): void {
    const [, added = '', removed = ''] = NUMSTAT.exec(record) ?? [];
    this.#counts.set(path, added === '-' ? { binary: true } : { added: Number(added), removed: Number(removed) });
  }

  #toFile({ path, original, status }: RawFile): DiffFile {
    return {
      path: decodeName(path),
      ...(original !== undefined && { original_path: decodeName(original) }),
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
