import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { DiagnosisCache } from '../../src/info/server-information.ts';
import { diagnoseServer, type Diagnosis, type ServerObject } from '../../src/process/server-object.ts';

const FINE: Diagnosis = { subject: 'root /srv/files', ok: true, detail: 'available' };
const LATE: Diagnosis = { subject: 'diagnosis', ok: false, detail: 'takes longer than 2 s; try again' };

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

function diagnosing(diagnose: ServerObject['diagnose'], errors: unknown[] = []): DiagnosisCache {
  const server = { ...(diagnose && { diagnose }) };
  return new DiagnosisCache(
    () => diagnoseServer(server),
    (error) => errors.push(error),
  );
}

describe('the diagnosis of a server', () => {
  it('is the result of diagnose(), or empty without this method', async () => {
    expect(await diagnosing(() => [FINE]).read()).toEqual([FINE]);
    expect(await diagnosing(() => Promise.resolve([FINE])).read()).toEqual([FINE]);
    expect(await diagnosing(undefined).read()).toEqual([]);
  });

  it('runs once at a time, and again only after 5 seconds', async () => {
    const diagnose = vi.fn<() => readonly Diagnosis[]>(() => [FINE]);
    const subject = diagnosing(diagnose);
    await Promise.all([subject.read(), subject.read()]);
    await subject.read();
    expect(diagnose).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(5001);
    await subject.read();
    expect(diagnose).toHaveBeenCalledTimes(2);
  });

  it('is awaited for at most 2 seconds, and available later', async () => {
    let finish: (diagnoses: readonly Diagnosis[]) => void = () => undefined;
    const diagnose = vi.fn<() => Promise<readonly Diagnosis[]>>(() => new Promise((resolve) => (finish = resolve)));
    const subject = diagnosing(diagnose);
    const asked = subject.read();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await asked).toEqual([LATE]);
    const again = subject.read();
    finish([FINE]);
    expect(await again).toEqual([FINE]);
    expect(diagnose).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('logs the reason for a failure and does not report the reason to clients', async () => {
    const errors: unknown[] = [];
    const error = new Error('cannot reach postgres://ada:s3cret@db/notes');
    const failed = { subject: 'diagnosis', ok: false, detail: 'failed; see the log of the process' };
    expect(await diagnosing(() => Promise.reject(error), errors).read()).toEqual([failed]);
    const thrown = diagnosing(() => {
      throw error;
    }, errors);
    expect(await thrown.read()).toEqual([failed]);
    expect(errors).toEqual([error, error]);
  });

  it('shows no passwords and has a limited size', async () => {
    const detail = `cannot reach postgres://ada:s3cret@db/notes ${'x'.repeat(10_000)}`;
    const diagnoses = Array.from({ length: 150 }, () => ({ ...FINE, detail }));
    const shown = await diagnosing(() => diagnoses).read();
    expect(shown).toHaveLength(101);
    expect(shown.at(-1)).toEqual({ subject: 'diagnosis', ok: true, detail: 'omitted lines: 50' });
    expect(shown[0]?.detail).toMatch(/^cannot reach postgres:\/\/ada:\*\*\*@db\/notes x+…$/);
    expect(shown[0]?.detail.length).toBeLessThan(510);
  });
});
