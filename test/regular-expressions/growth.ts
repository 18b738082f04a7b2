import { Script } from 'node:vm';

import { textOf, type AttackText } from './attack-texts.ts';

/** The measured operation on a text. */
export type Trial = (text: string) => unknown;

/**
 * Length of the first texts. For this length, a quadratic expression takes more than a hundred times as long as a
 * linear one.
 */
const SCREENED = 2 ** 14;

/**
 * Milliseconds for a text of `SCREENED` characters, above which an expression is measured with more texts. A linear expression
 * normally takes less.
 */
const SUSPICIOUS_MS = 2;

/** Minimum duration of a measurement in milliseconds, so that the ratio of two measurements is meaningful. */
const MEASURABLE_MS = 40;

const SHORTEST = 16;
const LONGEST = 2 ** 18;

/**
 * For a text eight times as long, a linear expression takes 8 times as long, a quadratic one takes 64 times as long, and an
 * exponential one never ends.
 */
const LENGTHS_RATIO = 8;
const TIMES_RATIO = LENGTHS_RATIO ** 1.5;

const REPETITIONS = 3;

/** Milliseconds after which an expression is stopped. */
const DEADLINE_MS = 500;

/** Returns the first text for which the time grows faster than the length, or `undefined` if there is no such text. */
export function superLinear(trial: Trial, attacks: readonly AttackText[]): AttackText | undefined {
  const rest = attacks.values();
  for (;;) {
    const attack = nextSuspicious(trial, rest);
    if (attack === undefined || isSuperLinear(trial, attack)) return attack;
  }
}

/**
 * Returns the next text that takes suspiciously long, or `undefined` after the last text. Tests many texts under one deadline,
 * because setting a deadline takes longer than most texts.
 */
function nextSuspicious(trial: Trial, attacks: Iterator<AttackText>): AttackText | undefined {
  let suspicious: AttackText | undefined;
  withDeadline(() => {
    for (;;) {
      suspicious = attacks.next().value;
      if (suspicious === undefined) return;
      const text = textOf(suspicious, SCREENED);
      const before = process.cpuUsage();
      trial(text);
      if (millisecondsSince(before) > SUSPICIOUS_MS) return;
    }
  });
  return suspicious;
}

function isSuperLinear(trial: Trial, attack: AttackText): boolean {
  if (leastTime(trial, textOf(attack, SCREENED)) < SUSPICIOUS_MS) return false;
  for (let length = SHORTEST; length <= LONGEST; length *= 2) {
    const time = leastTime(trial, textOf(attack, length));
    if (time < MEASURABLE_MS) continue;
    if (time > TIMES_RATIO * leastTime(trial, textOf(attack, length / LENGTHS_RATIO))) return true;
  }
  return false;
}

/** Returns the minimum CPU time of several runs in milliseconds, because a garbage collection may increase the time of a run. */
function leastTime(trial: Trial, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const before = process.cpuUsage();
    const isFinished = withDeadline(() => trial(text));
    least = Math.min(least, millisecondsSince(before));
    if (!isFinished) break;
  }
  return least;
}

/** Returns the CPU time of this process since `before`, in milliseconds. Other processes do not affect this time. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const RUN = new Script('globalThis.runTrial()');

/**
 * Runs a function on this thread, and stops it after a time limit. V8 checks the limit during backtracking. Returns whether the
 * function finished in time.
 */
function withDeadline(run: () => void): boolean {
  Object.assign(globalThis, { runTrial: run });
  try {
    RUN.runInThisContext({ timeout: DEADLINE_MS });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
