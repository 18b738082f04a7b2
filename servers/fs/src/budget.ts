/** Names of one answer, escaped as JSON; they are sent twice, and the SDK's stdio clients close at a message of 10 MiB. */
const MAX_NAME_BYTES = 1_048_576;

/** How many names still fit into an answer. */
export class NameBudget {
  #left = MAX_NAME_BYTES;

  /** Whether this name still fits; it is then taken off. */
  take(name: string): boolean {
    this.#left -= Buffer.byteLength(JSON.stringify(name));
    return this.#left >= 0;
  }
}
