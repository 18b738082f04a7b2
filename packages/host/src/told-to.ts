import type { OperatorLog } from './server-object.ts';

/** Something that hears of failures and tells the operator of them, each as a warning. */
export function toldTo(log: OperatorLog): (error: unknown) => void {
  return (error) => log.warning(error instanceof Error ? error.message : String(error));
}
