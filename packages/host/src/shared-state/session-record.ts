import { createHash, hkdfSync } from 'node:crypto';

/** The data with which another process continues a session. */
export interface SessionRecord {
  /** Id of the process that has the session; empty if that process gave it up. */
  readonly owner: string;
  /** URL at which other processes reach the owner. */
  readonly url: string;
  /** Number of processes that had the session before. */
  readonly generation: number;
  /** Key of the principal that opened the session. */
  readonly principal: string;
  readonly state: SessionState;
}

/** The settings of a client in its session. */
export interface SessionState {
  /** Parameters of the request `initialize`. */
  readonly initialize: Readonly<Record<string, unknown>>;
  /** Minimum severity of log messages, if the client has set one. */
  readonly level?: string;
  /** URIs of the subscribed resources. */
  readonly subscribed: readonly string[];
}

// Loaded only when needed, so that a server without shared sessions starts faster.
const loadJose = (): Promise<typeof import('jose')> => import('jose');

/** Minimum size of the key in bytes: 256 bits. */
const KEY_BYTES = 32;
const ALGORITHM = { alg: 'dir', enc: 'A256GCM' };

/** Encrypts the records of the sessions at one path of one server, so that the store can neither read nor forge a record. */
export class RecordCipher {
  readonly #key: Uint8Array;
  readonly #scope: string;

  /**
   * @param key at least 32 bytes
   * @param scope names of the server and of its path
   * @throws RangeError if the key is shorter, because it could be guessed
   */
  constructor(key: Uint8Array | string, scope: readonly string[]) {
    if (Buffer.byteLength(key) < KEY_BYTES) throw new RangeError(`the key of shared sessions needs at least ${KEY_BYTES} bytes`);
    this.#scope = JSON.stringify(scope);
    this.#key = new Uint8Array(hkdfSync('sha256', key, '', `session record ${this.#scope}`, 32));
  }

  /** Returns the key of a session in the store, which does not reveal the id of the session. */
  keyOf(sessionId: string): string {
    return createHash('sha256').update(`${this.#scope}\n${sessionId}`).digest('base64url');
  }

  /** @param key key of the session in the store */
  async encrypt(key: string, record: SessionRecord): Promise<string> {
    const { CompactEncrypt } = await loadJose();
    const text = Buffer.from(JSON.stringify({ key, record }));
    return await new CompactEncrypt(text).setProtectedHeader(ALGORITHM).encrypt(this.#key);
  }

  /** Returns `undefined` for a text that was not encrypted for this key. */
  async decrypt(key: string, text: string): Promise<SessionRecord | undefined> {
    const { compactDecrypt } = await loadJose();
    try {
      const options = { keyManagementAlgorithms: [ALGORITHM.alg], contentEncryptionAlgorithms: [ALGORITHM.enc] };
      const { plaintext } = await compactDecrypt(text, this.#key, options);
      const given: { readonly key: string; readonly record: SessionRecord } = JSON.parse(Buffer.from(plaintext).toString());
      return given.key === key ? given.record : undefined;
    } catch {
      return undefined;
    }
  }
}
