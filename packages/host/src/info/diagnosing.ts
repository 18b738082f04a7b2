import { redact } from '../redact.ts';
import type { Diagnosis, ServerObject } from '../server-object.ts';

/** Who asks what is wrong waits no longer than this, whatever a server has to ask itself. */
const PATIENCE_MS = 2000;

/** So long an answer is good: clients may ask in a loop, and each answer may cost processes or a connection. */
const FRESH_MS = 5000;

/** A server may have any number of repositories or roots. */
const MAX_DIAGNOSES = 100;
const MAX_TEXT = 500;

/** Asks a server to diagnose itself: once at a time, seldom, and not for long; without secrets in what it says. */
export class Diagnosing {
  readonly #server: ServerObject;
  readonly #onError: (error: unknown) => void;
  #running: Promise<readonly Diagnosis[]> | undefined;
  #known: { readonly diagnoses: readonly Diagnosis[]; readonly until: number } | undefined;

  constructor(server: ServerObject, onError: (error: unknown) => void) {
    this.#server = server;
    this.#onError = onError;
  }

  async read(): Promise<readonly Diagnosis[]> {
    if (this.#known !== undefined && performance.now() < this.#known.until) return this.#known.diagnoses;
    return within(PATIENCE_MS, (this.#running ??= this.#run()));
  }

  async #run(): Promise<readonly Diagnosis[]> {
    const diagnoses = await this.#diagnose();
    this.#known = { diagnoses, until: performance.now() + FRESH_MS };
    this.#running = undefined;
    return diagnoses;
  }

  async #diagnose(): Promise<readonly Diagnosis[]> {
    try {
      const diagnoses = (await this.#server.diagnose?.()) ?? [];
      const shown = diagnoses.slice(0, MAX_DIAGNOSES).map(shownOf);
      const more = diagnoses.length - shown.length;
      return more > 0 ? [...shown, { subject: 'diagnosis', ok: true, detail: `${more} more were left out` }] : shown;
    } catch (error) {
      this.#onError(error);
      return [{ subject: 'diagnosis', ok: false, detail: 'failed; the log of the process says why' }];
    }
  }
}

function shownOf({ subject, ok, detail }: Diagnosis): Diagnosis {
  return { subject: shortened(subject), ok, detail: shortened(detail) };
}

function shortened(text: string): string {
  const safe = redact(text.slice(0, 2 * MAX_TEXT));
  return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}…` : safe;
}

async function within(milliseconds: number, work: Promise<readonly Diagnosis[]>): Promise<readonly Diagnosis[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Diagnosis[]>((resolve) => {
    const told = { subject: 'diagnosis', ok: false, detail: `takes longer than ${milliseconds / 1000} s; ask again` };
    timer = setTimeout(resolve, milliseconds, [told]);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
